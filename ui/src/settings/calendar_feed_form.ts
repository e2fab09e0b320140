// What the form of a calendar feed asks the server for, and the addresses of a feed that was made.
import type { Schemas } from "../api/client";

export interface FeedForm {
  /** `my_tasks`, or the kind of a place and its id, such as `project:3f…`. */
  source: string;
  name: string;
  withDone: boolean;
}

export function wish({ source, name, withDone }: FeedForm): Schemas["CalendarFeedCreateRequest"] {
  const rest = { include_done: withDone, name: name.trim() };
  const [kind, id = ""] = source.split(":");
  if (kind === "project") return { content_kind: "milestones", project: id, ...rest };
  if (kind === "program") return { content_kind: "milestones", program: id, ...rest };
  return { content_kind: "my_tasks", ...rest };
}

/** The address that people copy, and the one that opens a calendar program. */
export function addresses(origin: string, path: string): { copied: string; opened: string } {
  return { copied: `${origin}${path}`, opened: `${origin.replace(/^https?:/, "webcal:")}${path}` };
}
