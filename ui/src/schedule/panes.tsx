// Grid and chart side by side in one scroll: one native scroller owns a spacer, and both panes are placed in its frame.
import { useEffect, useRef, useState } from "preact/hooks";
import { useNow } from "../app/now";
import { density, ROW_HEIGHT } from "../app/theme";
import { Chart } from "./chart/chart";
import { AXIS } from "./chart/view";
import type { Desk } from "./desk";
import { KeptNotes } from "./edit/kept_notes";
import { kept } from "./edit/patch";
import { Empty } from "./empty";
import { Grid } from "./grid/grid";
import { Splitter } from "./splitter";

/** The width of the names on a phone. */
const NARROW = 132;

export function Panes({
  desk,
  hidden,
  ready,
  loading,
  narrow,
}: {
  desk: Desk;
  hidden: (links: number) => void;
  ready: boolean;
  loading: boolean;
  narrow?: boolean;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const spacer = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(() => (narrow ? NARROW : Math.max(320, Math.min(860, Math.round(innerWidth * 0.44)))));

  useEffect(() => {
    const element = scroller.current!;
    const size = () => {
      desk.view.height = Math.max(0, element.clientHeight - AXIS);
      element.style.setProperty("--height", `${element.clientHeight}px`);
      desk.view.request();
    };
    const sizes = new ResizeObserver(size);
    sizes.observe(element);
    size();
    const onScroll = () => {
      desk.view.scrollTop = element.scrollTop;
      desk.view.request();
    };
    element.addEventListener("scroll", onScroll, { passive: true });
    desk.scroll = (top) => {
      element.scrollTop = top;
      desk.view.scrollTop = element.scrollTop;
      desk.view.request();
    };
    desk.enter = (pane) => {
      desk.pane.value = pane;
      const target = pane === "chart" ? ".chart" : ".grid [tabindex='0']";
      desk.view.flush();
      (element.querySelector<HTMLElement>(target) ?? element.querySelector<HTMLElement>(".grid-row"))?.focus({ preventScroll: true });
    };
    return () => {
      sizes.disconnect();
      element.removeEventListener("scroll", onScroll);
    };
  }, []);
  useNow(() => {
    desk.plan.watch();
    desk.view.rowHeight = ROW_HEIGHT[density.value];
    // The plan may change once more while another page takes the place of this one.
    if (!spacer.current || !scroller.current) return;
    spacer.current.style.height = `${desk.plan.visible.length * desk.view.rowHeight + AXIS + 96}px`;
    scroller.current.style.setProperty("--row", `${desk.view.rowHeight}px`);
    desk.view.request();
  });

  useEffect(() => {
    scroller.current?.style.setProperty("--grid", `${width}px`);
  }, [width]);

  return (
    <div class="panes" ref={scroller}>
      <div ref={spacer} class="panes-spacer">
        <div class="panes-view">
          <Grid desk={desk} />
          <Splitter width={width} set={setWidth} min={narrow ? 80 : 240} />
          <Chart desk={desk} hidden={hidden} />
          {!narrow && kept.value.length > 0 && <KeptNotes desk={desk} />}
          {ready && <Empty desk={desk} />}
          {loading && <LoadingRows />}
        </div>
      </div>
    </div>
  );
}

function LoadingRows() {
  return (
    <div class="loading-rows" aria-hidden="true">
      {Array.from({ length: 14 }, (_, row) => (
        <div key={row} class="skeleton" style={{ width: `${60 - ((row * 17) % 34)}%` }} />
      ))}
    </div>
  );
}
