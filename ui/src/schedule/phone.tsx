// The schedule on a phone: a list of rows that can be read, opened and ticked off, or the chart beside the names.
import { useEffect, useRef, useState } from "preact/hooks";
import { Skeleton } from "../app/failure";
import { Icon } from "../app/icons";
import { place, setQuery } from "../app/router";
import { shortDay } from "../dates/format";
import { schedule } from "../words/schedule";
import { t } from "../words/words";
import type { Desk } from "./desk";
import { done, focusOn } from "./edit/actions";
import { patch } from "./edit/patch";
import { NoRow } from "./empty";
import { Inspector } from "./inspect/inspector";
import { Panes } from "./panes";
import { CRITICAL, DONE, LATE, SUMMARY } from "./plan/flags";

const STEP = 60;

const MODES = [
  ["list", schedule.list],
  ["chart", schedule.chartMode],
] as const;
type Mode = (typeof MODES)[number][0];

export function Phone({ desk, ready, whole }: { desk: Desk; ready: boolean; whole: boolean }) {
  const [mode, setMode] = useState<Mode>("list");
  useDetailsInHistory(desk);
  return (
    <>
      <div class="phone-tabs">
        {MODES.map(([one, name]) => (
          <button key={one} type="button" class="button small" aria-pressed={mode === one} onClick={() => setMode(one)}>
            {t(name)}
          </button>
        ))}
        <span class="grow" />
        {mode === "chart" && (
          <button type="button" class="icon" aria-label={t(schedule.fit)} onClick={() => desk.fit()}>
            <Icon name="fit" />
          </button>
        )}
        {mode === "chart" && (
          <button type="button" class="icon" aria-label={t(schedule.zoomOut)} onClick={() => desk.view.zoom(0.7)}>
            <Icon name="minus" />
          </button>
        )}
        {mode === "chart" && (
          <button type="button" class="icon" aria-label={t(schedule.zoomIn)} onClick={() => desk.view.zoom(1.4)}>
            <Icon name="plus" />
          </button>
        )}
      </div>
      <div class="phone-mode">{mode === "list" ? <List desk={desk} ready={ready} /> : <PhoneChart desk={desk} whole={whole} />}</div>
      {desk.inspector.value && <Inspector desk={desk} />}
    </>
  );
}

/** The details cover the page, so they are a step of the history: Back closes them. */
function useDetailsInHistory(desk: Desk): void {
  const open = desk.inspector.value;
  const asked = place.value.query.has("task");
  const was = useRef({ open, asked });
  useEffect(() => {
    const before = was.current;
    was.current = { open, asked };
    if (before.asked && !asked && open) desk.inspector.value = false;
    else if (before.open && !open && asked) setQuery({ task: null });
    else if (!before.open && open && !asked) setQuery({ task: desk.focus.peek().id }, true);
  }, [open, asked]);
}

/** The chart beside the names. A tap on a name opens its details; a bar moves only after it was tapped. */
function PhoneChart({ desk, whole }: { desk: Desk; whole: boolean }) {
  useEffect(() => {
    const before = desk.columns.peek();
    desk.columns.value = ["name"];
    const frame = requestAnimationFrame(() => requestAnimationFrame(() => desk.fit()));
    return () => {
      cancelAnimationFrame(frame);
      desk.columns.value = before;
    };
  }, []);
  const open = (event: MouseEvent) => {
    const target = event.target as HTMLElement;
    if (target.closest(".grid-row") && !target.classList.contains("toggle")) desk.inspector.value = true;
  };
  return (
    <div class="schedule-body" onClick={open}>
      <Panes desk={desk} hidden={() => undefined} ready={whole} loading={false} narrow />
    </div>
  );
}

function List({ desk, ready }: { desk: Desk; ready: boolean }) {
  const plan = desk.plan.watch();
  const [shown, setShown] = useState(STEP);
  const more = (event: Event) => {
    const list = event.currentTarget as HTMLElement;
    if (list.scrollTop + list.clientHeight > list.scrollHeight - 600 && shown < plan.visible.length) setShown(shown + STEP);
  };
  const list = useRef<HTMLUListElement>(null);
  const aim = useRef<number | null>(null);
  useEffect(() => {
    const open = [...plan.visible].findIndex((task) => !(plan.flags[task]! & (DONE | SUMMARY)));
    if (!ready || open < 4) return;
    aim.current = open - 1;
    setShown(open + STEP);
  }, [ready]);
  // The row is there after the render with enough rows, however late that comes.
  useEffect(() => {
    const row = aim.current === null ? undefined : list.current?.children[aim.current];
    if (!row) return;
    aim.current = null;
    row.scrollIntoView();
  }, [shown, ready]);
  if (!ready)
    return (
      <div class="page-in">
        <Skeleton lines={8} />
      </div>
    );
  if (plan.count > 0 && plan.visible.length === 0) return <NoRow desk={desk} />;
  return (
    <ul ref={list} class="phone-list" onScroll={more} aria-label={t(schedule.grid)}>
      {[...plan.visible.slice(0, shown)].map((task) => (
        <PhoneRow key={plan.rows[task]!.id} desk={desk} task={task} />
      ))}
    </ul>
  );
}

function PhoneRow({ desk, task }: { desk: Desk; task: number }) {
  const plan = desk.plan.watch();
  const row = plan.rows[task]!;
  const flags = plan.flags[task]!;
  const summary = (flags & SUMMARY) !== 0;
  // What was ticked and waits for its turn, or for the network. Until it is known, the box cannot be ticked again.
  const [waits, setWaits] = useState<boolean | null>(null);
  const tick = async () => {
    const isDone = !(flags & DONE);
    setWaits(isDone);
    const ok = await desk.edits.run(patch(desk, row, { percent_complete: isDone ? 100 : 0, status: isDone ? "COMPLETE" : "NOT_STARTED" }));
    setWaits(null);
    if (ok) done(desk, t(schedule.didChange, { name: row.name }));
  };
  return (
    <li class={summary ? "phone-row summary" : "phone-row"}>
      {!summary && (
        <input
          type="checkbox"
          checked={waits ?? (flags & DONE) !== 0}
          disabled={!row.can_edit || waits !== null}
          aria-label={row.name}
          onChange={() => void tick()}
        />
      )}
      <button
        type="button"
        style={{ paddingLeft: `${Math.min(4, plan.level[task]!) * 12}px` }}
        onClick={() => {
          focusOn(desk, task);
          desk.inspector.value = true;
        }}
      >
        <span class={summary ? "strong clip-line" : "clip-line"}>{row.name}</span>
        <span class="quiet small num">
          {shortDay(plan.start[task]!)} – {shortDay(plan.finish[task]!)}
          {flags & CRITICAL && !(flags & DONE) ? ` · ${t(schedule.critical)}` : ""}
          {flags & LATE ? ` · ${t(schedule.barLate)}` : ""}
        </span>
      </button>
      {!summary && <span class="num small quiet">{Math.round(plan.percent[task]!)} %</span>}
    </li>
  );
}
