// A control that is gone does not take the keys with it: the focus goes to what held it. A component that knows a better place
// sets the focus itself and comes first.

const WAIT_MS = 100;
/** How many controls are remembered: a question that is gone leads back to the button that asked it. */
const TRAIL = 5;
const PLACES = "main, [role=dialog]";

interface Held {
  element: HTMLElement;
  /** What it stood in, the nearest first. */
  around: HTMLElement[];
}

/** What had the focus, the newest first. */
let trail: Held[] = [];

const hasNone = (): boolean => document.activeElement === null || document.activeElement === document.body;

export function startFocus(): void {
  document.addEventListener("focusin", (event) => remember(event.target as HTMLElement));
  // Somebody who presses on an empty place takes the focus away on purpose.
  document.addEventListener("pointerdown", (event) => {
    if (!(event.target as Element).closest("a, button, input, select, textarea, label, [tabindex]")) trail = [];
  });
  let waiting: ReturnType<typeof setTimeout> | undefined;
  new MutationObserver(() => {
    if (trail.length === 0 || !hasNone()) return;
    clearTimeout(waiting);
    waiting = setTimeout(giveBack, WAIT_MS);
  }).observe(document.body, { subtree: true, childList: true, attributeFilter: ["disabled"] });
}

function remember(element: HTMLElement): void {
  const around: HTMLElement[] = [];
  for (let at = element.parentElement; at && at !== document.body; at = at.parentElement) around.push(at);
  trail = [{ element, around }, ...trail.filter((one) => one.element !== element)].slice(0, TRAIL);
}

/** To the last control if it can be used, or to the nearest of what it stood in. */
export function giveBack(): void {
  if (!hasNone() || !document.hasFocus()) return;
  for (const { element, around } of trail) {
    if (element.isConnected) {
      // A control that waits for its call can be used again after it.
      if (!element.matches(":disabled")) element.focus({ preventScroll: true });
      return;
    }
    const left = around.find((one) => one.isConnected && one.closest(PLACES));
    if (left) return hold(left);
  }
}

/** Gives the focus to a thing that otherwise cannot have it. */
function hold(around: HTMLElement): void {
  if (!around.hasAttribute("tabindex")) {
    around.tabIndex = -1;
    around.addEventListener("blur", () => around.removeAttribute("tabindex"), { once: true });
  }
  around.focus({ preventScroll: true });
}
