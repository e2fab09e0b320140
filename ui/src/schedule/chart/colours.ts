// The colours of the canvas, read from the styles once after each change of theme; system colours where they are forced.

const NAMES = {
  ground: "--ground",
  text: "--text",
  text2: "--text-2",
  line: "--line",
  grid: "--gridline",
  nonwork: "--nonwork",
  select: "--select",
  task: "--task",
  taskSoft: "--task-soft",
  critical: "--critical",
  criticalSoft: "--critical-soft",
  near: "--near",
  nearSoft: "--near-soft",
  done: "--done",
  doneSoft: "--done-soft",
  baseline: "--baseline",
  accent: "--accent",
  link: "--line-2",
  bad: "--bad",
  good: "--good",
  warn: "--warn",
} as const;

export type Colours = Record<keyof typeof NAMES, string> & { font: string; forced: boolean };

const FORCED: Partial<Record<keyof typeof NAMES, string>> = {
  ground: "Canvas",
  text: "CanvasText",
  text2: "CanvasText",
  line: "GrayText",
  grid: "Canvas",
  nonwork: "Canvas",
  select: "Canvas",
  task: "CanvasText",
  taskSoft: "GrayText",
  critical: "Highlight",
  criticalSoft: "Highlight",
  near: "CanvasText",
  nearSoft: "GrayText",
  done: "GrayText",
  doneSoft: "GrayText",
  baseline: "GrayText",
  accent: "Highlight",
  link: "GrayText",
  bad: "Highlight",
  good: "CanvasText",
  warn: "CanvasText",
};

export function readColours(): Colours {
  const styles = getComputedStyle(document.documentElement);
  const forced = matchMedia("(forced-colors: active)").matches;
  const found = {} as Colours;
  for (const name of Object.keys(NAMES) as (keyof typeof NAMES)[]) {
    found[name] = (forced && FORCED[name]) || styles.getPropertyValue(NAMES[name]).trim();
  }
  found.font = styles.getPropertyValue("--font").trim();
  found.forced = forced;
  return found;
}
