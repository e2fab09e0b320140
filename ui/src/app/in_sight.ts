// A bar of links that scrolls sideways shows the current one.
import { type RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";

export function useCurrentInSight<T extends HTMLElement>(current: string): RefObject<T | null> {
  const bar = useRef<T>(null);
  useEffect(() => {
    const link = bar.current?.querySelector<HTMLElement>("[aria-current]");
    if (!link || !bar.current) return;
    // Only the bar moves; `scrollIntoView` would move the page as well.
    const from = link.getBoundingClientRect().left - bar.current.getBoundingClientRect().left + bar.current.scrollLeft;
    bar.current.scrollLeft = from - (bar.current.clientWidth - link.offsetWidth) / 2;
  }, [current]);
  return bar;
}
