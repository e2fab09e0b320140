// Whether the palette is open, and the commands that the current page adds to it.
import { signal } from "@preact/signals";
import { gate } from "../api/gate";

export interface Command {
  name: string;
  keys?: string | undefined;
  /** Other words by which it is found. */
  alike?: string | undefined;
  run: () => void;
}

export const paletteOpen = signal(false);
/** How often it was opened. Each time is a new palette, also when it is opened again before the last one is gone from the page. */
export const openings = signal(0);
export const pageCommands = signal<Command[]>([]);

/** Shows a row on the page that is open, if that page has it; set by the page. */
export const rowHere: { open: ((project: string, task: string) => boolean) | null } = { open: null };

/** What was typed while the palette was loading, and how to stop listening for it; null while nobody waits. */
let early: { text: string; stop: () => void } | null = null;

export function openPalette(): void {
  if (gate.peek() !== "open" || paletteOpen.peek()) return;
  holdKeys();
  openings.value++;
  paletteOpen.value = true;
}

export function closePalette(): void {
  takeTyped();
  paletteOpen.value = false;
}

/** Keys are for the palette from the first moment, so that none of them changes the cell that had the focus. */
function holdKeys(): void {
  const onKeyDown = (event: KeyboardEvent) => {
    event.preventDefault();
    event.stopImmediatePropagation();
    if (event.key === "Escape") closePalette();
    else if (event.key === "Backspace") early!.text = early!.text.slice(0, -1);
    else if (event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey) early!.text += event.key;
  };
  window.addEventListener("keydown", onKeyDown, true);
  early = { text: "", stop: () => window.removeEventListener("keydown", onKeyDown, true) };
}

/** The palette is there and takes the keys itself; answers what was typed before. */
export function takeTyped(): string {
  const text = early?.text ?? "";
  early?.stop();
  early = null;
  return text;
}
