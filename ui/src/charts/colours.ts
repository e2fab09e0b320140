// The colours of the page for canvases, read again when light turns to dark.
import { useEffect, useState } from "preact/hooks";
import { paint } from "../app/theme";

export interface Colours {
  text: string;
  text2: string;
  line: string;
  ground: string;
  accent: string;
  task: string;
  taskSoft: string;
  good: string;
  warn: string;
  critical: string;
  baseline: string;
}

const NAMES: [keyof Colours, string][] = [
  ["text", "--text"],
  ["text2", "--text-2"],
  ["line", "--gridline"],
  ["ground", "--raised"],
  ["accent", "--accent"],
  ["task", "--task"],
  ["taskSoft", "--task-soft"],
  ["good", "--good"],
  ["warn", "--near"],
  ["critical", "--critical"],
  ["baseline", "--baseline"],
];

function read(): Colours {
  const style = getComputedStyle(document.documentElement);
  return Object.fromEntries(NAMES.map(([name, variable]) => [name, style.getPropertyValue(variable).trim()])) as unknown as Colours;
}

export function useColours(): Colours {
  const chosen = paint.value;
  const [colours, setColours] = useState(read);
  useEffect(() => {
    const frame = requestAnimationFrame(() => setColours(read()));
    return () => cancelAnimationFrame(frame);
  }, [chosen]);
  return colours;
}
