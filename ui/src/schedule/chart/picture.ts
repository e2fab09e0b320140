// The plan as a picture: visible rows with their names, painted by the same code as the screen, as PNG or SVG.
import { NO_DAY, today } from "../../dates/days";
import type { Desk } from "../desk";
import { paintAxis } from "./axis";
import { type Colours, readColours } from "./colours";
import { paintMain } from "./paint";
import { type Pen, svgPen } from "./pen";
import { AXIS } from "./view";

const NAMES = 320;
const MOST_ROWS = 1000;

export interface Sheet {
  firstRow: number;
  rows: number;
  width: number;
  /** The day at the left edge, and the pixels of a day. */
  origin: number;
  px: number;
}

export const sizeOf = (desk: Desk, sheet: Sheet): [width: number, height: number] => [NAMES + sheet.width, AXIS + sheet.rows * desk.view.rowHeight];

/** All visible rows with the zoom of the screen; a plan with very many rows is cut after a thousand. */
function screenSheet({ view, plan }: Desk): Sheet {
  return { firstRow: 0, rows: Math.min(MOST_ROWS, plan.visible.length), width: view.chartWidth, origin: view.origin, px: view.px };
}

/** Paints a sheet. The view is moved for that and put back before the next frame. */
export function paintSheet(pen: Pen, desk: Desk, sheet: Sheet, colours: Colours): void {
  const { view, plan } = desk;
  const { scrollTop, height, chartWidth, origin, px } = view;
  const [width, tall] = sizeOf(desk, sheet);
  try {
    Object.assign(view, { scrollTop: sheet.firstRow * view.rowHeight, height: sheet.rows * view.rowHeight - 1, chartWidth: sheet.width, origin: sheet.origin, px: sheet.px, paper: true });
    pen.fillStyle = colours.ground;
    pen.fillRect(0, 0, width, tall);
    pen.translate(NAMES, 0);
    paintAxis(pen, view, colours, { today: today(), data: desk.dataDate === NO_DAY ? today() : desk.dataDate });
    pen.translate(0, AXIS);
    paintMain(pen, desk, colours);
    pen.translate(-NAMES, -AXIS);
    pen.fillStyle = colours.ground;
    pen.fillRect(0, 0, NAMES, tall);
    pen.textBaseline = "middle";
    pen.fillStyle = colours.text;
    for (let at = 0; at < sheet.rows; at++) {
      const task = plan.visible[sheet.firstRow + at]!;
      pen.font = `${plan.rows[task]!.is_summary ? "600 " : ""}13px ${colours.font}`;
      const left = 8 + plan.level[task]! * 12;
      pen.fillText(plan.rows[task]!.name, left, AXIS + (at + 0.5) * view.rowHeight, NAMES - 8 - left);
    }
  } finally {
    Object.assign(view, { scrollTop, height, chartWidth, origin, px, paper: false });
    view.request();
  }
}

export function savePicture(desk: Desk): void {
  const sheet = screenSheet(desk);
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = sizeOf(desk, sheet);
  paintSheet(canvas.getContext("2d", { alpha: false })!, desk, sheet, readColours());
  canvas.toBlob((blob) => blob && save(blob, desk, "png"));
}

export function saveSvg(desk: Desk): void {
  save(new Blob([svgOf(desk, screenSheet(desk), readColours())], { type: "image/svg+xml" }), desk, "svg");
}

export function svgOf(desk: Desk, sheet: Sheet, colours: Colours): string {
  const pen = svgPen();
  paintSheet(pen, desk, sheet, colours);
  return pen.svg(...sizeOf(desk, sheet), colours.font);
}

function save(blob: Blob, desk: Desk, ending: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = `${desk.project.peek()?.name ?? "plan"}.${ending}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
