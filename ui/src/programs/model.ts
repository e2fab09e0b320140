// The rules of the page of a program: how far projects reach, which links cross, who is asked for too much.
import type { Schemas } from "../api/client";
import { dayOf, NO_DAY, weekday } from "../dates/days";

export type Plan = Schemas["ProgramSchedule"];
export type Task = Plan["tasks"][number];

export const nameOf = (task: Task): string => ("name" in task ? task.name : (task as { title: string }).title) ?? "";

export interface Span {
  id: string;
  name: string;
  accessible: boolean;
  start: number;
  finish: number;
  milestones: { id: string; name: string; day: number; critical: boolean }[];
  criticalStart: number;
  criticalFinish: number;
}

/** From the first start to the last finish of each project, with its milestones and the part that is critical for the program. */
export function spansOf(plan: Plan): Span[] {
  return plan.projects.map((project) => {
    const tasks = plan.tasks.filter((task) => task.project_id === project.id);
    const ends = (some: Task[]): [number, number] => [
      Math.min(...some.map((task) => dayOf(task.early_start)).filter((day) => day !== NO_DAY)),
      Math.max(...some.map((task) => dayOf(task.early_finish))),
    ];
    const [start, finish] = tasks.length ? ends(tasks) : [NO_DAY, NO_DAY];
    const critical = tasks.filter((task) => task.is_critical);
    const [criticalStart, criticalFinish] = critical.length ? ends(critical) : [NO_DAY, NO_DAY];
    const milestones = tasks
      .filter((task) => task.is_milestone)
      .map((task) => ({ id: task.id, name: nameOf(task), day: dayOf(task.early_finish), critical: task.is_critical }));
    return { ...project, start, finish, milestones, criticalStart, criticalFinish };
  });
}

export interface Cross {
  before: Task;
  after: Task;
  type: string;
  lag: number;
  /** Free days between the two, or null where the link does not go from a finish to a start. */
  slack: number | null;
}

/** Links that cross from one project into another, the tightest first. */
export function crossLinks(plan: Plan): Cross[] {
  const byId = new Map(plan.tasks.map((task) => [task.id, task]));
  const found: Cross[] = [];
  for (const link of plan.links) {
    const before = byId.get(link.predecessor_id);
    const after = byId.get(link.successor_id);
    if (!link.is_cross_project || !before || !after) continue;
    found.push({
      before,
      after,
      type: link.dep_type,
      lag: link.lag_days,
      slack: link.dep_type === "FS" ? Math.max(0, dayOf(after.early_start) - dayOf(before.early_finish) - 1) : null,
    });
  }
  return found.sort(
    (a, b) =>
      Number(b.after.is_critical && b.before.is_critical) - Number(a.after.is_critical && a.before.is_critical) ||
      (a.slack ?? 0) - (b.slack ?? 0),
  );
}

export interface Contended {
  id: string;
  name: string;
  weeks: { week: number; units: number }[];
  most: number;
  /** What the worst weeks ask. */
  peak: number;
  projects: string[];
}

/** People whose open work in one week, over all projects, is above what they have. Days count from Monday to Friday. */
export function contendedOf(resources: Schemas["AllocatedResource"][], today: number): Contended[] {
  const found: Contended[] = [];
  for (const one of resources) {
    const days = new Map<number, number>();
    const projects = new Map<number, Set<string>>();
    for (const task of one.tasks) {
      if (task.status === "COMPLETE") continue;
      const from = Math.max(today, dayOf(task.scheduled_start ?? task.early_start));
      for (let day = from; day <= dayOf(task.early_finish); day++) {
        if (weekday(day) > 4) continue;
        days.set(day, (days.get(day) ?? 0) + Number(task.units));
        const monday = day - weekday(day);
        projects.set(monday, (projects.get(monday) ?? new Set()).add(task.project_name ?? ""));
      }
    }
    const weeks = new Map<number, number>();
    for (const [day, units] of days) {
      const monday = day - weekday(day);
      weeks.set(monday, Math.max(weeks.get(monday) ?? 0, units));
    }
    const over = [...weeks].filter(([, units]) => units > Number(one.max_units) + 0.001).map(([week, units]) => ({ week, units }));
    if (!over.length) continue;
    const peak = Math.max(...over.map(({ units }) => units));
    found.push({
      id: one.id,
      name: one.name,
      most: Number(one.max_units),
      peak,
      weeks: over.sort((a, b) => a.week - b.week),
      projects: [...new Set(over.flatMap(({ week }) => [...(projects.get(week) ?? [])]))],
    });
  }
  return found.sort((a, b) => b.weeks.length - a.weeks.length || a.name.localeCompare(b.name));
}
