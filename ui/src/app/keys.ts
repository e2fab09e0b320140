// The one place where keys get their names. Keys of panes live in their pane; only Ctrl+K is heard everywhere.
import { openPalette } from "./palette_state";

/** `Ctrl+Shift+ArrowUp`, `Alt+Shift+ArrowRight`, `F2`, `a`: one text for what was pressed. Cmd counts as Ctrl. */
export function chord(event: KeyboardEvent): string {
  const parts: string[] = [];
  if (event.ctrlKey || event.metaKey) parts.push("Ctrl");
  if (event.altKey) parts.push("Alt");
  const named = event.key.length > 1;
  if (event.shiftKey && (named || event.ctrlKey || event.metaKey)) parts.push("Shift");
  parts.push(event.key === " " ? "Space" : named ? event.key : event.ctrlKey || event.metaKey ? event.key.toLowerCase() : event.key);
  return parts.join("+");
}

export function startKeys(): void {
  window.addEventListener("keydown", (event) => {
    if (chord(event) === "Ctrl+k") {
      event.preventDefault();
      openPalette();
    }
  });
}
