// The way to a row from outside of the plan: the address, or the palette while the plan is open.
import { setQuery } from "../app/router";
import { arrange, OUTLINE } from "./arrange";
import type { Desk } from "./desk";
import { focusOn } from "./edit/actions";
import { EVERYTHING, filterBy } from "./filter";
import { NO_DAY } from "../dates/days";
import { SUMMARY } from "./plan/flags";

/** The row of the address, or the first one. */
export function atStart(desk: Desk, wish: string | null): void {
  const task = wish ? desk.plan.task(wish) : -1;
  if (task >= 0) showRow(desk, task);
  else if (desk.plan.count > 0 && desk.focus.peek().id === null) focusOn(desk, 0, desk.nameColumn());
}

/** Goes to a row of the open plan and opens its details; false if the plan does not have it. */
export function openRow(desk: Desk, id: string): boolean {
  const task = desk.plan.task(id);
  if (task < 0) return false;
  setQuery({ task: id });
  showRow(desk, task);
  // The dialog that the row was chosen in gives the focus back first.
  setTimeout(() => desk.enter?.("grid"));
  return true;
}

function showRow(desk: Desk, task: number): void {
  const id = desk.plan.rows[task]!.id;
  unhide(desk, task);
  const now = desk.plan.task(id);
  desk.selected.value = new Set();
  desk.inspector.value = true;
  focusOn(desk, now, desk.nameColumn());
  if (desk.plan.start[now] !== NO_DAY) desk.view.reveal(desk.plan.start[now]!, desk.plan.finish[now]!);
}

/** Takes away what hides a row: a filter, groups without phases, closed phases above it. */
function unhide(desk: Desk, task: number): void {
  const { plan } = desk;
  if (plan.rowOf[task]! < 0 && plan.filter) filterBy(desk, EVERYTHING);
  if (desk.arrangement.peek().group && plan.flags[task]! & SUMMARY) arrange(desk, OUTLINE);
  for (let above = plan.parent[task]!; above >= 0; above = plan.parent[above]!)
    if (plan.closed.has(plan.rows[above]!.id)) plan.toggle(above, true);
}
