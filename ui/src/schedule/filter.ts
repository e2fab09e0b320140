// Which rows are shown: by a word in the name, by a person, and by what is open, critical, late or soon.
import { signal } from "@preact/signals";
import { NO_DAY, today } from "../dates/days";
import type { Desk } from "./desk";
import { BROKEN, CRITICAL, DONE, ISSUE, LATE, SUMMARY } from "./plan/flags";

export const FILTERS = ["all", "open", "critical", "late", "soon"] as const;
export type Filter = (typeof FILTERS)[number];

export interface Wanted {
  kind: Filter;
  text: string;
  /** The id of a person, or null for everybody. */
  person: string | null;
}

export const EVERYTHING: Wanted = { kind: "all", text: "", person: null };
const SOON_DAYS = 28;

export const wanted = signal<Wanted>(EVERYTHING);

export function filterBy(desk: Desk, change: Partial<Wanted>): void {
  wanted.value = { ...wanted.peek(), ...change };
  const { kind, text, person } = wanted.peek();
  const words = text.trim().toLocaleLowerCase();
  const { plan } = desk;
  const now = today();
  const fits = (task: number): boolean => {
    const flags = plan.flags[task]!;
    const row = plan.rows[task]!;
    if (kind === "open" && flags & (DONE | SUMMARY)) return false;
    if (kind === "critical" && (!(flags & CRITICAL) || flags & SUMMARY)) return false;
    const isOverdue = !(flags & (DONE | SUMMARY)) && plan.finish[task]! !== NO_DAY && plan.finish[task]! < now;
    if (kind === "late" && !isOverdue && !(flags & (LATE | BROKEN | ISSUE))) return false;
    if (kind === "soon" && (flags & (DONE | SUMMARY) || plan.start[task]! > now + SOON_DAYS || plan.finish[task]! < now)) return false;
    if (person && !row.assignments.some((one) => one.resource_id === person)) return false;
    return !words || row.name.toLocaleLowerCase().includes(words);
  };
  plan.filter = kind === "all" && !words && !person ? null : fits;
  plan.show();
}

/** The people of the plan by name, for the list of the filter. */
export function peopleOf(desk: Desk): { id: string; name: string }[] {
  const found = new Map<string, string>();
  for (const row of desk.plan.rows) for (const one of row.assignments) found.set(one.resource_id, one.resource_name);
  return [...found].map(([id, name]) => ({ id, name })).sort((a, b) => a.name.localeCompare(b.name));
}
