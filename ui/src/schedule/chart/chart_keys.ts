// The keys of the chart, while it has the focus: zoom, today, drivers, successors, and bars that move by key.
import { signal } from "@preact/signals";
import { chord } from "../../app/keys";
import { NO_DAY, today } from "../../dates/days";
import type { Desk } from "../desk";
import { focusOn, linkTwo, mayAuthor, removeChosenLink } from "../edit/actions";
import { commitDates } from "../edit/dates";
import { planKeys } from "../grid/grid_keys";
import { SUMMARY } from "../plan/flags";
import { light, stretch } from "./pointer";

/** What the arrows do: choose rows, move the bar with the focus, or choose the other end of a link. */
export type Mode = { kind: "rows" } | { kind: "move"; task: number; by: number; longer: number } | { kind: "link"; task: number };

export const mode = signal<Mode>({ kind: "rows" });

export function chartKeys(desk: Desk, event: KeyboardEvent): void {
  const key = chord(event);
  const now = mode.peek();
  if (desk.link !== null && (key === "Delete" || key === "Escape")) {
    event.preventDefault();
    if (key === "Delete" && desk.canLink.peek()) void removeChosenLink(desk);
    desk.link = null;
    return desk.view.request();
  }
  const used =
    now.kind === "move"
      ? moving(desk, key, now)
      : now.kind === "link"
        ? linking(desk, key, now)
        : planKeys(desk, key) || rowsAndView(desk, key);
  if (used) event.preventDefault();
}

function rowsAndView(desk: Desk, key: string): boolean {
  const { plan, view } = desk;
  const task = desk.focusTask();
  switch (key.length === 1 ? key.toLowerCase() : key) {
    case "ArrowDown":
      step(desk, 1);
      return true;
    case "ArrowUp":
      step(desk, -1);
      return true;
    case "ArrowLeft":
      view.pan(-view.px * Math.max(1, 40 / view.px));
      return true;
    case "ArrowRight":
      view.pan(view.px * Math.max(1, 40 / view.px));
      return true;
    case "+":
    case "=":
      view.zoom(1.25, focusX(desk));
      return true;
    case "-":
      view.zoom(0.8, focusX(desk));
      return true;
    case "0":
      desk.fit();
      return true;
    case "t":
      view.place(today() - view.chartWidth / view.px / 3, view.px);
      return true;
    case "d":
      return follow(desk, true);
    case "s":
      return follow(desk, false);
    case "Enter":
      desk.inspector.value = true;
      return true;
    case "l":
      if (task >= 0 && desk.canLink.peek()) mode.value = { kind: "link", task };
      return true;
    case "m":
      if (task >= 0 && plan.start[task] !== NO_DAY && !(plan.flags[task]! & SUMMARY) && mayAuthor(desk)) {
        mode.value = { kind: "move", task, by: 0, longer: 0 };
        view.reveal(plan.start[task]!, plan.finish[task]!);
      }
      return true;
    default:
      return false;
  }
}

function focusX(desk: Desk): number {
  const task = desk.focusTask();
  const x = task >= 0 && desk.plan.start[task] !== NO_DAY ? desk.view.x(desk.plan.start[task]!) : desk.view.chartWidth / 2;
  return x >= 0 && x <= desk.view.chartWidth ? x : desk.view.chartWidth / 2;
}

function step(desk: Desk, by: number): void {
  const { plan } = desk;
  const task = desk.focusTask();
  const row = task >= 0 ? plan.rowOf[task]! : -1;
  const next = plan.visible[Math.max(0, Math.min(plan.visible.length - 1, row + by))];
  if (next === undefined) return;
  focusOn(desk, next);
  if (plan.start[next] !== NO_DAY)
    desk.view.reveal(
      plan.start[next]!,
      Math.min(plan.finish[next]!, plan.start[next]! + Math.floor(desk.view.chartWidth / desk.view.px / 2)),
    );
  light(desk);
}

/** Goes to the row that drives this one, or to the next that this one drives. */
function follow(desk: Desk, back: boolean): boolean {
  const task = desk.focusTask();
  if (task < 0) return true;
  let found = -1;
  const see = (link: number, other: number) => {
    if (found < 0 || desk.plan.links.driving[link]) found = other;
  };
  if (back) desk.plan.links.eachIn(task, see);
  else desk.plan.links.eachOut(task, see);
  if (found >= 0) {
    focusOn(desk, found);
    desk.view.reveal(desk.plan.start[found]!, desk.plan.finish[found]!);
    light(desk);
  }
  return true;
}

function moving(desk: Desk, key: string, now: Extract<Mode, { kind: "move" }>): boolean {
  const { plan, calendar } = desk;
  const change = (by: number, longer: number) => {
    mode.value = { ...now, by: now.by + by, longer: now.longer + longer };
    const next = mode.peek() as typeof now;
    const start = plan.start[now.task]!;
    const finish = plan.finish[now.task]!;
    if (next.longer !== 0) stretch(desk, now.task, "resize", calendar.add(finish, next.longer) - finish);
    else stretch(desk, now.task, "move", calendar.add(start, next.by) - start);
  };
  switch (key) {
    case "ArrowRight":
      change(1, 0);
      return true;
    case "ArrowLeft":
      change(-1, 0);
      return true;
    case "Shift+ArrowRight":
      change(5, 0);
      return true;
    case "Shift+ArrowLeft":
      change(-5, 0);
      return true;
    case "Alt+ArrowUp":
      change(0, 1);
      return true;
    case "Alt+ArrowDown":
      change(0, -1);
      return true;
    case "Escape":
      mode.value = { kind: "rows" };
      desk.gesture.value = null;
      desk.view.request();
      return true;
    case "Enter": {
      mode.value = { kind: "rows" };
      const gesture = desk.gesture.peek();
      if (gesture && gesture.kind !== "link") void commitDates(desk, gesture);
      return true;
    }
    default:
      return true;
  }
}

function linking(desk: Desk, key: string, now: Extract<Mode, { kind: "link" }>): boolean {
  if (key === "ArrowDown") step(desk, 1);
  else if (key === "ArrowUp") step(desk, -1);
  else if (key === "Escape") mode.value = { kind: "rows" };
  else if (key === "Enter") {
    mode.value = { kind: "rows" };
    const to = desk.focusTask();
    if (to >= 0 && to !== now.task) void linkTwo(desk, now.task, to);
  } else return key.length === 1;
  return true;
}
