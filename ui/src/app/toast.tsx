// Short messages at the foot of the page, and the one live region that speaks to screen readers at most twice a second.
import { signal } from "@preact/signals";
import { sessionState } from "../api/session";
import { calls } from "../words/calls";
import { t } from "../words/words";
import { Icon } from "./icons";

interface Toast {
  id: number;
  text: string;
  bad: boolean;
  action?: { label: string; run: () => void } | undefined;
}

const toasts = signal<Toast[]>([]);
const polite = signal("");
const urgent = signal("");
let next = 1;
let spoken = 0;
let waiting: ReturnType<typeof setTimeout> | undefined;

export function toast(text: string, action?: Toast["action"], bad = false): void {
  const id = next++;
  // One step can be undone at a time, so the newest offer to undo takes the place of the one before.
  const stay = toasts.value.filter((one) => !(action && one.action?.label === action.label)).slice(-2);
  toasts.value = [...stay, { id, text, bad, action }];
  setTimeout(() => dismiss(id), bad ? 12_000 : 7_000);
}

// What was said to somebody who has signed out is nothing for the next one.
sessionState.subscribe((state) => {
  if (state === "in") toasts.value = [];
});

function dismiss(id: number): void {
  if (document.activeElement?.closest(".toasts")) before?.focus();
  toasts.value = toasts.value.filter((one) => one.id !== id);
}

/** Says a sentence to screen readers, the newest only, at most every 500 ms. */
export function say(text: string): void {
  clearTimeout(waiting);
  waiting = setTimeout(
    () => {
      spoken = Date.now();
      polite.value = text;
    },
    Math.max(0, 500 - (Date.now() - spoken)),
  );
}

/** A refusal: said at once and shown. */
export function refuse(text: string): void {
  urgent.value = "";
  urgent.value = text;
  toast(text, undefined, true);
}

/** What had the focus before a button of a message. */
let before: HTMLElement | null = null;

function entered(event: FocusEvent): void {
  const from = event.relatedTarget as HTMLElement | null;
  if (!from?.closest(".toasts")) before = from;
}

export function Toasts() {
  return (
    <>
      <div class="hidden-text" role="status" aria-live="polite">
        {polite.value}
      </div>
      <div class="hidden-text" role="alert">
        {urgent.value}
      </div>
      <div class="toasts" onFocusIn={entered}>
        {toasts.value.map((one) => (
          <div key={one.id} class={one.bad ? "toast bad" : "toast"}>
            <span class="grow">{one.text}</span>
            {one.action && (
              <button
                type="button"
                class="button small"
                onClick={() => {
                  one.action!.run();
                  dismiss(one.id);
                }}
              >
                {one.action.label}
              </button>
            )}
            <button type="button" class="icon" aria-label={t(calls.close)} onClick={() => dismiss(one.id)}>
              <Icon name="close" />
            </button>
          </div>
        ))}
      </div>
    </>
  );
}
