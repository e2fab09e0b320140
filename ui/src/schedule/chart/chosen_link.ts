// The link that was clicked: it stands out, and its ends can be dragged to other bars.
import type { Desk } from "../desk";
import type { Colours } from "./colours";
import { endsOf, trace } from "./paint_links";

const REACH = 7;
const MOST = 400;
let ruler: CanvasRenderingContext2D | null = null;
const near: number[] = [];

/** The link under a place of the canvas, or −1. */
export function linkAt(desk: Desk, x: number, y: number): number {
  const row = desk.view.rowAt(y);
  desk.plan.linkIndex.find(row, row, near);
  if (near.length > MOST) return -1;
  ruler ??= document.createElement("canvas").getContext("2d")!;
  ruler.lineWidth = REACH;
  return (
    near.find((link) => {
      const path = new Path2D();
      trace(path, desk, link);
      return ruler!.isPointInStroke(path, x, y);
    }) ?? -1
  );
}

/** The column of the chosen link, or −1. */
export function chosenLink(desk: Desk): number {
  return desk.link === null ? -1 : desk.plan.links.ids.indexOf(desk.link);
}

/** Which end of the chosen link is under a place. */
export function endAt(desk: Desk, x: number, y: number): "from" | "to" | null {
  const link = chosenLink(desk);
  const ends = link >= 0 ? endsOf(desk, link) : null;
  if (!ends) return null;
  if (Math.hypot(x - ends.x2, y - ends.y2) <= REACH + 2) return "to";
  return Math.hypot(x - ends.x1, y - ends.y1) <= REACH + 2 ? "from" : null;
}

export function paintChosenLink(ctx: CanvasRenderingContext2D, desk: Desk, colours: Colours): void {
  const link = chosenLink(desk);
  const ends = link >= 0 ? endsOf(desk, link) : null;
  if (!ends) return;
  const path = new Path2D();
  trace(path, desk, link);
  ctx.strokeStyle = colours.accent;
  ctx.lineWidth = 2.5;
  ctx.stroke(path);
  ctx.fillStyle = colours.ground;
  ctx.lineWidth = 2;
  for (const [x, y] of [
    [ends.x1, ends.y1],
    [ends.x2, ends.y2],
  ] as const) {
    ctx.beginPath();
    ctx.arc(x, y, 5, 0, 2 * Math.PI);
    ctx.fill();
    ctx.stroke();
  }
}
