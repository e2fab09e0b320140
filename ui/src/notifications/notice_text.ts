// What a person is told, in their language. A sentence that no catalogue holds is shown as it is.
import { dayOf } from "../dates/days";
import { shortDay } from "../dates/format";
import { counts, notices, titles } from "../words/notices";
import { finder } from "../words/sentences";
import { language, t } from "../words/words";

const title = finder(titles);
export const messageOf = finder(notices);

/** `A task was assigned to you: Dig` → the title in words, the name as it is. */
export function subjectText(subject: string): string {
  if (language.value === "en") return subject;
  const [head, ...name] = subject.split(": ");
  const found = title(head!);
  return found ? [t(found.message), ...name].join(": ") : subject;
}

/** A sentence or two about what happened. */
export function bodyText(body: string): string {
  const found = messageOf(body);
  return found ? t(found.message, Object.fromEntries(Object.entries(found.parts).map(([name, part]) => [name, partText(name, part)]))) : body;
}

function partText(name: string, part: string): string {
  if (name === "said") return bodyText(part);
  if (name === "day" || name === "before") return shortDay(dayOf(part));
  if (name === "projects" || name === "late") return t(counts[name], { n: Number.parseInt(part, 10) });
  return name === "who" && part === counts.somebody[0] ? t(counts.somebody) : part;
}
