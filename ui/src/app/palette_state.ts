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
export const pageCommands = signal<Command[]>([]);

/** Shows a row on the page that is open, if that page has it; set by the page. */
export const rowHere: { open: ((project: string, task: string) => boolean) | null } = { open: null };

export function openPalette(): void {
  if (gate.peek() === "open") paletteOpen.value = true;
}
