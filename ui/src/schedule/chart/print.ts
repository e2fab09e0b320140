// The plan on paper: sheets of landscape A4 that are put beside the page, printed, and taken away again.
import { NO_DAY, today } from "../../dates/days";
import { longDay } from "../../dates/format";
import { arrange as words } from "../../words/arrange";
import { schedule } from "../../words/schedule";
import { t } from "../../words/words";
import type { Desk } from "../desk";
import { planSentence } from "../sentence";
import { type Colours, readColours } from "./colours";
import { fittingPx } from "./edge";
import { labelEnd, PAPER_PX } from "./paint_bars";
import { svgPen } from "./pen";
import { type Sheet, svgOf } from "./picture";
import { AXIS } from "./view";

const CHART = 610;
const TALL = 610;
const EDGE = 24;
const LEFT = 12;

/** The sheets of a plan: the whole time on each, as many rows as fit. */
export function sheetsOf(desk: Desk, colours: Colours): Sheet[] {
  const { plan, view } = desk;
  const rows = Math.max(1, Math.floor((TALL - AXIS) / view.rowHeight));
  const days = plan.first === NO_DAY ? 30 : Math.max(14, plan.last - plan.first + 1);
  const whole = Math.min(40, (CHART - EDGE) / days);
  const px = whole < PAPER_PX ? whole : fittingPx(reaches(desk, colours), CHART - EDGE, PAPER_PX, whole);
  const origin = (plan.first === NO_DAY ? 0 : plan.first) - LEFT / px;
  const sheets: Sheet[] = [];
  for (let first = 0; first < plan.visible.length; first += rows)
    sheets.push({ firstRow: first, rows: Math.min(rows, plan.visible.length - first), width: CHART, origin, px, dates: true });
  return sheets;
}

/** What stands behind each bar, in pixels. */
function reaches(desk: Desk, colours: Colours): { days: number; label: number }[] {
  const { plan, view } = desk;
  const pen = svgPen();
  const { px, paper } = view;
  Object.assign(view, { px: Math.max(px, PAPER_PX), paper: true });
  try {
    return [...plan.visible]
      .filter((task) => plan.start[task] !== NO_DAY)
      .map((task) => {
        const end = Math.max(plan.finish[task]!, plan.deadline[task]!) + 1;
        return { days: end - plan.first, label: Math.max(0, labelEnd(pen, desk, task, colours) - view.x(end)) };
      });
  } finally {
    Object.assign(view, { px, paper });
  }
}

export function printPlan(desk: Desk): void {
  const box = document.createElement("div");
  box.className = "print-sheets";
  const colours = lightColours();
  const sheets = sheetsOf(desk, colours);
  const data = desk.dataDate === NO_DAY ? today() : desk.dataDate;
  const days = `${t(schedule.dataDate)}: ${longDay(data)} · ${t(words.printed, { day: longDay(today()) })}`;
  sheets.forEach((sheet, at) => {
    const page = document.createElement("section");
    const head = document.createElement("h1");
    head.textContent = desk.project.peek()?.name ?? "";
    const when = document.createElement("p");
    when.textContent = days;
    const foot = document.createElement("p");
    foot.textContent = `${planSentence(desk)} · ${t(words.page, { n: at + 1, all: sheets.length })}`;
    const picture = document.createElement("img");
    picture.alt = "";
    picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svgOf(desk, sheet, colours))}`;
    page.append(head, when, picture, foot);
    box.append(page);
  });
  document.body.append(box);
  addEventListener("afterprint", () => box.remove(), { once: true });
  const pictures = [...box.querySelectorAll("img")].map((one) => one.decode().catch(() => undefined));
  void Promise.all(pictures).then(() => print());
}

/** Paper is white: the light colours, whatever the screen shows. */
function lightColours(): Colours {
  const root = document.documentElement;
  const before = root.dataset.theme;
  root.dataset.theme = "light";
  try {
    return readColours();
  } finally {
    if (before === undefined) delete root.dataset.theme;
    else root.dataset.theme = before;
  }
}
