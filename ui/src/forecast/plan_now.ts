// What the plan says now, beside what it said when the simulation ran.
import { api, ok } from "../api/client";
import { dayOf, NO_DAY } from "../dates/days";
import type { Run } from "./model";

export interface PlanNow {
  finish: number;
  recalculated: string | null;
  /** The last day of each milestone. */
  milestones: Map<string, number>;
}

export async function readPlanNow(project: string): Promise<PlanNow> {
  const params = { path: { id: project } };
  const [status, detail, milestones] = await Promise.all([
    ok(api.GET("/api/v1/projects/{id}/status-summary/", { params })),
    ok(api.GET("/api/v1/projects/{id}/", { params })),
    ok(api.GET("/api/v1/projects/{id}/milestones/", { params })),
  ]);
  return {
    finish: dayOf(status.finish_date),
    recalculated: detail.recalculated_at ?? null,
    milestones: new Map(milestones.map((one) => [one.id, dayOf(one.early_finish)])),
  };
}

/** Where the plan has gone since a run: to another end, to other milestones, or it was only computed again. */
export type Since = { kind: "finish"; was: number; now: number } | { kind: "milestones"; n: number } | { kind: "computed" };

export function since(run: Pick<Run, "cpm_finish" | "milestones" | "last_run_at">, now: PlanNow): Since | null {
  const was = dayOf(run.cpm_finish);
  if (now.finish !== NO_DAY && was !== NO_DAY && now.finish !== was) return { kind: "finish", was, now: now.finish };
  const moved = run.milestones.filter((one) => !one.is_deadline && movedTo(one, now) !== null);
  if (moved.length) return { kind: "milestones", n: moved.length };
  return now.recalculated !== null && Date.parse(now.recalculated) > Date.parse(run.last_run_at) ? { kind: "computed" } : null;
}

/** The day of a milestone in the plan of now if it is another one than in the run. */
export function movedTo(one: { task_id: string; date: string; is_deadline: boolean }, now: PlanNow): number | null {
  const day = now.milestones.get(one.task_id) ?? NO_DAY;
  return one.is_deadline || day === NO_DAY || day === dayOf(one.date) ? null : day;
}
