// Whether the palette is open, and the commands that the current page adds to it.
import { signal } from "@preact/signals";
import { gate } from "../api/gate";

export interface Command {
  name: string;
  keys?: string | undefined;
  run: () => void;
}

export const paletteOpen = signal(false);
export const pageCommands = signal<Command[]>([]);

export function openPalette(): void {
  if (gate.peek() === "open") paletteOpen.value = true;
}
