// The chart: three canvases that the frame of the view paints, and the pointer, wheel and keys that move them.
import { useNow } from "../../app/now";
import { useEffect, useRef } from "preact/hooks";
import { paint } from "../../app/theme";
import { NO_DAY, today } from "../../dates/days";
import { shortDay } from "../../dates/format";
import { schedule } from "../../words/schedule";
import { t } from "../../words/words";
import type { Desk } from "../desk";
import { cascadeText } from "../edit/dates";
import { paintAxis } from "./axis";
import { chartKeys, mode } from "./chart_keys";
import { type Colours, readColours } from "./colours";
import { paintMain } from "./paint";
import { paintOverlay } from "./paint_overlay";
import { hover, light, Pointer } from "./pointer";
import { AXIS } from "./view";

export function Chart({ desk, hidden }: { desk: Desk; hidden: (links: number) => void }) {
  const box = useRef<HTMLDivElement>(null);
  const [axis, main, over] = [useRef<HTMLCanvasElement>(null), useRef<HTMLCanvasElement>(null), useRef<HTMLCanvasElement>(null)];
  const tip = useRef<HTMLDivElement>(null);
  const pointer = useRef<Pointer>(new Pointer(desk));

  useEffect(() => {
    let colours: Colours = readColours();
    let seenPaint = paint.peek();
    const sizes = new ResizeObserver(() => {
      if (!box.current) return;
      desk.view.chartWidth = box.current.clientWidth;
      desk.view.request();
    });
    sizes.observe(box.current!);
    desk.view.chartWidth = box.current!.clientWidth;
    let before = -1;
    const stop = desk.view.onFrame(() => {
      // A painter before this one may have closed the chart.
      if (!main.current) return;
      if (seenPaint !== paint.peek()) {
        seenPaint = paint.peek();
        colours = readColours();
      }
      const { view } = desk;
      paintAxis(fit(axis.current!, view.chartWidth, AXIS), view, colours, {
        today: today(),
        data: desk.dataDate === NO_DAY ? today() : desk.dataDate,
      });
      const left = paintMain(fit(main.current!, view.chartWidth, view.height), desk, colours);
      paintOverlay(fit(over.current!, view.chartWidth, view.height), desk, colours);
      if (left !== before) hidden(left);
      before = left;
    });
    desk.view.request();
    return () => {
      stop();
      sizes.disconnect();
    };
  }, []);

  useNow(() => {
    paint.value;
    desk.plan.version.value;
    desk.focus.value;
    desk.selected.value;
    desk.gesture.value;
    desk.pane.value;
    light(desk);
  });

  const at = (event: MouseEvent): [number, number] => {
    const rect = box.current!.getBoundingClientRect();
    return [event.clientX - rect.left, event.clientY - rect.top - AXIS];
  };
  const onMove = (event: PointerEvent) => {
    const [x, y] = at(event);
    main.current!.parentElement!.style.cursor = pointer.current.move(event, x, y);
    showTip(desk, tip.current!, event);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape" && pointer.current.busy) {
      pointer.current.cancel();
      hideTip(tip.current!);
    } else chartKeys(desk, event);
  };
  const onWheel = (event: WheelEvent) => {
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      desk.view.zoom(Math.exp(-event.deltaY * 0.0022), at(event)[0]);
    } else if (event.deltaX !== 0 || event.shiftKey) {
      event.preventDefault();
      desk.view.pan(event.deltaX || event.deltaY);
    }
  };
  useEffect(() => {
    const element = box.current!;
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => element.removeEventListener("wheel", onWheel);
  }, []);

  return (
    <div
      ref={box}
      class="chart"
      tabIndex={0}
      role="group"
      aria-roledescription="chart"
      aria-label={t(desk.canAuthor.value ? schedule.chart : schedule.chartOnly)}
      onKeyDown={onKeyDown}
      onFocus={() => (desk.pane.value = "chart")}
      onBlur={() => (mode.value = { kind: "rows" })}
      onPointerDown={(event) => {
        desk.pane.value = "chart";
        pointer.current.down(event, ...at(event));
      }}
      onPointerMove={onMove}
      onPointerUp={(event) => (hideTip(tip.current!), void pointer.current.up(event))}
      onPointerCancel={(event) => pointer.current.lost(event)}
      onPointerLeave={() => (hover(desk, -1), hideTip(tip.current!))}
      onDblClick={() => (desk.inspector.value = true)}
    >
      <canvas ref={axis} class="chart-axis" aria-hidden="true" />
      <canvas ref={main} class="chart-main" aria-hidden="true" />
      <canvas ref={over} class="chart-over" aria-hidden="true" />
      <div ref={tip} class="chart-tip" aria-hidden="true" hidden />
      <ModeLine desk={desk} />
    </div>
  );
}

/** The size of a canvas in device pixels, and its context in CSS pixels. */
function fit(canvas: HTMLCanvasElement, width: number, height: number): CanvasRenderingContext2D {
  const ratio = devicePixelRatio || 1;
  const [w, h] = [Math.max(1, Math.round(width * ratio)), Math.max(1, Math.round(height * ratio))];
  if (canvas.width !== w || canvas.height !== h) {
    canvas.width = w;
    canvas.height = h;
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
  }
  const ctx = canvas.getContext("2d", { alpha: !canvas.classList.contains("chart-main") })!;
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  return ctx;
}

/** Beside the pointer while a bar moves: how many tasks follow and what happens to the finish. */
function showTip(desk: Desk, tip: HTMLElement, event: PointerEvent): void {
  const gesture = desk.gesture.peek();
  if (!gesture || gesture.kind === "link") return hideTip(tip);
  tip.hidden = false;
  tip.textContent = [`${shortDay(gesture.start)} – ${shortDay(gesture.finish)}`, cascadeText(gesture.cascade)].filter(Boolean).join(" · ");
  const rect = tip.parentElement!.getBoundingClientRect();
  tip.style.left = `${Math.min(event.clientX - rect.left + 14, rect.width - tip.offsetWidth - 8)}px`;
  tip.style.top = `${event.clientY - rect.top + 18}px`;
}

function hideTip(tip: HTMLElement): void {
  tip.hidden = true;
}

/** Says which keys work while a bar is moved or linked by key. It stands in the half of the chart where the bar is not. */
function ModeLine({ desk }: { desk: Desk }) {
  const now = mode.value;
  if (now.kind === "rows") return null;
  const name = desk.plan.rows[now.task]?.name ?? "";
  const gesture = desk.gesture.value;
  const { view, plan } = desk;
  const isHigh = view.y(plan.rowOf[now.task] ?? 0) < view.height / 2;
  return (
    <div class={isHigh ? "mode-line is-below" : "mode-line"} role="status">
      {t(now.kind === "move" ? schedule.moveMode : schedule.linkMode, { name })}
      {gesture && gesture.kind !== "link" && (
        <b>
          {" "}
          {shortDay(gesture.start)} – {shortDay(gesture.finish)} {cascadeText(gesture.cascade)}
        </b>
      )}
    </div>
  );
}
