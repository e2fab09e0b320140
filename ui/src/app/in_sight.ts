// A bar of links that scrolls sideways shows the current one, also after its room has changed.
import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";

export function useCurrentInSight<T extends HTMLElement>(current: string): RefObject<T | null> {
  const bar = useRef<T>(null);
  useEffect(() => {
    const box = bar.current!;
    const sizes = new ResizeObserver(() => show(box));
    sizes.observe(box);
    show(box);
    return () => sizes.disconnect();
  }, [current]);
  return bar;
}

/** Only the bar moves; `scrollIntoView` would move the page as well. */
function show(bar: HTMLElement): void {
  const link = bar.querySelector<HTMLElement>("[aria-current]");
  if (!link) return;
  const from = link.getBoundingClientRect().left - bar.getBoundingClientRect().left + bar.scrollLeft;
  bar.scrollLeft = from - (bar.clientWidth - link.offsetWidth) / 2;
}
