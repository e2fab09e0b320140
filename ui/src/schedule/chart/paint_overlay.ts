// The layer above the bars: the chain that drives, ghosts of a drag, a link that is being drawn, marks of other people.
import { NO_DAY } from "../../dates/days";
import type { Desk } from "../desk";
import { MILESTONE } from "../plan/flags";
import { paintChosenLink } from "./chosen_link";
import type { Colours } from "./colours";
import { BAR, barBox, paintBars } from "./paint_bars";
import { trace } from "./paint_links";

export function paintOverlay(ctx: CanvasRenderingContext2D, desk: Desk, colours: Colours): void {
  const { view } = desk;
  ctx.clearRect(0, 0, view.chartWidth, view.height);
  const gesture = desk.gesture.peek();
  if (desk.chain && desk.chain.tasks.size > 1 && !gesture) lightChain(ctx, desk, colours);
  touched(ctx, desk, colours);
  if (!gesture) paintChosenLink(ctx, desk, colours);
  if (gesture?.kind === "link") drawLink(ctx, desk, gesture, colours);
  else if (gesture) ghosts(ctx, desk, gesture, colours);
  else if (desk.hover >= 0) handles(ctx, desk, desk.hover, colours);
}

/** Dims everything and paints the bars and links of the chain again. */
function lightChain(ctx: CanvasRenderingContext2D, desk: Desk, colours: Colours): void {
  const { view } = desk;
  ctx.globalAlpha = 0.66;
  ctx.fillStyle = colours.ground;
  ctx.fillRect(0, 0, view.chartWidth, view.height);
  ctx.globalAlpha = 1;
  const path = new Path2D();
  for (const link of desk.chain!.links) trace(path, desk, link);
  ctx.strokeStyle = colours.accent;
  ctx.lineWidth = 2;
  ctx.stroke(path);
  paintBars(ctx, desk, colours, desk.chain!.tasks);
}

function ghosts(
  ctx: CanvasRenderingContext2D,
  desk: Desk,
  gesture: Extract<NonNullable<Desk["gesture"]["value"]>, { kind: "move" | "resize" | "start" }>,
  colours: Colours,
): void {
  const { view, plan } = desk;
  const all = gesture.cascade?.moved ?? new Map([[gesture.task, { start: gesture.start, finish: gesture.finish }]]);
  for (const [task, span] of all) {
    const row = plan.rowOf[task]!;
    if (row < view.firstRow() - 1 || row > view.lastRow() + 1) continue;
    const box = barBox(desk, task, row);
    const left = view.x(span.start);
    const right = view.x(span.finish + 1);
    const own = task === gesture.task;
    ctx.fillStyle = own ? colours.accent : colours.taskSoft;
    ctx.globalAlpha = own ? 0.85 : 0.6;
    ctx.beginPath();
    if (plan.flags[task]! & MILESTONE) diamond(ctx, (left + right) / 2, box.top + BAR / 2);
    else ctx.roundRect(left, box.top, Math.max(2, right - left), BAR, 3);
    ctx.fill();
    ctx.globalAlpha = 1;
    ctx.strokeStyle = colours.accent;
    ctx.lineWidth = own ? 2 : 1;
    ctx.stroke();
  }
}

function diamond(ctx: CanvasRenderingContext2D, x: number, y: number): void {
  ctx.moveTo(x, y - 7);
  ctx.lineTo(x + 7, y);
  ctx.lineTo(x, y + 7);
  ctx.lineTo(x - 7, y);
  ctx.closePath();
}

function drawLink(
  ctx: CanvasRenderingContext2D,
  desk: Desk,
  gesture: Extract<NonNullable<Desk["gesture"]["value"]>, { kind: "link" }>,
  colours: Colours,
): void {
  const box = barBox(desk, gesture.task);
  const bad = gesture.refused.length > 0;
  ctx.strokeStyle = bad ? colours.bad : colours.accent;
  ctx.lineWidth = 2;
  ctx.beginPath();
  ctx.moveTo(gesture.moved?.end === "from" ? box.left : box.right, box.top + BAR / 2);
  ctx.lineTo(gesture.x, gesture.y);
  ctx.stroke();
  if (gesture.over < 0) return;
  const over = barBox(desk, gesture.over);
  ctx.strokeRect(over.left - 3, over.top - 3, over.right - over.left + 6, BAR + 6);
}

/** What can be taken hold of: both edges, and a dot for a link. */
function handles(ctx: CanvasRenderingContext2D, desk: Desk, task: number, colours: Colours): void {
  const { plan } = desk;
  if (plan.start[task] === NO_DAY || plan.rowOf[task]! < 0 || desk.plan.visible[plan.rowOf[task]!] !== task) return;
  const box = barBox(desk, task);
  ctx.strokeStyle = colours.accent;
  ctx.lineWidth = 2;
  const point = plan.flags[task]! & MILESTONE;
  if (!point) {
    ctx.beginPath();
    ctx.roundRect(box.left - 1, box.top - 1, box.right - box.left + 2, BAR + 2, 4);
    ctx.stroke();
  }
  ctx.fillStyle = colours.ground;
  ctx.beginPath();
  const x = point ? (box.left + box.right) / 2 + 14 : box.right + 8;
  ctx.arc(x, box.top + BAR / 2, 4, 0, 2 * Math.PI);
  ctx.fill();
  ctx.stroke();
}

/** A mark at the row that somebody else changed a moment ago, with the name. */
function touched(ctx: CanvasRenderingContext2D, desk: Desk, colours: Colours): void {
  const now = performance.now();
  for (const [id, { until, who }] of desk.touched) {
    if (until < now) {
      desk.touched.delete(id);
      continue;
    }
    const row = desk.plan.rowOf[desk.plan.task(id)] ?? -1;
    if (row < 0) continue;
    ctx.fillStyle = colours.accent;
    ctx.fillRect(0, desk.view.y(row), 2, desk.view.rowHeight);
    ctx.font = `11px ${colours.font}`;
    ctx.textBaseline = "middle";
    ctx.fillText(who, 6, desk.view.y(row) + desk.view.rowHeight / 2);
  }
}
