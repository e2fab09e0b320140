// Shows the page of the current address; a page that cannot be loaded says so and can be tried again.
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { backAgain, lostSince } from "../api/connection";
import { asCallError, type CallError } from "../api/errors";
import { Failure, Skeleton } from "./failure";
import { Lost } from "./lost";
import { match, place } from "./router";
import { type PageProps, ROUTES } from "./routes";

function find(path: string) {
  for (const [pattern, load] of ROUTES) {
    const params = match(pattern, path);
    if (params) return { pattern, load, params };
  }
  return null;
}

/** Whether an address is one of a page. */
export const isPage = (path: string): boolean => find(path) !== null;

/** Begins to load the page of an address, while the session is still being renewed. */
export function preload(path: string): void {
  const found = find(path);
  void found?.load().then((module) => loaded.set(found.pattern, module.default), () => undefined);
}

const loaded = new Map<string, ComponentType<PageProps>>();

export function Page() {
  const found = find(place.value.path);
  const pattern = found?.pattern ?? "";
  const [, redraw] = useState(0);
  const [error, setError] = useState<CallError | null>(null);
  const load = () => {
    setError(null);
    if (!found) return;
    if (loaded.has(pattern)) return redraw((n) => n + 1);
    found.load().then(
      (module) => {
        loaded.set(pattern, module.default);
        redraw((n) => n + 1);
      },
      (thrown: unknown) => {
        const failed = asCallError(thrown);
        setError(failed);
        // What failed for want of a connection is loaded by itself when it is back, as reads are.
        if (failed.status === 0 && lostSince.peek() !== null) void backAgain().then(load);
      },
    );
  };
  useEffect(load, [pattern]);
  if (!found) return <Lost />;
  const View = loaded.get(pattern);
  if (View) return <View key={JSON.stringify(found.params)} params={found.params} />;
  return <div class="page"><div class="page-in">{error ? <Failure error={error} retry={load} /> : <Skeleton />}</div></div>;
}
