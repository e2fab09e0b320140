// The duration that brings the finish of begun work to a day. The server counts a typed finish from the early start; of work that
// has begun this is where the rest starts, so that the days that are done would be lost.
import { dayOf } from "../../dates/days";
import type { WorkCalendar } from "../plan/calendar";
import type { TaskRow } from "../plan/row";
import type { Changes } from "./patch";

type Begun = Pick<TaskRow, "duration" | "percent_complete" | "actual_start" | "actual_finish" | "early_start" | "early_finish">;

export const isUnderWay = (row: Begun): boolean => Boolean(row.actual_start && !row.actual_finish && row.early_start && row.early_finish);

/** The changes as they are sent: a finish of work under way is a duration. */
export function asSent(calendar: WorkCalendar, row: Begun, changes: Changes): Changes {
  const { planned_finish: finish, ...others } = changes;
  return finish && isUnderWay(row) ? { ...others, duration: durationUntil(calendar, row, dayOf(finish)) } : changes;
}

/** In working days, at least 1. The rest is held if it does not follow the work that is done at once. */
export function durationUntil(calendar: WorkCalendar, row: Begun, finish: number): number {
  const [rest, end] = [dayOf(row.early_start!), dayOf(row.early_finish!)];
  const done = Math.max(0, (row.duration ?? 1) - calendar.count(rest, end));
  const follows = calendar.count(dayOf(row.actual_start!), rest - 1) <= done;
  if (follows) return Math.max(1, calendar.count(dayOf(row.actual_start!), finish));
  const left = 1 - (row.percent_complete ?? 0) / 100;
  return Math.max(1, Math.round(calendar.count(rest, finish) / Math.max(left, 0.01)));
}
