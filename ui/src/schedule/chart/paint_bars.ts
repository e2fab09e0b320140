// Draws the bars of the rows in sight: tasks, phases, milestones, baselines, deadlines and what stands beside them.
import { NO_DAY } from "../../dates/days";
import type { Desk } from "../desk";
import { BROKEN, CRITICAL, DONE, ISSUE, LATE, MILESTONE, NEAR, SUMMARY } from "../plan/flags";
import type { Colours } from "./colours";
import type { Pen } from "./pen";
import { fitText } from "./text";

export const BAR = 16;
const BASE = 4;
/** From how many pixels a day the bars have their names beside them. */
const LABEL_PX = 4;
/** Paper has room for each name once. */
export const PAPER_PX = 2;

const labelPx = (view: { paper: boolean }): number => (view.paper ? PAPER_PX : LABEL_PX);

export interface BarBox {
  left: number;
  right: number;
  top: number;
}

/** Where the bar of a task is on the canvas. */
export function barBox(desk: Desk, task: number, row = desk.plan.rowOf[task]!): BarBox {
  const { plan, view } = desk;
  const top = view.y(row) + (view.rowHeight - BAR) / 2 - (view.rowHeight >= 28 ? 1 : 0);
  const left = view.x(plan.start[task]!);
  return { left, right: Math.max(view.x(plan.finish[task]! + 1), left + 2), top };
}

/** All bars in sight, or only those of some tasks. */
export function paintBars(ctx: Pen, desk: Desk, colours: Colours, only?: ReadonlySet<number>): void {
  const { plan, view } = desk;
  const last = Math.min(view.lastRow(), plan.visible.length - 1);
  for (let row = view.firstRow(); row <= last; row++) {
    const task = plan.visible[row]!;
    if (plan.start[task] === NO_DAY || (only && !only.has(task))) continue;
    const box = barBox(desk, task, row);
    if (view.rowHeight >= 28) baseline(ctx, desk, task, box, colours);
    if (box.right < -200 || box.left > view.chartWidth + 40) {
      offscreen(ctx, desk, box, colours);
      continue;
    }
    const flags = plan.flags[task]!;
    if (flags & MILESTONE) chances(ctx, desk, plan.rows[task]!.id, box.top, colours);
    if (flags & MILESTONE) milestone(ctx, (box.left + box.right) / 2, box.top + BAR / 2, flags, colours);
    else if (flags & SUMMARY) summary(ctx, box, flags, plan.percent[task]!, colours);
    else bar(ctx, box, flags, plan.percent[task]!, colours);
    promises(ctx, desk, task, box, colours);
  }
  if (view.px >= labelPx(view)) labels(ctx, desk, colours, last, only);
}

function bar(ctx: Pen, { left, right, top }: BarBox, flags: number, percent: number, colours: Colours): void {
  const kind = flags & DONE ? "done" : flags & CRITICAL ? "critical" : flags & NEAR ? "near" : "task";
  const width = right - left;
  ctx.fillStyle = colours[`${kind}Soft`];
  ctx.beginPath();
  ctx.roundRect(left, top, width, BAR, Math.min(3, width / 2));
  ctx.fill();
  if (percent > 0) {
    ctx.save();
    ctx.clip();
    ctx.fillStyle = colours[kind];
    ctx.fillRect(left, top, (width * Math.min(100, percent)) / 100, BAR);
    ctx.restore();
  }
  if (kind === "near" && width > 8) hatch(ctx, left, top, width, colours.near);
  if (width > 4) {
    ctx.strokeStyle = colours[kind];
    ctx.lineWidth = kind === "critical" ? 2 : 1;
    const inset = ctx.lineWidth / 2;
    ctx.beginPath();
    ctx.roundRect(left + inset, top + inset, width - 2 * inset, BAR - 2 * inset, 3);
    ctx.stroke();
  }
  if (kind === "done" && width >= 18) tick(ctx, left + width / 2, top + BAR / 2, percent >= 50 ? colours.ground : colours.done);
}

function hatch(ctx: Pen, left: number, top: number, width: number, colour: string): void {
  ctx.save();
  ctx.beginPath();
  ctx.rect(left, top, width, BAR);
  ctx.clip();
  ctx.strokeStyle = colour;
  ctx.lineWidth = 1;
  ctx.globalAlpha = 0.45;
  ctx.beginPath();
  const from = Math.max(left - BAR, -40);
  const to = Math.min(left + width, 6000);
  for (let x = from - (from % 6); x < to; x += 6) {
    ctx.moveTo(x, top + BAR);
    ctx.lineTo(x + BAR, top);
  }
  ctx.stroke();
  ctx.restore();
}

function tick(ctx: Pen, x: number, y: number, colour: string): void {
  ctx.strokeStyle = colour;
  ctx.lineWidth = 1.5;
  ctx.beginPath();
  ctx.moveTo(x - 4, y);
  ctx.lineTo(x - 1, y + 3);
  ctx.lineTo(x + 4, y - 3);
  ctx.stroke();
}

function summary(ctx: Pen, { left, right, top }: BarBox, flags: number, percent: number, colours: Colours): void {
  const y = top + 3;
  const width = right - left;
  ctx.fillStyle = flags & DONE ? colours.done : colours.text2;
  ctx.globalAlpha = 0.42;
  ctx.fillRect(left, y, width, 8);
  ctx.globalAlpha = 1;
  ctx.fillRect(left, y, (width * percent) / 100, 8);
  if (flags & CRITICAL) ctx.fillStyle = colours.critical;
  ctx.beginPath();
  for (const [x, side] of [
    [left, 1],
    [right, -1],
  ] as const) {
    ctx.moveTo(x, y);
    ctx.lineTo(x, y + 13);
    ctx.lineTo(x + side * Math.min(6, width / 2), y + 8);
    ctx.lineTo(x + side * Math.min(6, width / 2), y);
  }
  ctx.fill();
}

