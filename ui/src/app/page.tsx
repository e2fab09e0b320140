// Shows the page of the current address; a page that cannot be loaded says so and can be tried again.
import type { ComponentType } from "preact";
import { useRead } from "../api/read";
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
  void found?.load().then(
    (module) => loaded.set(found.pattern, module.default),
    () => undefined,
  );
}

const loaded = new Map<string, ComponentType<PageProps>>();

export function Page() {
  const found = find(place.value.path);
  const pattern = found?.pattern ?? "";
  // A page that is loaded is shown at once; the read only tells of one that comes, or cannot.
  const read = useRead(async () => {
    if (found && !loaded.has(pattern)) loaded.set(pattern, (await found.load()).default);
    return pattern;
  }, [pattern]);
  if (!found) return <Lost />;
  const View = loaded.get(pattern);
  if (View) return <View key={JSON.stringify(found.params)} params={found.params} />;
  return (
    <div class="page">
      <div class="page-in">{read.error ? <Failure error={read.error} retry={read.retry} /> : <Skeleton />}</div>
    </div>
  );
}
