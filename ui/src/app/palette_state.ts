// Whether the palette is open, and the commands that the current page adds to it.
import { signal } from "@preact/signals";

export interface Command {
  name: string;
  keys?: string | undefined;
  run: () => void;
}

export const paletteOpen = signal(false);
export const pageCommands = signal<Command[]>([]);

export function openPalette(): void {
  paletteOpen.value = true;
}
