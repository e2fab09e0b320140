// What the bar of a row shows, as a sentence: the accessible side of the chart.
import { NO_DAY } from "../../dates/days";
import { longDay } from "../../dates/format";
import { schedule } from "../../words/schedule";
import { t } from "../../words/words";
import type { Desk } from "../desk";
import { BROKEN, CRITICAL, DONE, LATE, MILESTONE, NEAR, SUMMARY } from "../plan/flags";

export function barText(desk: Desk, task: number): string {
  const { plan } = desk;
  if (plan.start[task] === NO_DAY) return "–";
  const flags = plan.flags[task]!;
  const parts: string[] = [];
  if (flags & MILESTONE) parts.push(t(schedule.milestone), longDay(plan.start[task]!));
  else {
    if (flags & SUMMARY) parts.push(t(schedule.phase));
    parts.push(t(schedule.barTask, { start: longDay(plan.start[task]!), finish: longDay(plan.finish[task]!) }));
  }
  if (flags & DONE) parts.push(t(schedule.done));
  else if (flags & CRITICAL) parts.push(t(schedule.critical));
  else if (flags & NEAR) parts.push(t(schedule.near));
  if (!(flags & DONE) && plan.float[task] !== NO_DAY) parts.push(t(schedule.barFloat, { n: plan.float[task]! }));
  plan.links.eachIn(task, (link, from) => {
    if (plan.links.driving[link]) parts.push(t(schedule.barDriver, { name: plan.rows[from]!.name }));
  });
  if (plan.deadline[task] !== NO_DAY)
    parts.push(flags & LATE ? t(schedule.barLate) : t(schedule.barDeadline, { day: longDay(plan.deadline[task]!) }));
  if (flags & BROKEN) parts.push(t(schedule.broken));
  return parts.join(", ");
}
