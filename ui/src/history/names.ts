// The names of rows, fields and values in the language of the person. Names that no catalogue has are shown as they came.
import { dayOf } from "../dates/days";
import { shortDay } from "../dates/format";
import { board } from "../words/board";
import { happened, kinds } from "../words/history";
import { inspect } from "../words/inspect";
import { risks } from "../words/risks";
import { schedule } from "../words/schedule";
import { sprint } from "../words/sprint";
import { type Message, t } from "../words/words";

const plain = (name: string): string => name.replace(/_/g, " ");

/** `task_comment` → `comment`. */
export const kindName = (kind: string): string => named(kinds[kind], kind);

/** Ranks are numbers between which the server finds room; they tell nobody anything. */
export const isInner = (field: string): boolean => /(^|_)rank$/.test(field);

function named(message: Message | undefined, name: string): string {
  return message ? t(message) : plain(name);
}

/** The words of states and choices. No two catalogues have the same capital word with another meaning. */
const VALUES: Record<string, unknown> = {
  MILESTONE: schedule.milestone,
  PHASE: schedule.phase,
  TASK: schedule.task,
  ...inspect,
  ...risks,
  ...sprint,
  ...board,
};

/** The fields whose values are choices. A text of a person is never translated, even if it is written like a choice. */
const CHOICES = new Set(["status", "state", "type", "structure_role", "constraint_type", "goal_outcome", "category", "response"]);

/** The fields that hold a day. A text that somebody wrote like one stays as it is. */
const DAYS = /(^|_)(date|start|finish|deadline|day)$/;

/** `status: IN_PROGRESS` → `In progress`, `true` → `yes`, `2026-11-28` → `28 Nov 26`; any other value as it is. */
export function valueName(field: string, value: unknown): unknown {
  if (typeof value === "boolean") return t(value ? happened.yes : happened.no);
  if (typeof value === "string" && DAYS.test(field) && /^\d{4}-\d\d-\d\d$/.test(value)) return shortDay(dayOf(value));
  if (typeof value !== "string" || !CHOICES.has(field)) return value;
  const message = VALUES[value];
  return Array.isArray(message) ? t(message as never) : value;
}

/** A sentence in parts: texts, and the marks `who` and `what` where the page puts its own. */
export function sentence(message: Message): (string | { mark: string })[] {
  return t(message)
    .split(/(\{\w+\})/)
    .filter(Boolean)
    .map((part) => (part.startsWith("{") ? { mark: part.slice(1, -1) } : part));
}
