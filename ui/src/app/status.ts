// The sentence in the status bar that the current page writes.
import { signal } from "@preact/signals";

export const footText = signal("");
