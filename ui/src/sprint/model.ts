// The rules of the page of sprints: which sprint is shown first, the line of an even pace, what is left to draw.
import type { Schemas } from "../api/client";
import { dayOf } from "../dates/days";

export type Sprint = Schemas["Sprint"];
export type Snapshot = Schemas["BurnSnapshot"];

/** The running sprint, else the next planned one, else the last one. */
export function firstShown(sprints: Sprint[]): Sprint | null {
  const byStart = [...sprints].sort((a, b) => a.start_date.localeCompare(b.start_date));
  return (
    byStart.find((one) => one.state === "ACTIVE") ?? byStart.find((one) => one.state === "PLANNED") ?? byStart[byStart.length - 1] ?? null
  );
}

export interface Burn {
  unit: "points" | "tasks";
  days: number[];
  left: (number | null)[];
  ideal: (number | null)[];
  scope: (number | null)[];
}

/**
 * What is done of a sprint. The work of a closed one has gone elsewhere, so the server counts it; where its figure is kept from
 * the reader, the finished tasks are counted.
 */
export function progressOf(
  sprint: Pick<Sprint, "state" | "committed_task_count" | "completed_task_count">,
  tasks: { status: string }[],
): { done: number; all: number } {
  const seen = tasks.filter((task) => task.status === "COMPLETE").length;
  if (sprint.state !== "COMPLETED") return { done: seen, all: tasks.length };
  const done = sprint.completed_task_count ?? seen;
  return { done, all: Math.max(done, sprint.committed_task_count ?? tasks.length) };
}

/**
 * The lines of a burndown, or none if no day of it was recorded. Days before anything was in the sprint are not drawn. Points
 * that are hidden from the reader are replaced by tasks.
 */
export function burnOf(sprint: { start_date: string; finish_date: string }, snapshots: Snapshot[], today: number): Burn | null {
  const unit = snapshots.some((one) => one.remaining_points !== null) ? "points" : "tasks";
  const total = (one: Snapshot) =>
    unit === "points" ? (one.remaining_points ?? 0) + (one.completed_points ?? 0) : one.remaining_task_count + one.completed_task_count;
  const known = snapshots.findIndex((one) => total(one) > 0);
  if (known < 0) return null;
  const first = snapshots[known]!;
  const begun = total(first);
  const left = new Map(
    snapshots.map((one) => [dayOf(one.snapshot_date), unit === "points" ? one.remaining_points : one.remaining_task_count]),
  );
  const done = new Map(
    snapshots.map((one) => [dayOf(one.snapshot_date), (unit === "points" ? one.completed_points : one.completed_task_count) ?? 0]),
  );
  const start = dayOf(sprint.start_date);
  const end = Math.max(dayOf(sprint.finish_date), start + 1, ...left.keys());
  const days = Array.from({ length: end - start + 1 }, (_, at) => start + at);
  const from = dayOf(first.snapshot_date);
  const last = dayOf(sprint.finish_date) - start || 1;
  return {
    unit,
    days,
    left: days.map((day) => (day > today || day < from ? null : (left.get(day) ?? null))),
    ideal: days.map((_, at) => (at <= last ? begun * (1 - at / last) : null)),
    scope: days.map((day) => (day > today || day < from || !left.has(day) ? null : (left.get(day) ?? 0) + (done.get(day) ?? 0))),
  };
}

const TOLERANCE = 0.1;

/** How a sprint stands against the even pace. The server says it in points; without points it is read from the tasks. */
export function paceStatus(said: Schemas["BurnStatus"], burn: Burn): Schemas["BurnStatus"] {
  const at = burn.left.findLastIndex((one) => one !== null);
  if (said !== "no_data" || burn.unit === "points" || at < 0) return said;
  const apart = (burn.ideal[at] ?? 0) - burn.left[at]!;
  const room = Math.max(1, (burn.ideal[0] ?? 0) * TOLERANCE);
  return apart > room ? "ahead" : apart < -room ? "behind" : "on_track";
}

/** Days that are left, today counted; none after the end. */
export function daysLeft(sprint: { start_date: string; finish_date: string }, today: number): number {
  return Math.max(0, dayOf(sprint.finish_date) - Math.max(today, dayOf(sprint.start_date)) + 1);
}

/** The card in the middle of the votes; between two of them the larger one. Votes that say "I do not know" do not count. */
export function middleCard(cards: readonly number[], votes: readonly (number | null | undefined)[]): number | null {
  const known = votes.filter((one): one is number => typeof one === "number").sort((a, b) => a - b);
  if (!known.length) return null;
  const middle = known[Math.floor(known.length / 2)]!;
  return cards.find((card) => card >= middle) ?? cards[cards.length - 1] ?? null;
}

export interface Pace {
  unit: "points" | "tasks";
  mean: number | null;
  bars: { name: string; promised: number | null; done: number; counts: boolean }[];
}

/** What closed sprints promised and did, oldest first; in tasks where no sprint has points. */
export function paceOf(facts: Schemas["TeamVelocity"]): Pace {
  const unit = facts.sprints.some((one) => (one.completed_points ?? 0) > 0 || (one.committed_points ?? 0) > 0) ? "points" : "tasks";
  const bars = [...facts.sprints]
    .sort((a, b) => a.start_date.localeCompare(b.start_date))
    .map((one) => ({
      name: one.name,
      promised: (unit === "points" ? one.committed_points : one.committed_task_count) ?? null,
      done: (unit === "points" ? one.completed_points : one.completed_task_count) ?? 0,
      counts: !one.exclude_from_velocity,
    }));
  return { unit, bars, mean: (unit === "points" ? facts.rolling_avg_points : facts.rolling_avg_tasks) ?? null };
}

/** A sprint that starts or ends a day early is everyday work; from here on it may be a slip. */
const EARLY = 2;

/** How many days before its first day a sprint would start, if that are so many that somebody should know. */
export function startsEarly(sprint: { start_date: string }, today: number): number {
  const days = dayOf(sprint.start_date) - today;
  return days >= EARLY ? days : 0;
}

/** How many days before its last day a sprint would be closed, if that are so many that somebody should know. */
export function closesEarly(sprint: { finish_date: string }, today: number): number {
  const days = dayOf(sprint.finish_date) - today;
  return days >= EARLY ? days : 0;
}

/** The points that a sprint promises: what was promised at its start, or what a planned one holds. */
export function promisedPoints(
  sprint: { state?: string; committed_points: number | null },
  tasks: { story_points?: number | null }[],
): number | null {
  if (sprint.committed_points !== null) return sprint.committed_points;
  return sprint.state === "PLANNED" ? tasks.reduce((sum, one) => sum + (one.story_points ?? 0), 0) : null;
}

export const isTooMuch = (promised: number | null, capacity: number | null | undefined): boolean =>
  promised !== null && capacity != null && promised > capacity;
