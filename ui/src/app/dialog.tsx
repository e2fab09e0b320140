// Dialogs: the focus stays inside, Esc closes, and the focus goes back to where it was.
import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { calls } from "../words/calls";
import { t } from "../words/words";
import { Icon } from "./icons";
import { guardHistory } from "./router";

const FOCUSABLE =
  "button:not(:disabled), [href], input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex]:not([tabindex='-1'])";

export function Dialog({
  title,
  close,
  children,
  wide,
  plain,
}: {
  title: string;
  close: () => void;
  children: ComponentChildren;
  wide?: boolean;
  plain?: boolean;
}) {
  const box = useRef<HTMLDivElement>(null);
  // A press beside the dialog closes it only while nothing was typed: a slip of the hand must not lose a text.
  const typed = useRef(new Set<EventTarget>());
  const holds = () => !plain && holdsText(typed.current);
  const leave = async () => {
    if (!holds() || (await askToLeave())) close();
  };
  const leaving = useRef(leave);
  leaving.current = leave;
  // The focus is here before the next key can be: a quick second Esc must not go to what lies below.
  useLayoutEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    const first =
      box.current?.querySelector<HTMLElement>("[autofocus], input, select, textarea") ?? box.current?.querySelector<HTMLElement>(FOCUSABLE);
    (first ?? box.current)?.focus();
    const gone = opened({ box: box.current!, leave: () => void leaving.current(), holds });
    return () => (gone(), before?.focus?.());
  }, []);
  // A button that is disabled while its call runs loses the focus, and the keys with it: the dialog takes them.
  useEffect(() => {
    if (document.activeElement === document.body) box.current?.focus();
  });
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.key === "Escape") {
      event.preventDefault();
      void leave();
    } else if (event.key === "Tab") keepInside(event, box.current!);
  };
  return (
    <div class="veil" onPointerDown={(event) => event.target === event.currentTarget && typed.current.size === 0 && close()}>
      <div
        ref={box}
        class={wide ? "dialog wide" : "dialog"}
        role="dialog"
        aria-modal="true"
        aria-label={title}
        tabIndex={-1}
        onInput={(event) => typed.current.add(event.target!)}
        onKeyDown={onKeyDown}
      >
        {!plain && (
          <div class="row">
            <h2 class="grow">{title}</h2>
            <button type="button" class="icon" aria-label={t(calls.close)} onClick={() => void leave()}>
              <Icon name="close" />
            </button>
          </div>
        )}
        {children}
      </div>
    </div>
  );
}

interface Open {
  box: HTMLElement;
  /** What Esc does. */
  leave: () => void;
  /** Whether a text was typed that would be lost. */
  holds: () => boolean;
}

/** The dialogs that are open, the topmost last. */
const stack: Open[] = [];

const askToLeave = (): Promise<boolean> => ask(t(calls.leave), t(calls.leaveText), t(calls.leaveYes), true);
const holdsAny = (): boolean => stack.some((one) => one.holds());
guardHistory(() => (holdsAny() ? askToLeave() : null));
if (typeof window !== "undefined") window.addEventListener("beforeunload", (event) => holdsAny() && event.preventDefault());

/** A field that had the focus may be gone, with its form: keys are then on the page itself, and belong to the topmost dialog. */
function strayed(event: KeyboardEvent): void {
  const top = stack.at(-1);
  if (!top || event.target !== document.body || top.box.closest("[inert]")) return;
  if (event.key !== "Escape" && event.key !== "Tab") return;
  event.preventDefault();
  event.stopPropagation();
  top.box.focus();
  if (event.key === "Escape") top.leave();
  else (top.box.querySelector<HTMLElement>(FOCUSABLE) ?? top.box).focus();
}

function opened(own: Open): () => void {
  if (stack.push(own) === 1) document.addEventListener("keydown", strayed, true);
  return () => {
    stack.splice(stack.indexOf(own), 1);
    if (stack.length === 0) document.removeEventListener("keydown", strayed, true);
  };
}

/** Whether a field that was typed into still holds a text. Choices and days are soon made again. */
function holdsText(fields: Set<EventTarget>): boolean {
  return [...fields].some((field) => {
    const { isConnected, tagName, type, value } = field as HTMLInputElement;
    return (
      isConnected &&
      (tagName === "TEXTAREA" || (tagName === "INPUT" && /^(text|email|url|tel|password)$/.test(type))) &&
      value.trim() !== ""
    );
  });
}

function keepInside(event: KeyboardEvent, box: HTMLElement): void {
  const all = [...box.querySelectorAll<HTMLElement>(FOCUSABLE)];
  const first = all[0];
  const last = all[all.length - 1];
  if (!first || !last) return;
  if (event.shiftKey && document.activeElement === first) {
    event.preventDefault();
    last.focus();
  } else if (!event.shiftKey && document.activeElement === last) {
    event.preventDefault();
    first.focus();
  }
}

interface Question {
  title: string;
  text: ComponentChildren;
  yes: string;
  danger?: boolean;
  answer: (yes: boolean) => void;
}

const question = signal<Question | null>(null);

/** Asks before something that cannot be missed; resolves to the answer. A question that is still open is answered with no. */
export function ask(title: string, text: ComponentChildren, yes: string, danger = false): Promise<boolean> {
  question.peek()?.answer(false);
  return new Promise((answer) => {
    question.value = { title, text, yes, danger, answer };
  });
}

export function Questions() {
  const open = question.value;
  if (!open) return null;
  const end = (yes: boolean) => {
    question.value = null;
    open.answer(yes);
  };
  return (
    <Dialog title={open.title} close={() => end(false)}>
      <div>{open.text}</div>
      <div class="ends">
        <button type="button" class="button" onClick={() => end(false)}>
          {t(calls.cancel)}
        </button>
        <button type="button" class={open.danger ? "button danger" : "button primary"} autofocus onClick={() => end(true)}>
          {open.yes}
        </button>
      </div>
    </Dialog>
  );
}