function milestone(ctx: Pen, x: number, y: number, flags: number, colours: Colours): void {
  ctx.fillStyle = flags & DONE ? colours.done : flags & CRITICAL ? colours.critical : colours.text;
  ctx.beginPath();
  ctx.moveTo(x, y - 7);
  ctx.lineTo(x + 7, y);
  ctx.lineTo(x, y + 7);
  ctx.lineTo(x - 7, y);
  ctx.fill();
}

function baseline(ctx: Pen, desk: Desk, task: number, box: BarBox, colours: Colours): void {
  const { plan, view } = desk;
  if (plan.baseStart[task] === NO_DAY || plan.flags[task]! & SUMMARY) return;
  const left = view.x(plan.baseStart[task]!);
  const right = Math.max(view.x(plan.baseFinish[task]! + 1), left + 3);
  if (right < 0 || left > view.chartWidth) return;
  ctx.strokeStyle = colours.baseline;
  ctx.lineWidth = 1;
  ctx.strokeRect(Math.round(left) + 0.5, Math.round(box.top + BAR + 1) + 0.5, Math.round(right - left) - 1, BASE - 1);
}

/** From P50 to P80 of a milestone: a line with an upright at each end, the second one longer. */
function chances(ctx: Pen, desk: Desk, id: string, top: number, colours: Colours): void {
  const mark = desk.marks.get(id);
  if (!mark) return;
  const y = Math.round(top + BAR / 2) + 0.5;
  const [half, most] = [Math.round(desk.view.x(mark.p50 + 0.5)) + 0.5, Math.round(desk.view.x(mark.p80 + 0.5)) + 0.5];
  ctx.strokeStyle = colours.accent;
  ctx.lineWidth = 1.5;
  ctx.beginPath();
  ctx.moveTo(half, y);
  ctx.lineTo(most, y);
  ctx.moveTo(half, y - 4);
  ctx.lineTo(half, y + 4);
  ctx.moveTo(most, y - 8);
  ctx.lineTo(most, y + 8);
  ctx.stroke();
}

/** The deadline as an arrow, and a mark on what breaks a promise or cannot be scheduled. */
function promises(ctx: Pen, desk: Desk, task: number, box: BarBox, colours: Colours): void {
  const { plan, view } = desk;
  const flags = plan.flags[task]!;
  if (plan.deadline[task] !== NO_DAY) {
    const x = view.x(plan.deadline[task]! + 1);
    ctx.fillStyle = flags & LATE ? colours.bad : colours.good;
    ctx.beginPath();
    ctx.moveTo(x - 5, box.top);
    ctx.lineTo(x + 5, box.top);
    ctx.lineTo(x, box.top + 9);
    ctx.fill();
    ctx.fillRect(x - 0.5, box.top, 1.5, BAR);
  }
  if (flags & (BROKEN | ISSUE)) {
    ctx.fillStyle = colours.bad;
    ctx.font = `700 13px ${colours.font}`;
    ctx.textBaseline = "middle";
    ctx.textAlign = "right";
    ctx.fillText("!", box.left - 3, box.top + BAR / 2);
    ctx.textAlign = "left";
  }
}

/** A small arrow at the edge for a bar that is outside of the sight. */
function offscreen(ctx: Pen, desk: Desk, box: BarBox, colours: Colours): void {
  const left = box.right < 0;
  const x = left ? 4 : desk.view.chartWidth - 4;
  const y = box.top + BAR / 2;
  const side = left ? 5 : -5;
  ctx.fillStyle = colours.baseline;
  ctx.beginPath();
  ctx.moveTo(x, y);
  ctx.lineTo(x + side, y - 4);
  ctx.lineTo(x + side, y + 4);
  ctx.fill();
}

function labelLeft({ plan, view }: Desk, task: number, box: BarBox): number {
  const milestoneEdge = plan.flags[task]! & MILESTONE ? Math.max(0, 8 - (box.right - box.left) / 2) : 0;
  const late = plan.deadline[task] !== NO_DAY ? Math.max(0, view.x(plan.deadline[task]! + 1) + 6 - box.right) : 0;
  return box.right + 10 + milestoneEdge + Math.min(late, 400);
}

const labelText = (ctx: Pen, desk: Desk, task: number): string => fitText(ctx, desk.plan.rows[task]!.name, 220);

/** Where the label of a bar ends, or where the bar does if the zoom leaves labels out. */
export function labelEnd(ctx: Pen, desk: Desk, task: number, colours: Colours): number {
  const box = barBox(desk, task, 0);
  if (desk.view.px < labelPx(desk.view)) return box.right;
  ctx.font = `12px ${colours.font}`;
  return labelLeft(desk, task, box) + ctx.measureText(labelText(ctx, desk, task)).width;
}

function labels(ctx: Pen, desk: Desk, colours: Colours, last: number, only?: ReadonlySet<number>): void {
  const { plan, view } = desk;
  ctx.font = `12px ${colours.font}`;
  ctx.textBaseline = "middle";
  ctx.fillStyle = colours.text2;
  for (let row = view.firstRow(); row <= last; row++) {
    const task = plan.visible[row]!;
    if (plan.start[task] === NO_DAY || (only && !only.has(task))) continue;
    const box = barBox(desk, task, row);
    if (box.right < 0 || box.right > view.chartWidth) continue;
    const left = labelLeft(desk, task, box);
    const text = labelText(ctx, desk, task);
    // On paper a name that does not fit is left out: it stands at the left too.
    if (view.paper && left + ctx.measureText(text).width > view.chartWidth) continue;
    ctx.fillText(text, left, box.top + BAR / 2 + 0.5);
  }
}
