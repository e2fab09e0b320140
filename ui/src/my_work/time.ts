// Times as people type and read them, and the sheet of a week. Pure functions.
import type { Schemas } from "../api/client";
import { dayOf, weekday } from "../dates/days";

export type Entry = Schemas["WeekEntry"];

/** `1:30`, `1.5`, `1,5`, `1h30`, `90m` → minutes; an empty text is 0; anything else is null. */
export function typedMinutes(text: string): number | null {
  const clean = text.trim().toLowerCase().replace(",", ".");
  if (!clean) return 0;
  const clock = /^(\d{1,2})[:h](\d{1,2})?m?$/.exec(clean.replace(/\s/g, ""));
  if (clock) return +clock[2]! < 60 || !clock[2] ? +clock[1]! * 60 + Number(clock[2] ?? 0) : null;
  const minutes = /^(\d{1,4})\s*m(in)?$/.exec(clean);
  if (minutes) return +minutes[1]!;
  const hours = /^(\d{1,2}(?:\.\d{1,2})?)\s*h?$/.exec(clean);
  return hours ? Math.round(+hours[1]! * 60) : null;
}

/** 95 → `1:35`. */
export const clock = (minutes: number): string => `${Math.floor(minutes / 60)}:${String(Math.floor(minutes % 60)).padStart(2, "0")}`;

/** 3725 s → `1:02:05`. */
export const clockSeconds = (seconds: number): string => `${clock(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

export const mondayOf = (day: number): number => day - weekday(day);

export interface SheetRow {
  task: string;
  name: string;
  project: string;
  days: Entry[][];
}

/** Rows of the week by project and task, with the entries of each day from Monday. */
export function sheetOf(entries: Entry[], monday: number, extra: { id: string; name: string; project: string }[]): SheetRow[] {
  const rows = new Map<string, SheetRow>();
  const row = (task: string, name: string, project: string): SheetRow => {
    const found = rows.get(task) ?? { task, name, project, days: Array.from({ length: 7 }, () => [] as Entry[]) };
    rows.set(task, found);
    return found;
  };
  for (const entry of entries)
    row(entry.task ?? "", entry.task_name ?? "–", entry.project_name ?? "").days[dayOf(entry.entry_date) - monday]?.push(entry);
  for (const one of extra) row(one.id, one.name, one.project);
  return [...rows.values()].sort((a, b) => a.project.localeCompare(b.project) || a.name.localeCompare(b.name));
}

export const sum = (entries: Entry[]): number => entries.reduce((all, entry) => all + entry.minutes, 0);

export type Step = { kind: "add"; minutes: number } | { kind: "set"; id: string; minutes: number } | { kind: "remove"; id: string };

/** The writes that bring a cell to a new sum: the newest entries give way first, more time is one new entry or a longer one. */
export function stepsTo(entries: Entry[], minutes: number): Step[] {
  let more = minutes - sum(entries);
  if (more === 0) return [];
  const typed = entries.filter((entry) => entry.source !== "timer");
  const last = typed[typed.length - 1];
  if (more > 0) return last ? [{ kind: "set", id: last.id, minutes: last.minutes + more }] : [{ kind: "add", minutes: more }];
  const steps: Step[] = [];
  for (const entry of [...entries].reverse()) {
    if (more === 0) break;
    const take = Math.min(entry.minutes, -more);
    steps.push(take === entry.minutes ? { kind: "remove", id: entry.id } : { kind: "set", id: entry.id, minutes: entry.minutes - take });
    more += take;
  }
  return steps;
}
