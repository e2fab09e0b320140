// Texts that are cut to a width are measured once and kept.
import type { Pen } from "./pen";

const kept = new Map<string, string>();

export function fitText(ctx: Pen, text: string, width: number): string {
  if (text.length < 26) return text;
  const known = kept.get(text);
  if (known !== undefined) return known;
  let cut = text;
  if (ctx.measureText(text).width > width) {
    let low = 8;
    let high = text.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (ctx.measureText(`${text.slice(0, middle)}…`).width > width) high = middle;
      else low = middle;
    }
    cut = `${text.slice(0, low).trimEnd()}…`;
  }
  if (kept.size > 20000) kept.clear();
  kept.set(text, cut);
  return cut;
}
