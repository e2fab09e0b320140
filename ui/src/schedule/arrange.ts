// How the rows stand: in the outline, sorted by a column, or in groups. Rows keep their place while they are edited and
// are sorted again when the plan is read again or the order is chosen anew.
import { NO_DAY, partsOf, dayFrom } from "../dates/days";
import { monthAndYear } from "../dates/format";
import { arrange as words } from "../words/arrange";
import { board } from "../words/board";
import { schedule } from "../words/schedule";
import { type Message, t } from "../words/words";
import type { Desk } from "./desk";
import { groupsBy, type Layout, sortedOrder } from "./plan/layout";
import { CRITICAL, DONE, NEAR } from "./plan/flags";
import type { Plan } from "./plan/plan";

export const GROUPS = ["person", "status", "pressure", "month"] as const;
export const SORTS = ["name", "start", "finish", "duration", "float", "percent", "deadline", "people", "status"] as const;

export type GroupKey = (typeof GROUPS)[number];
export type SortKey = (typeof SORTS)[number];

export interface Arrangement {
  group: GroupKey | null;
  sort: SortKey | null;
  down: boolean;
}

export const OUTLINE: Arrangement = { group: null, sort: null, down: false };

export const isArranged = ({ group, sort }: Arrangement): boolean => group !== null || sort !== null;

/** Puts the rows in another order; focus, selection and closed rows stay. */
export function arrange(desk: Desk, wish: Arrangement): void {
  desk.arrangement.value = wish;
  desk.plan.arranged = isArranged(wish) ? (plan) => layOut(plan, wish) : null;
  desk.plan.rebuild();
  if (desk.focusTask() < 0 && desk.plan.visible.length)
    desk.focus.value = { id: desk.plan.rows[desk.plan.visible[0]!]!.id, col: desk.focus.peek().col };
  desk.view.request();
}

/** A click on the header of a column: up, down, then the outline again. */
export function turnSort(desk: Desk, key: string): void {
  const now = desk.arrangement.peek();
  if (!(SORTS as readonly string[]).includes(key)) return arrange(desk, { ...now, sort: null, down: false });
  if (now.sort !== key) return arrange(desk, { ...now, sort: key as SortKey, down: false });
  return arrange(desk, now.down ? { ...now, sort: null, down: false } : { ...now, down: true });
}

export function layOut(plan: Plan, wish: Arrangement): Layout {
  const before = wish.sort ? comparer(plan, wish.sort, wish.down) : null;
  if (!wish.group) return { order: sortedOrder(plan, before ?? ((a, b) => a - b)) };
  return { order: [], groups: groupsBy(plan, (task) => groupOf(plan, task, wish.group!), before) };
}

/** What is not known stands last, whatever the direction. */
function comparer(plan: Plan, key: SortKey, down: boolean): (a: number, b: number) => number {
  const value = (task: number): number | string | null => {
    const row = plan.rows[task]!;
    switch (key) {
      case "name":
        return row.name.toLocaleLowerCase();
      case "people":
        return (
          row.assignments
            .map((one) => one.resource_name)
            .join(", ")
            .toLocaleLowerCase() || null
        );
      case "status":
        return STATUSES.indexOf(row.status as (typeof STATUSES)[number]);
      case "duration":
        return row.duration;
      case "percent":
        return plan.percent[task]!;
      default:
        return plan[key][task] === NO_DAY ? null : plan[key][task]!;
    }
  };
  const side = down ? -1 : 1;
  return (a, b) => {
    const [x, y] = [value(a), value(b)];
    if (x === null || y === null) return x === y ? a - b : x === null ? 1 : -1;
    const order = typeof x === "string" ? x.localeCompare(y as string) : x - (y as number);
    return order * side || a - b;
  };
}

export const STATUSES = ["BACKLOG", "NOT_STARTED", "IN_PROGRESS", "REVIEW", "ON_HOLD", "COMPLETE"] as const;

export const statusText = (status: string | null | undefined): string => {
  const found: Message | undefined = board[status as (typeof STATUSES)[number]];
  return found ? t(found) : "";
};

function groupOf(plan: Plan, task: number, by: GroupKey): { key: string; name: string; rank: string | number } {
  const row = plan.rows[task]!;
  if (by === "status")
    return { key: row.status ?? "", name: statusText(row.status), rank: STATUSES.indexOf(row.status as (typeof STATUSES)[number]) };
  if (by === "person") {
    const names = row.assignments
      .map((one) => one.resource_name)
      .sort()
      .join(", ");
    return { key: names || "nobody", name: names || t(words.nobody), rank: names ? `0${names.toLocaleLowerCase()}` : "1" };
  }
  if (by === "pressure") {
    const flags = plan.flags[task]!;
    const at = flags & DONE ? 3 : flags & CRITICAL ? 0 : flags & NEAR ? 1 : 2;
    return { key: String(at), name: t([schedule.critical, schedule.near, words.withFloat, schedule.done][at]!), rank: at };
  }
  if (plan.finish[task] === NO_DAY) return { key: "none", name: t(words.noDate), rank: 1e9 };
  const { year, month } = partsOf(plan.finish[task]!);
  const first = dayFrom(year, month, 1);
  return { key: String(first), name: monthAndYear(first), rank: first };
}
