// The title of the document: what is shown, the narrowest name first. Tabs, the history and screen readers tell pages apart by it.
import { useEffect } from "preact/hooks";

const NAME = "planwright";

/** `["Schedule", "Bridge"]` → `Schedule · Bridge – planwright`; names that are not known yet are left out. */
export function titleOf(names: (string | null | undefined)[]): string {
  const known = names.filter(Boolean).join(" · ");
  return known ? `${known} – ${NAME}` : NAME;
}

/** Titles the document while the page that calls this is shown. Without a first name, what stands inside the page titles it. */
export function useTitle(...names: (string | null | undefined)[]): void {
  const title = names[0] ? titleOf(names) : null;
  useEffect(() => {
    if (title !== null) document.title = title;
  }, [title]);
}
