// Addresses: one signal with the current place, patterns with names, and links that do not load the page again.
import { signal } from "@preact/signals";

export interface Place {
  path: string;
  query: URLSearchParams;
}

const here = (): Place => ({ path: location.pathname.replace(/\/+$/, "") || "/", query: new URLSearchParams(location.search) });

export const place = signal<Place>(typeof location === "undefined" ? { path: "/", query: new URLSearchParams() } : here());

/** Asked before a page is left; a page with unsaved text answers false. */
let guard: (() => boolean) | null = null;
export function setGuard(ask: (() => boolean) | null): void {
  guard = ask;
}

export function go(to: string, replace = false): void {
  if (guard && !guard()) return;
  history[replace ? "replaceState" : "pushState"](null, "", to);
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
  history[step ? "pushState" : "replaceState"](null, "", url);
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
  window.addEventListener("popstate", () => {
    place.value = here();
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
