// Addresses: one signal with the current place, patterns with names, and links that do not load the page again.
import { signal } from "@preact/signals";

export interface Place {
  path: string;
  query: URLSearchParams;
}

const here = (): Place => ({ path: location.pathname.replace(/\/+$/, "") || "/", query: new URLSearchParams(location.search) });

export const place = signal<Place>(typeof location === "undefined" ? { path: "/", query: new URLSearchParams() } : here());

/** Where this place stands among those that the tab went through; it is kept with each entry of the history. */
let reached = 0;
const entry = (): { reached: number } => ({ reached });
const reachedIn = (state: unknown): number | null => (state as { reached?: number } | null)?.reached ?? null;

/** Asked before Back or Forward leaves a place; null if nothing would be lost there. */
let guard: () => Promise<boolean> | null = () => null;
export function guardHistory(ask: () => Promise<boolean> | null): void {
  guard = ask;
}

export function go(to: string, replace = false): void {
  if (!replace) reached++;
  history[replace ? "replaceState" : "pushState"](entry(), "", to);
  place.value = here();
}

/** Changes the query of this place; without a new entry in the history, unless it is a `step` that Back takes back. */
export function setQuery(changes: Record<string, string | null>, step = false): void {
  const url = new URL(location.href);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  if (url.href === location.href) return;
  if (step) reached++;
  history[step ? "pushState" : "replaceState"](entry(), "", url);
  place.value = here();
}

/** `/projects/:id/board` with `/projects/7/board` → `{ id: "7" }`. */
export function match(pattern: string, path: string): Record<string, string> | null {
  const wanted = pattern.split("/");
  const found = path.split("/");
  if (wanted.length !== found.length) return null;
  const names: Record<string, string> = {};
  for (let i = 0; i < wanted.length; i++) {
    const part = wanted[i]!;
    if (part.startsWith(":")) {
      const name = decoded(found[i]!);
      if (!name) return null;
      names[part.slice(1)] = name;
    } else if (part !== found[i]) return null;
  }
  return names;
}

function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

export function startRouter(): void {
  reached = reachedIn(history.state) ?? 0;
  history.replaceState(entry(), "");
  /** How far a move goes that needs no question: one back to where the question stands, or one that was allowed. */
  let allowed: number | null = null;
  window.addEventListener("popstate", (event) => {
    const way = (reachedIn(event.state) ?? reached) - reached;
    const question = way === 0 || way === allowed ? null : guard();
    allowed = null;
    if (!question) {
      reached += way;
      place.value = here();
      return;
    }
    history.go(-way);
    void question.then((yes) => {
      if (!yes) return;
      allowed = way;
      history.go(way);
    });
  });
  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = (event.target as Element | null)?.closest?.("a[href]") as HTMLAnchorElement | null;
    if (!link || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
    if (link.pathname.startsWith("/api/")) return;
    event.preventDefault();
    go(link.pathname + link.search);
  });
}
