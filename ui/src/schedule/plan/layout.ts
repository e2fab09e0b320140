// Other ways to stand than the outline: siblings in another order, or groups with a heading in place of the phases.
import { isoOf, NO_DAY } from "../../dates/days";
import { SUMMARY } from "./flags";
import type { Plan } from "./plan";
import { draftRow, type TaskRow } from "./row";

export interface Group {
  /** The same group has the same key after the plan was read again, so that it stays closed. */
  key: string;
  name: string;
  tasks: number[];
}

/** Either an order of all rows, or groups that hold the rows without phases. */
export interface Layout {
  order: number[];
  groups?: Group[];
}

const MARK = "group-";

export const isGroup = (row: TaskRow): boolean => row.id.startsWith(MARK);

/** The heading of a group: its span, and its progress weighed by duration. */
export function groupRow(plan: Plan, group: Group): TaskRow {
  let [start, finish, days, done] = [NO_DAY, NO_DAY, 0, 0];
  for (const task of group.tasks) {
    if (plan.start[task] === NO_DAY) continue;
    if (start === NO_DAY || plan.start[task]! < start) start = plan.start[task]!;
    if (plan.finish[task]! > finish) finish = plan.finish[task]!;
    const weight = Math.max(1, plan.rows[task]!.duration ?? 1);
    days += weight;
    done += weight * plan.percent[task]!;
  }
  const dates = start === NO_DAY ? {} : { scheduled_start: isoOf(start), scheduled_finish: isoOf(finish) };
  return {
    ...draftRow(`${MARK}${group.key}`, null),
    name: `${group.name} (${group.tasks.length})`,
    duration: null as never,
    is_summary: true,
    can_edit: false,
    percent_complete: days ? done / days : 0,
    ...dates,
  };
}

/** Siblings in the order of `before`, each phase with everything below it. */
export function sortedOrder(plan: Plan, before: (a: number, b: number) => number): number[] {
  const below = new Map<number, number[]>();
  for (let task = 0; task < plan.own; task++) {
    const list = below.get(plan.parent[task]!);
    if (list) list.push(task);
    else below.set(plan.parent[task]!, [task]);
  }
  const order: number[] = [];
  const add = (parent: number) => {
    for (const task of (below.get(parent) ?? []).sort(before)) {
      order.push(task);
      add(task);
    }
  };
  add(-1);
  return order;
}

/** Rows without phases, grouped by a key in the order of the keys. */
export function groupsBy(
  plan: Plan,
  keyOf: (task: number) => { key: string; name: string; rank: string | number },
  before: ((a: number, b: number) => number) | null,
): Group[] {
  const found = new Map<string, Group & { rank: string | number }>();
  for (let task = 0; task < plan.own; task++) {
    if (plan.flags[task]! & SUMMARY) continue;
    const { key, name, rank } = keyOf(task);
    const group = found.get(key);
    if (group) group.tasks.push(task);
    else found.set(key, { key, name, rank, tasks: [task] });
  }
  const groups = [...found.values()].sort((a, b) =>
    typeof a.rank === "number" && typeof b.rank === "number" ? a.rank - b.rank : String(a.rank).localeCompare(String(b.rank)),
  );
  if (before) for (const group of groups) group.tasks.sort(before);
  return groups;
}
