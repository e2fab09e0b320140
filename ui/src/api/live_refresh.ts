// A page that reads again what others change: a moment after the last event of its project.
import { useEffect, useRef } from "preact/hooks";
import { followProject } from "./live";

const WORK = /^(task|board|queue|dependency|assignment|cpm_complete|resync|sprint|risk|scope)/;
const WAIT_MS = 300;

interface Options {
  /** The events that matter to the page; without it those of work. */
  heard?: RegExp;
  /** Nothing is read while this answers true: something is written or dragged. */
  busy?: () => boolean;
  /** True for an event that a part of the page has dealt with by itself. */
  taken?: (event: string) => boolean;
}

export function useLiveRefresh(project: string, refresh: () => void, { heard = WORK, busy, taken }: Options = {}): void {
  const latest = useRef(refresh);
  latest.current = refresh;
  useEffect(() => {
    let waiting: ReturnType<typeof setTimeout> | undefined;
    const later = () => {
      clearTimeout(waiting);
      waiting = setTimeout(() => (busy?.() ? later() : latest.current()), WAIT_MS);
    };
    const live = followProject(project, (event) => !taken?.(event.event_type) && heard.test(event.event_type) && later());
    return () => {
      clearTimeout(waiting);
      live.stop();
    };
  }, [project]);
}
