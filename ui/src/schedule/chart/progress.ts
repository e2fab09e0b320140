// The progress line: from the data date to where each task stands. A peak to the left is behind, to the right ahead.
import { NO_DAY, today } from "../../dates/days";
import type { Desk } from "../desk";
import { DONE, MILESTONE, SUMMARY } from "../plan/flags";
import type { Plan } from "../plan/plan";
import type { Colours } from "./colours";
import type { Pen } from "./pen";

/** The day that the work of a task has reached, or null where it says nothing about the data date. */
export function reached(plan: Plan, task: number, data: number): number | null {
  const flags = plan.flags[task]!;
  if (flags & (SUMMARY | DONE) || plan.start[task] === NO_DAY) return null;
  const percent = plan.percent[task]!;
  if (percent === 0) return plan.start[task]! < data ? plan.start[task]! : null;
  if (flags & MILESTONE) return plan.start[task]!;
  return plan.start[task]! + ((plan.finish[task]! + 1 - plan.start[task]!) * Math.min(100, percent)) / 100;
}

export function paintProgress(ctx: Pen, desk: Desk, colours: Colours): void {
  if (!desk.progressLine.peek()) return;
  const { plan, view } = desk;
  const data = desk.dataDate === NO_DAY ? today() : desk.dataDate;
  const x = view.x(data);
  const last = Math.min(view.lastRow(), plan.visible.length - 1);
  ctx.strokeStyle = colours.bad;
  ctx.lineWidth = 1.5;
  ctx.beginPath();
  ctx.moveTo(x, 0);
  for (let row = view.firstRow(); row <= last; row++) {
    const day = reached(plan, plan.visible[row]!, data);
    const y = view.y(row);
    ctx.lineTo(x, y);
    if (day !== null) ctx.lineTo(view.x(day), y + view.rowHeight / 2);
    ctx.lineTo(x, y + view.rowHeight);
  }
  ctx.lineTo(x, view.height);
  ctx.stroke();
}
