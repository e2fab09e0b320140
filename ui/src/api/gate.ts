// Whether the workspace lets this sign-in on: it may want a second factor first, which is then set up or shown.
import { signal } from "@preact/signals";
import type { CallError } from "./errors";

export const gate = signal<"open" | "set_up" | "show">("open");

let left: HTMLElement | null = null;

/** What had the focus when the gate came to stand before the page. */
export const leftAt = (): HTMLElement | null => left;

/** Takes notice of a refusal that asks for a second factor. */
export function noticeGate(error: CallError): void {
  if (error.status !== 403 || !error.code.startsWith("second_factor_")) return;
  if (gate.peek() === "open") left = document.activeElement as HTMLElement | null;
  if (error.code === "second_factor_setup_required") gate.value = "set_up";
  else if (error.code === "second_factor_required") gate.value = "show";
}

/** Resolves when the workspace lets this sign-in on. */
export function gateOpens(): Promise<void> {
  return new Promise((done) => {
    const stop = gate.subscribe((now) => {
      if (now !== "open") return;
      queueMicrotask(() => stop());
      done();
    });
  });
}
