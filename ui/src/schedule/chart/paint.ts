// The main layer of the chart, painted whole: background, non-working days, links, bars, today and the data date.
import { NO_DAY, today } from "../../dates/days";
import type { Desk } from "../desk";
import { eachPeriod, tiers } from "./axis";
import type { Colours } from "./colours";
import type { Pen } from "./pen";
import { paintBars } from "./paint_bars";
import { paintLinks } from "./paint_links";
import { paintProgress } from "./progress";

/** Returns how many links are not drawn because there are too many in sight. */
export function paintMain(ctx: Pen, desk: Desk, colours: Colours): number {
  const { view } = desk;
  ctx.fillStyle = colours.ground;
  ctx.fillRect(0, 0, view.chartWidth, view.height);
  freeDays(ctx, desk, colours);
  rows(ctx, desk, colours);
  upright(ctx, desk, today(), colours.accent, 0);
  if (desk.dataDate !== NO_DAY) upright(ctx, desk, desk.dataDate, colours.warn, 4);
  const left = paintLinks(ctx, desk, colours);
  paintBars(ctx, desk, colours);
  paintProgress(ctx, desk, colours);
  return left;
}

function freeDays(ctx: Pen, desk: Desk, colours: Colours): void {
  const { view } = desk;
  const [upper, lower] = tiers(view.px);
  const from = Math.floor(view.origin);
  const to = Math.ceil(view.dayAt(view.chartWidth));
  if (view.px >= 3) {
    ctx.fillStyle = colours.nonwork;
    for (let day = from; day <= to; day++) {
      if (desk.calendar.isWorking(day)) continue;
      let end = day + 1;
      while (end <= to && !desk.calendar.isWorking(end)) end++;
      ctx.fillRect(Math.round(view.x(day)), 0, Math.round((end - day) * view.px), view.height);
      day = end;
    }
  }
  ctx.strokeStyle = colours.grid;
  ctx.lineWidth = 1;
  ctx.beginPath();
  eachPeriod(view.px >= 22 ? upper : lower === "hour" ? "day" : upper, view, (start) => {
    const x = Math.round(view.x(start)) + 0.5;
    ctx.moveTo(x, 0);
    ctx.lineTo(x, view.height);
  });
  ctx.stroke();
}

function rows(ctx: Pen, desk: Desk, colours: Colours): void {
  const { view, plan } = desk;
  const chosen = desk.selected.peek();
  const focus = desk.focus.peek().id;
  const last = Math.min(view.lastRow(), plan.visible.length - 1);
  ctx.fillStyle = colours.select;
  for (let row = view.firstRow(); row <= last && !view.paper; row++) {
    const { id } = plan.rows[plan.visible[row]!]!;
    const picked = chosen.has(id);
    if (!picked && id !== focus) continue;
    ctx.globalAlpha = picked ? 0.8 : 0.45;
    ctx.fillRect(0, Math.round(view.y(row)), view.chartWidth, view.rowHeight);
  }
  ctx.globalAlpha = 1;
  ctx.strokeStyle = colours.grid;
  ctx.lineWidth = 1;
  ctx.beginPath();
  for (let row = view.firstRow(); row <= last; row++) {
    const y = Math.round(view.y(row + 1)) - 0.5;
    ctx.moveTo(0, y);
    ctx.lineTo(view.chartWidth, y);
  }
  ctx.stroke();
}

function upright(ctx: Pen, desk: Desk, day: number, colour: string, dash: number): void {
  const x = Math.round(desk.view.x(day)) + 0.5;
  if (x < 0 || x > desk.view.chartWidth) return;
  ctx.strokeStyle = colour;
  ctx.lineWidth = 1;
  if (dash) ctx.setLineDash([dash, 3]);
  ctx.beginPath();
  ctx.moveTo(x, 0);
  ctx.lineTo(x, desk.view.height);
  ctx.stroke();
  ctx.setLineDash([]);
}
