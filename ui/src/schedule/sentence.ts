// The plan in one sentence, for the status bar.
import { NO_DAY } from "../dates/days";
import { shortDay } from "../dates/format";
import { schedule } from "../words/schedule";
import { t } from "../words/words";
import type { Desk } from "./desk";
import { CRITICAL, DONE, SUMMARY } from "./plan/flags";

export function planSentence(desk: Desk): string {
  const { plan } = desk;
  if (!plan.count) return "";
  let critical = 0;
  let finish = NO_DAY;
  for (let task = 0; task < plan.count; task++) {
    if (plan.flags[task]! & SUMMARY) continue;
    if (plan.flags[task]! & CRITICAL && !(plan.flags[task]! & DONE)) critical++;
    if (plan.finish[task]! > finish) finish = plan.finish[task]!;
  }
  const parts = [t(schedule.rowCount, { n: plan.own })];
  if (plan.filter) parts.unshift(`${plan.visible.length} /`);
  if (finish !== NO_DAY) parts.push(t(schedule.finishOn, { day: shortDay(finish) }));
  parts.push(t(schedule.criticalCount, { n: critical }));
  if (plan.broken.size) parts.push(t(schedule.conflicts, { n: plan.broken.size }));
  return parts.join(" · ").replace("/ ·", "/");
}
