// Whether the server answers. Calls and the socket report here; the status bar and the banner read here.
import { computed, signal } from "@preact/signals";

/** When the connection was lost, in milliseconds, or null. */
export const lostSince = signal<number | null>(null);
/** Writes that are under way. */
export const writing = signal(0);
const now = signal(Date.now());

/** Nothing is said for 2 s, a word to 10 s, then a banner. */
export const trouble = computed<"none" | "word" | "banner">(() => {
  const since = lostSince.value;
  if (since === null) return "none";
  const seconds = (now.value - since) / 1000;
  return seconds < 2 ? "none" : seconds < 10 ? "word" : "banner";
});

/** Without a connection everything can be read and nothing is written, until it is back. */
export const readOnly = computed(() => trouble.value === "banner");

let watch: ReturnType<typeof setInterval> | undefined;

export function answered(): void {
  if (lostSince.value === null) return;
  lostSince.value = null;
  clearInterval(watch);
  watch = undefined;
}

export function notAnswered(): void {
  now.value = Date.now();
  lostSince.value ??= Date.now();
  watch ??= setInterval(() => {
    now.value = Date.now();
    void probe();
  }, 1500);
}

/** Resolves when the server answers again. */
export function backAgain(): Promise<void> {
  return new Promise((done) => {
    const stop = lostSince.subscribe((since) => {
      if (since !== null) return;
      queueMicrotask(() => stop());
      done();
    });
  });
}

async function probe(): Promise<void> {
  try {
    const answer = await fetch("/api/v1/health/", { cache: "no-store" });
    if (answer.status < 500) answered();
  } catch {
    // still no answer: the next probe tries again
  }
}

if (typeof window !== "undefined") {
  window.addEventListener("offline", notAnswered);
  window.addEventListener("online", () => void probe());
  window.addEventListener("beforeunload", (event) => writing.peek() > 0 && event.preventDefault());
}
