// The axis: two lines of periods that fit the zoom, from hours of a day to decades.
import { dayFrom, isoWeek, partsOf, weekday } from "../../dates/days";
import { dayAndMonth, monthAndYear, monthLetter, monthName, weekdayLetter } from "../../dates/format";
import type { Colours } from "./colours";
import type { Pen } from "./pen";
import type { View } from "./view";

type Unit = "hour" | "day" | "week" | "month" | "quarter" | "year" | "decade";

/** The upper and the lower line for a zoom. */
export function tiers(px: number): [Unit, Unit] {
  if (px >= 190) return ["day", "hour"];
  if (px >= 22) return ["week", "day"];
  if (px >= 5) return ["month", "week"];
  if (px >= 1.1) return ["year", "month"];
  if (px >= 0.4) return ["year", "quarter"];
  return ["decade", "year"];
}

/** The first day of the period that contains the day. */
function floor(unit: Unit, day: number): number {
  if (unit === "hour" || unit === "day") return Math.floor(day);
  if (unit === "week") return Math.floor(day) - weekday(Math.floor(day));
  const { year, month } = partsOf(Math.floor(day));
  if (unit === "month") return dayFrom(year, month, 1);
  if (unit === "quarter") return dayFrom(year, month - (month % 3), 1);
  return dayFrom(unit === "year" ? year : year - (year % 10), 0, 1);
}

function next(unit: Unit, day: number): number {
  if (unit === "hour") return day + 1;
  if (unit === "day") return day + 1;
  if (unit === "week") return day + 7;
  const { year, month } = partsOf(day);
  if (unit === "month") return dayFrom(year, month + 1, 1);
  if (unit === "quarter") return dayFrom(year, month + 3, 1);
  return dayFrom(unit === "year" ? year + 1 : year + 10, 0, 1);
}

function label(unit: Unit, day: number, width: number): string {
  const { year, month, date } = partsOf(day);
  switch (unit) {
    case "day":
      return width >= 90 ? `${weekdayLetter(day)} ${dayAndMonth(day)}` : width >= 30 ? `${weekdayLetter(day)} ${date}` : String(date);
    case "week":
      return width >= 120 ? `${dayAndMonth(day)} ${year} · ${isoWeek(day).week}` : width >= 56 ? dayAndMonth(day) : String(date);
    case "month":
      return width >= 110 ? monthAndYear(day) : width >= 34 ? monthName(day) : width >= 12 ? monthLetter(day) : "";
    case "quarter":
      return width >= 24 ? `Q${Math.floor(month / 3) + 1}` : "";
    case "year":
      return width >= 30 ? String(year) : width >= 18 ? `’${String(year).slice(2)}` : "";
    default:
      return `${year}–${year + 9}`;
  }
}

/** Calls with each period in sight: its first day and the day after its last. */
export function eachPeriod(unit: Unit, view: View, see: (from: number, to: number) => void): void {
  const end = view.dayAt(view.chartWidth);
  for (let day = floor(unit, view.origin); day <= end; ) {
    const after = next(unit, day);
    see(day, after);
    day = after;
  }
}

export function paintAxis(ctx: Pen, view: View, colours: Colours, marks: { today: number; data: number }): void {
  const [upper, lower] = tiers(view.px);
  ctx.fillStyle = colours.ground;
  ctx.fillRect(0, 0, view.chartWidth, 48);
  ctx.textBaseline = "middle";
  ctx.strokeStyle = colours.line;
  ctx.lineWidth = 1;
  ctx.beginPath();
  ctx.moveTo(0, 23.5);
  ctx.lineTo(view.chartWidth, 23.5);
  ctx.moveTo(0, 47.5);
  ctx.lineTo(view.chartWidth, 47.5);
  ctx.font = `600 12px ${colours.font}`;
  ctx.fillStyle = colours.text;
  eachPeriod(upper, view, (from, to) => line(ctx, view, from, to, 12, 0, (width) => label(upper, from, width)));
  ctx.font = `12px ${colours.font}`;
  ctx.fillStyle = colours.text2;
  if (lower === "hour") eachPeriod("day", view, (from) => hours(ctx, view, from));
  else eachPeriod(lower, view, (from, to) => line(ctx, view, from, to, 36, 24, (width) => label(lower, from, width)));
  ctx.stroke();
  flag(ctx, view, marks.today, colours.accent);
  if (marks.data !== marks.today) flag(ctx, view, marks.data, colours.warn);
}

function line(ctx: Pen, view: View, from: number, to: number, y: number, top: number, text: (width: number) => string): void {
  const x = Math.round(view.x(from)) + 0.5;
  const right = view.x(to);
  ctx.moveTo(x, top);
  ctx.lineTo(x, top + 24);
  const words = text(right - x);
  if (!words) return;
  const width = ctx.measureText(words).width;
  const narrow = right - x < 34;
  const at = narrow ? x + (right - x - width) / 2 : Math.max(x + 5, 5);
  if (narrow ? width <= right - x : right - at > width + 2) ctx.fillText(words, at, y);
}

function hours(ctx: Pen, view: View, day: number): void {
  const step = view.px >= 420 ? 2 : view.px >= 280 ? 3 : 6;
  for (let hour = 0; hour < 24; hour += step) {
    const x = Math.round(view.x(day + hour / 24)) + 0.5;
    ctx.moveTo(x, 24);
    ctx.lineTo(x, 48);
    ctx.fillText(String(hour), x + 4, 36);
  }
}

function flag(ctx: Pen, view: View, day: number, colour: string): void {
  const x = view.x(day);
  if (x < -6 || x > view.chartWidth + 6) return;
  ctx.fillStyle = colour;
  ctx.beginPath();
  ctx.moveTo(x - 4, 42);
  ctx.lineTo(x + 4, 42);
  ctx.lineTo(x, 48);
  ctx.fill();
}
