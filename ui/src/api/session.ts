// Who is signed in. The access token lives in memory only; the cookie renews it before it ends and after a reload.
import { signal } from "@preact/signals";
import { forgetTexts, setTextsAside } from "./kept";
import { gate } from "./gate";

export type SessionState = "unknown" | "in" | "out";

export const sessionState = signal<SessionState>("unknown");

/** How the session ended that this page still shows, if the person did not end it here. The page waits for them behind the sign-in. */
export const ended = signal<"elsewhere" | "tab" | null>(null);

const RENEW_BEFORE_MS = 60_000;
const channel = typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel("planwright.session");

let token: string | null = null;
let renewing: Promise<boolean> | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;

export function accessToken(): string | null {
  return token;
}

export function keepToken(access: string): void {
  holdToken(access);
  letIn();
}

export function letIn(): void {
  ended.value = null;
  sessionState.value = "in";
}

/** Takes a token before it is known whose page is shown. */
export function holdToken(access: string): void {
  token = access;
  clearTimeout(timer);
  timer = setTimeout(() => void renew(), Math.max(5_000, lifeLeft(access) - RENEW_BEFORE_MS));
}

/** Resolves when somebody is signed in. */
export function signedIn(): Promise<void> {
  return new Promise((done) => {
    const stop = sessionState.subscribe((now) => {
      if (now !== "in") return;
      queueMicrotask(() => stop());
      done();
    });
  });
}

/** Forgets the person in this tab, and in the other tabs if the person asked for it. */
export function forgetToken(everywhere: boolean, how: "elsewhere" | "tab" | null = null): void {
  // A refusal at the start of the page, or after the end, tells nothing new.
  if (!how || sessionState.value === "in" || (how === "tab" && ended.value)) ended.value = how;
  token = null;
  clearTimeout(timer);
  gate.value = "open";
  sessionState.value = "out";
  if (!everywhere) return;
  forgetTexts();
  channel?.postMessage("out");
}

/** Gets a new access token with the cookie. Several callers share one request. */
export function renew(): Promise<boolean> {
  renewing ??= askForToken().finally(() => {
    renewing = null;
  });
  return renewing;
}

async function askForToken(): Promise<boolean> {
  const answer = await fetch("/api/v1/auth/token/refresh/", { method: "POST", credentials: "same-origin" });
  if (answer.ok) {
    const { access } = (await answer.json()) as { access: string };
    keepToken(access);
    return true;
  }
  if (answer.status === 401 || answer.status === 400 || answer.status === 403) forgetToken(false, "elsewhere");
  return false;
}

function lifeLeft(access: string): number {
  try {
    const payload = JSON.parse(atob(access.split(".")[1]!.replace(/-/g, "+").replace(/_/g, "/"))) as { exp: number; iat: number };
    return (payload.exp - payload.iat) * 1000;
  } catch {
    return 15 * 60_000;
  }
}

channel?.addEventListener("message", (event) => {
  if (event.data !== "out") return;
  setTextsAside();
  forgetToken(false, "tab");
});
