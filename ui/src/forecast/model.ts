// Reads a simulation: the chance of a date, the lines of the curve, the bars of the histogram. Pure functions.
import type { Schemas } from "../api/client";
import { dayOf } from "../dates/days";

export type Run = Schemas["MonteCarloRun"];

/** The chance in percent that the work is done by a day: the curve is a staircase and stays between its points. */
export function chanceBy(curve: { date: string; pct: number }[], day: number): number {
  let chance = 0;
  for (const point of curve) {
    if (dayOf(point.date) > day) break;
    chance = point.pct;
  }
  return chance;
}

export interface Curve {
  days: number[];
  chance: number[];
}

/** The curve for each day, with a margin of two days at both ends; the plan itself is always inside. */
export function curveOf(run: Pick<Run, "confidence_curve" | "cpm_finish">): Curve {
  const points = run.confidence_curve;
  const first = Math.min(dayOf(points[0]?.date ?? run.cpm_finish), dayOf(run.cpm_finish)) - 2;
  const last = Math.max(dayOf(points[points.length - 1]?.date ?? run.cpm_finish), dayOf(run.cpm_finish)) + 2;
  const days = Array.from({ length: last - first + 1 }, (_, at) => first + at);
  return { days, chance: days.map((day) => chanceBy(points, day)) };
}

export interface Bar {
  from: number;
  to: number;
  count: number;
}

/** The buckets with their last day: a bucket ends where the next one begins. */
export function barsOf(buckets: { date: string; count: number }[]): Bar[] {
  const days = buckets.map((bucket) => dayOf(bucket.date));
  const wide = days.length > 1 ? Math.max(1, days[days.length - 1]! - days[days.length - 2]!) : 1;
  return buckets.map((bucket, at) => ({ from: days[at]!, to: (days[at + 1] ?? days[at]! + wide) - 1, count: bucket.count }));
}

/** Good is what can be promised, bad is less than even odds. */
export const tone = (percent: number): "good" | "warn" | "bad" => (percent >= 80 ? "good" : percent >= 50 ? "warn" : "bad");
