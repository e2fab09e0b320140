// What happens when a bar is let go: confirm if the finish of the project or a promise changes, then one edit, then a toast.
import { ask } from "../../app/dialog";
import { isoOf, NO_DAY } from "../../dates/days";
import { shortDay } from "../../dates/format";
import { schedule } from "../../words/schedule";
import { t } from "../../words/words";
import type { Desk, Gesture } from "../desk";
import { cascade, type Cascade } from "../plan/cascade";
import { done } from "./actions";
import { type Changes, patch } from "./patch";

type DateGesture = Extract<Gesture, { kind: "move" | "resize" | "start" }>;

/** `12 tasks move, finish 3 days later, 1 deadline missed` */
export function cascadeText(found: Cascade | null): string {
  if (!found) return "";
  if (found.stays) return t(schedule.stays);
  const parts = [...(found.begins ? [t(schedule.begins)] : []), t(schedule.moved, { n: found.moved.size })];
  const shift = found.finishAfter - found.finishBefore;
  if (found.finishBefore !== NO_DAY && shift > 0) parts.push(t(schedule.finishLater, { n: shift }));
  if (found.finishBefore !== NO_DAY && shift < 0) parts.push(t(schedule.finishEarlier, { n: -shift }));
  if (found.missed.length) parts.push(t(schedule.missed, { n: found.missed.length }));
  return parts.join(", ");
}

export async function commitDates(desk: Desk, gesture: DateGesture): Promise<void> {
  const { plan, calendar } = desk;
  const row = plan.rows[gesture.task]!;
  const end = () => {
    desk.gesture.value = null;
    desk.view.request();
  };
  if (gesture.start === plan.start[gesture.task] && gesture.finish === plan.finish[gesture.task]) return end();
  const effect = gesture.cascade ?? cascade(plan, calendar, gesture.task, gesture.start, gesture.finish);
  const later = effect.finishAfter > effect.finishBefore || effect.missed.length > 0;
  if (later && !(await ask(t(schedule.confirmTitle), cascadeText(effect), t(schedule.confirmGo)))) return end();
  const changes: Changes = {};
  if (gesture.kind !== "resize") changes.planned_start = isoOf(gesture.start);
  if (gesture.kind !== "move") changes.duration = Math.max(1, calendar.count(gesture.start, gesture.finish));
  const label = t(schedule.didMove, { name: row.name, day: shortDay(gesture.start) });
  const accepted = await desk.edits.run(patch(desk, row, changes, { label, decide: (edit) => void desk.edits.run(edit) }));
  end();
  if (!accepted) return;
  const task = plan.task(row.id);
  if (gesture.kind === "resize" || plan.start[task] === gesture.start)
    done(desk, gesture.kind === "move" ? label : t(schedule.didChange, { name: row.name }));
}
