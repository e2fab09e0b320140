// Draws the links in sight: right angles on half pixels, one path for each style.
import type { Desk } from "../desk";
import { CRITICAL } from "../plan/flags";
import type { Colours } from "./colours";
import { type Pen, pathOf } from "./pen";

/** Above this number only driving and critical links are drawn. */
export const MANY = 1500;

const found: number[] = [];

/** Returns how many links were left out because there are too many. */
export function paintLinks(ctx: Pen, desk: Desk, colours: Colours): number {
  const { plan, view } = desk;
  plan.linkIndex.find(view.firstRow(), view.lastRow(), found);
  if (view.px < 0.6 && found.length > MANY) return found.length;
  const few = found.length > MANY;
  const plain = pathOf(ctx);
  const driving = pathOf(ctx);
  const critical = pathOf(ctx);
  let left = 0;
  for (const link of found) {
    const from = plan.links.from[link]!;
    const to = plan.links.to[link]!;
    const drives = plan.links.driving[link] === 1;
    const hot = drives && plan.flags[from]! & CRITICAL && plan.flags[to]! & CRITICAL;
    if (few && !drives && !hot) {
      left++;
      continue;
    }
    trace(hot ? critical : drives ? driving : plain, desk, link);
  }
  ctx.lineWidth = 1;
  ctx.strokeStyle = colours.link;
  ctx.stroke(plain);
  ctx.strokeStyle = colours.done;
  ctx.stroke(driving);
  ctx.lineWidth = 1.5;
  ctx.strokeStyle = colours.critical;
  ctx.stroke(critical);
  return left;
}

export interface Ends {
  x1: number;
  y1: number;
  x2: number;
  y2: number;
  leavesEnd: boolean;
  entersEnd: boolean;
  /** Whether the successor stands below. */
  down: boolean;
}

/** Where a link begins and ends on the canvas, or null if one of its rows is not shown. */
export function endsOf(desk: Desk, link: number): Ends | null {
  const { plan, view } = desk;
  const from = plan.links.from[link]!;
  const to = plan.links.to[link]!;
  const [a, b] = [plan.rowOf[from]!, plan.rowOf[to]!];
  if (a < 0 || b < 0 || a === b) return null;
  const type = plan.links.type[link]!;
  const leavesEnd = type === 0 || type === 2;
  const entersEnd = type === 2 || type === 3;
  const point = plan.start[from] === plan.finish[from] && plan.rows[from]!.is_milestone;
  const mid = view.rowHeight / 2;
  return {
    x1: half(leavesEnd ? view.x(plan.finish[from]! + (point ? 0.5 : 1)) : view.x(plan.start[from]!)),
    y1: half(view.y(a) + mid),
    x2: half(entersEnd ? view.x(plan.finish[to]! + 1) : view.x(plan.start[to]!)),
    y2: half(view.y(b) + mid),
    leavesEnd,
    entersEnd,
    down: b > a,
  };
}

/** Adds the line of one link, with its arrow, to a path. */
export function trace(path: Path2D, desk: Desk, link: number): void {
  const ends = endsOf(desk, link);
  if (!ends) return;
  const { x1, y1, x2, y2, leavesEnd, entersEnd, down } = ends;
  const right = desk.view.chartWidth;
  if ((x1 < -20 && x2 < -20) || (x1 > right + 20 && x2 > right + 20)) return;
  const mid = desk.view.rowHeight / 2;
  route(path, x1, y1, x2, y2, leavesEnd, entersEnd, down ? mid : -mid);
}

function route(path: Path2D, x1: number, y1: number, x2: number, y2: number, leavesEnd: boolean, entersEnd: boolean, lane: number): void {
  const out = leavesEnd ? 6 : -6;
  const into = entersEnd ? 7 : -7;
  path.moveTo(x1, y1);
  const straight = leavesEnd !== entersEnd && (leavesEnd ? x2 - x1 >= 12 : x1 - x2 >= 12);
  const sameSide = leavesEnd === entersEnd;
  if (straight) {
    path.lineTo(x1 + out, y1);
    path.lineTo(x1 + out, y2);
  } else if (sameSide) {
    const x = leavesEnd ? Math.max(x1, x2) + 8 : Math.min(x1, x2) - 8;
    path.lineTo(x, y1);
    path.lineTo(x, y2);
  } else {
    const y = y1 + lane;
    path.lineTo(x1 + out, y1);
    path.lineTo(x1 + out, y);
    path.lineTo(x2 + into, y);
    path.lineTo(x2 + into, y2);
  }
  path.lineTo(x2, y2);
  const tip = entersEnd ? 4 : -4;
  path.moveTo(x2 + tip, y2 - 3);
  path.lineTo(x2, y2);
  path.lineTo(x2 + tip, y2 + 3);
}

const half = (value: number): number => Math.round(value) + 0.5;
