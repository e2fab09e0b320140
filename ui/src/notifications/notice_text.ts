// What a person is told, in their language. A sentence that no catalogue holds is shown as it is.
import { dayOf } from "../dates/days";
import { shortDay } from "../dates/format";
import { counts, notices, titles } from "../words/notices";
import { finder, worded } from "../words/sentences";
import { t } from "../words/words";

const title = finder(titles);
export const messageOf = finder(notices);

/** `A task was assigned to you: Dig` → the title in words, the name as it is. */
export function subjectText(subject: string): string {
  const [head, ...name] = subject.split(": ");
  return [worded(head!, title(head!)), ...name].join(": ");
}

/** A sentence or two about what happened. */
export const bodyText = (body: string): string => worded(body, messageOf(body), partText);

function partText(name: string, part: string): string {
  if (name === "said") return bodyText(part);
  if (name === "day" || name === "before") return shortDay(dayOf(part));
  if (name === "projects" || name === "late") return t(counts[name], { n: Number.parseInt(part, 10) });
  return name === "who" && part === counts.somebody[0] ? t(counts.somebody) : part;
}
