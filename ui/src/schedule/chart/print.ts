// The plan on paper: sheets of landscape A4 that are put beside the page, printed, and taken away again.
import { NO_DAY } from "../../dates/days";
import { arrange as words } from "../../words/arrange";
import { t } from "../../words/words";
import type { Desk } from "../desk";
import { planSentence } from "../sentence";
import { type Colours, readColours } from "./colours";
import { type Sheet, svgOf } from "./picture";
import { AXIS } from "./view";

const CHART = 720;
const TALL = 640;
const EDGE = 90;

/** The sheets of a plan: the whole time on each, as many rows as fit. */
export function sheetsOf(desk: Desk): Sheet[] {
  const { plan, view } = desk;
  const rows = Math.max(1, Math.floor((TALL - AXIS) / view.rowHeight));
  const days = plan.first === NO_DAY ? 30 : Math.max(14, plan.last - plan.first + 1);
  const px = Math.min(40, (CHART - EDGE) / days);
  const origin = (plan.first === NO_DAY ? 0 : plan.first) - 12 / px;
  const sheets: Sheet[] = [];
  for (let first = 0; first < plan.visible.length; first += rows) sheets.push({ firstRow: first, rows: Math.min(rows, plan.visible.length - first), width: CHART, origin, px });
  return sheets;
}

export function printPlan(desk: Desk): void {
  const box = document.createElement("div");
  box.className = "print-sheets";
  const colours = lightColours();
  const sheets = sheetsOf(desk);
  sheets.forEach((sheet, at) => {
    const page = document.createElement("section");
    const head = document.createElement("h1");
    head.textContent = desk.project.peek()?.name ?? "";
    const foot = document.createElement("p");
    foot.textContent = `${planSentence(desk)} · ${t(words.page, { n: at + 1, all: sheets.length })}`;
    const picture = document.createElement("img");
    picture.alt = "";
    picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svgOf(desk, sheet, colours))}`;
    page.append(head, picture, foot);
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
