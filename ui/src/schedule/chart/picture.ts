// The plan as a picture: visible rows with their names, painted by the same code as the screen, as PNG or SVG.
import { NO_DAY, today } from "../../dates/days";
import { shortDay } from "../../dates/format";
import { schedule } from "../../words/schedule";
import { t } from "../../words/words";
import type { Desk } from "../desk";
import { paintAxis } from "./axis";
import { type Colours, readColours } from "./colours";
import { fittingWidth } from "./edge";
import { paintMain } from "./paint";
import { barBox, labelEnd } from "./paint_bars";
import { type Pen, svgPen } from "./pen";
import { AXIS } from "./view";

const NAMES = 320;
/** The width of each of the two columns of dates. */
const DATE = 84;
/** The names make room for them. */
const SHORT_NAMES = 260;
/** Between a label and the edge. */
const AIR = 8;
const MOST_ROWS = 1000;

export interface Sheet {
  firstRow: number;
  rows: number;
  width: number;
  /** The day at the left edge, and the pixels of a day. */
  origin: number;
  px: number;
  /** Whether start and finish stand beside the names. */
  dates?: boolean;
}

const namesOf = (sheet: Sheet): number => (sheet.dates ? SHORT_NAMES : NAMES);
const leftOf = (sheet: Sheet): number => namesOf(sheet) + (sheet.dates ? 2 * DATE : 0);

export const sizeOf = (desk: Desk, sheet: Sheet): [width: number, height: number] => [
  leftOf(sheet) + sheet.width,
  AXIS + sheet.rows * desk.view.rowHeight,
];

/** All visible rows with the zoom of the screen; a plan with very many rows is cut after a thousand. */
function screenSheet(desk: Desk, colours: Colours): Sheet {
  const { view, plan } = desk;
  const rows = Math.min(MOST_ROWS, plan.visible.length);
  const pen = svgPen();
  const ends = [...plan.visible.slice(0, rows)]
    .filter((task) => plan.start[task] !== NO_DAY)
    .map((task) => ({ bar: barBox(desk, task, 0).right, label: Math.ceil(labelEnd(pen, desk, task, colours)) + AIR }));
  return { firstRow: 0, rows, width: fittingWidth(ends, view.chartWidth), origin: view.origin, px: view.px };
}

/** Paints a sheet. The view is moved for that and put back before the next frame. */
export function paintSheet(pen: Pen, desk: Desk, sheet: Sheet, colours: Colours): void {
  const { view, plan } = desk;
  const { scrollTop, height, chartWidth, origin, px } = view;
  const [width, tall] = sizeOf(desk, sheet);
  const names = leftOf(sheet);
  try {
    Object.assign(view, {
      scrollTop: sheet.firstRow * view.rowHeight,
      height: sheet.rows * view.rowHeight - 1,
      chartWidth: sheet.width,
      origin: sheet.origin,
      px: sheet.px,
      paper: true,
    });
    pen.fillStyle = colours.ground;
    pen.fillRect(0, 0, width, tall);
    pen.translate(names, AXIS);
    paintMain(pen, desk, colours);
    pen.translate(0, -AXIS);
    // Links from rows of the sheet before end at the axis.
    pen.fillStyle = colours.ground;
    pen.fillRect(0, 0, sheet.width, AXIS);
    paintAxis(pen, view, colours, { today: today(), data: desk.dataDate === NO_DAY ? today() : desk.dataDate });
    pen.translate(-names, 0);
    pen.fillStyle = colours.ground;
    pen.fillRect(0, 0, names, tall);
    pen.textBaseline = "middle";
    pen.fillStyle = colours.text;
    if (sheet.dates) heads(pen, colours);
    for (let at = 0; at < sheet.rows; at++) {
      const task = plan.visible[sheet.firstRow + at]!;
      pen.font = `${plan.rows[task]!.is_summary ? "600 " : ""}13px ${colours.font}`;
      const left = 8 + plan.level[task]! * 12;
      pen.fillText(plan.rows[task]!.name, left, AXIS + (at + 0.5) * view.rowHeight, namesOf(sheet) - 8 - left);
      if (!sheet.dates || plan.start[task] === NO_DAY) continue;
      const middle = AXIS + (at + 0.5) * view.rowHeight;
      pen.fillText(shortDay(plan.start[task]!), SHORT_NAMES, middle, DATE - 6);
      pen.fillText(shortDay(plan.finish[task]!), SHORT_NAMES + DATE, middle, DATE - 6);
    }
  } finally {
    Object.assign(view, { scrollTop, height, chartWidth, origin, px, paper: false });
    view.request();
  }
}

function heads(pen: Pen, colours: Colours): void {
  pen.font = `600 12px ${colours.font}`;
  [
    [t(schedule.name), 8],
    [t(schedule.start), SHORT_NAMES],
    [t(schedule.finish), SHORT_NAMES + DATE],
  ].forEach(([text, left]) => pen.fillText(String(text), Number(left), AXIS - 12, DATE - 6));
}

export function savePicture(desk: Desk): void {
  const colours = readColours();
  const sheet = screenSheet(desk, colours);
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = sizeOf(desk, sheet);
  paintSheet(canvas.getContext("2d", { alpha: false })!, desk, sheet, colours);
  canvas.toBlob((blob) => blob && save(blob, desk, "png"));
}

export function saveSvg(desk: Desk): void {
  const colours = readColours();
  save(new Blob([svgOf(desk, screenSheet(desk, colours), colours)], { type: "image/svg+xml" }), desk, "svg");
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
