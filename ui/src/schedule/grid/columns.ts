// The columns of the grid: what they show, what a person can type in them, and the edits that follow.
import { dayOf, isoOf, NO_DAY, today } from "../../dates/days";
import { shortDay, typedDay } from "../../dates/format";
import { arrange } from "../../words/arrange";
import { schedule } from "../../words/schedule";
import { type Message, t } from "../../words/words";
import { statusText } from "../arrange";
import type { Desk } from "../desk";
import { typedDuration, typedHours } from "../edit/duration";
import { circleOf, setPredecessors } from "../edit/link_edits";
import { parsePredecessors, predecessorText } from "../edit/predecessors";
import { bulk } from "../edit/bulk";
import { asOne, type Edit } from "../edit/edits";
import { type Changes, patch } from "../edit/patch";
import { isGroup } from "../plan/layout";
import { MILESTONE, SUMMARY } from "../plan/flags";
import type { TaskRow } from "../plan/row";

export interface Column {
  key: string;
  title: Message;
  width: number;
  /** Its share of the room that is left; a column without one has its width only. */
  grows?: number;
  right?: boolean;
  text: (desk: Desk, task: number) => string;
  /** The text that the editor begins with; absent if the column cannot be edited. */
  typed?: (desk: Desk, task: number) => string;
  /** What was typed as a change of the task, or a sentence that says what is wrong. */
  read?: (desk: Desk, task: number, text: string) => Changes | string;
  /** For what is not a field of the task. */
  edits?: (desk: Desk, task: number, text: string) => Edit[] | string;
}

/** The most characters of a name. */
const NAME_MOST = 512;

const day = (text: string, near: number): number => (text.trim() ? typedDay(text, near === NO_DAY ? today() : near) : NO_DAY);

function date(field: keyof Changes, text: string, near: number): Changes | string {
  const at = day(text, near);
  if (at === NO_DAY && text.trim()) return t(schedule.badDate, { text });
  return { [field]: at === NO_DAY ? null : isoOf(at) } as Changes;
}

/** One of the three estimates that the simulation draws durations from. */
function estimate(key: string, title: Message, field: "optimistic_duration" | "most_likely_duration" | "pessimistic_duration"): Column {
  return {
    key,
    title,
    width: 84,
    right: true,
    text: (desk, task) => {
      const days = desk.plan.rows[task]![field];
      return days === null ? "" : t(schedule.dayUnit, { n: days });
    },
    typed: (desk, task) => String(desk.plan.rows[task]![field] ?? ""),
    read: (_desk, _task, text) => {
      const days = text.trim() ? typedDuration(text) : null;
      return days !== null && days < 0 ? t(schedule.badDuration, { text }) : ({ [field]: days } as Changes);
    },
  };
}

const inDays = (days: number | null): string => (days === null ? "" : t(schedule.dayUnit, { n: days }));

export const COLUMNS: Column[] = [
  { key: "outline", title: schedule.outline, width: 44, text: (desk, task) => desk.plan.rows[task]!.wbs_path ?? "" },
  {
    key: "name",
    title: schedule.name,
    width: 0,
    text: (desk, task) => desk.plan.rows[task]!.name,
    typed: (desk, task) => desk.plan.rows[task]!.name,
    read: (_desk, _task, text) =>
      !text.trim()
        ? t(schedule.noName)
        : [...text.trim()].length > NAME_MOST
          ? t(schedule.longName, { n: NAME_MOST })
          : { name: text.trim() },
  },
  {
    key: "duration",
    title: schedule.duration,
    width: 66,
    right: true,
    text: (desk, task) => {
      const row = desk.plan.rows[task]!;
      return desk.plan.flags[task]! & MILESTONE
        ? "◆"
        : row.duration === null
          ? ""
          : t(row.duration_unit === "hours" ? schedule.hourUnit : schedule.dayUnit, { n: row.duration });
    },
    typed: (desk, task) => String(desk.plan.rows[task]!.duration ?? ""),
    read: (desk, task, text) => {
      const days = desk.plan.rows[task]!.duration_unit === "hours" ? typedHours(text) : typedDuration(text);
      return days < 0 ? t(schedule.badDuration, { text }) : { duration: days };
    },
  },
  {
    key: "start",
    title: schedule.start,
    width: 84,
    right: true,
    text: (desk, task) => shortDay(desk.plan.start[task]!),
    typed: (desk, task) => (desk.plan.start[task] === NO_DAY ? "" : isoOf(desk.plan.start[task]!)),
    read: (desk, task, text) => date("planned_start", text, desk.plan.start[task]!),
  },
  {
    key: "finish",
    title: schedule.finish,
    width: 84,
    right: true,
    text: (desk, task) => shortDay(desk.plan.finish[task]!),
    typed: (desk, task) => (desk.plan.finish[task] === NO_DAY ? "" : isoOf(desk.plan.finish[task]!)),
    read: (desk, task, text) => {
      const at = day(text, desk.plan.finish[task]!);
      const began = dayOf(desk.plan.rows[task]!.actual_start);
      if (at !== NO_DAY && began !== NO_DAY && at < began) return t(schedule.beforeBegin, { day: shortDay(began) });
      return date("planned_finish", text, desk.plan.finish[task]!);
    },
  },
  {
    key: "percent",
    title: schedule.percent,
    width: 36,
    right: true,
    text: (desk, task) => (desk.plan.percent[task]! > 0 ? String(Math.round(desk.plan.percent[task]!)) : ""),
    typed: (desk, task) => String(Math.round(desk.plan.percent[task]!)),
    read: (_desk, _task, text) => {
      const value = Number(text.replace("%", "").replace(",", ".").trim());
      return Number.isFinite(value) && value >= 0 && value <= 100 ? { percent_complete: value } : t(schedule.badPercent, { text });
    },
  },
  {
    key: "predecessors",
    title: schedule.predecessors,
    width: 104,
    grows: 0.5,
    text: predecessorText,
    typed: predecessorText,
    edits: (desk, task, text) => {
      const wanted = parsePredecessors(desk, text);
      return typeof wanted === "string" ? wanted : (circleOf(desk, task, wanted) ?? setPredecessors(desk, task, wanted));
    },
  },
  {
    key: "float",
    title: schedule.float,
    width: 52,
    right: true,
    text: (desk, task) => (desk.plan.float[task] === NO_DAY ? "" : t(schedule.dayUnit, { n: desk.plan.float[task]! })),
  },
  {
    key: "deadline",
    title: schedule.deadline,
    width: 84,
    right: true,
    text: (desk, task) => shortDay(desk.plan.deadline[task]!),
    typed: (desk, task) => (desk.plan.deadline[task] === NO_DAY ? "" : isoOf(desk.plan.deadline[task]!)),
    read: (desk, task, text) =>
      date("deadline", text, desk.plan.deadline[task] === NO_DAY ? desk.plan.finish[task]! : desk.plan.deadline[task]!),
  },
  estimate("optimistic", schedule.optimistic, "optimistic_duration"),
  estimate("likely", schedule.likely, "most_likely_duration"),
  estimate("pessimistic", schedule.pessimistic, "pessimistic_duration"),
  { key: "freeFloat", title: arrange.freeFloat, width: 66, right: true, text: (desk, task) => inDays(desk.plan.rows[task]!.free_float) },
  {
    key: "status",
    title: arrange.status,
    width: 92,
    text: (desk, task) => (desk.plan.flags[task]! & SUMMARY ? "" : statusText(desk.plan.rows[task]!.status)),
  },
  { key: "baseFinish", title: arrange.baseFinish, width: 84, right: true, text: (desk, task) => shortDay(desk.plan.baseFinish[task]!) },
  {
    key: "slip",
    title: arrange.slip,
    width: 52,
    right: true,
    text: (desk, task) =>
      desk.plan.baseFinish[task] === NO_DAY || desk.plan.finish[task] === NO_DAY
        ? ""
        : inDays(desk.plan.finish[task]! - desk.plan.baseFinish[task]!),
  },
  {
    key: "actualStart",
    title: arrange.actualStart,
    width: 84,
    right: true,
    text: (desk, task) => shortDay(dayOf(desk.plan.rows[task]!.actual_start)),
  },
  {
    key: "actualFinish",
    title: arrange.actualFinish,
    width: 84,
    right: true,
    text: (desk, task) => shortDay(dayOf(desk.plan.rows[task]!.actual_finish)),
  },
  {
    key: "people",
    title: schedule.people,
    width: 120,
    text: (desk, task) => desk.plan.rows[task]!.assignments.map((one) => one.resource_name).join(", "),
  },
];

/** Phases take their dates and progress from the rows below them. */
export function canEdit(desk: Desk, column: Column, task: number): boolean {
  if (column.edits) return desk.canLink.peek() && !isGroup(desk.plan.rows[task]!);
  if (!desk.canAuthor.peek() || !column.read || !desk.plan.rows[task]!.can_edit) return false;
  const computed = ["duration", "start", "finish", "percent", "optimistic", "likely", "pessimistic"].includes(column.key);
  return !(computed && desk.plan.flags[task]! & SUMMARY);
}

/** The chosen rows that take the same value, if the edited row is one of them. */
function together(desk: Desk, column: Column, task: number): TaskRow[] {
  const picked = desk.selected.peek();
  if (column.key === "name" || picked.size < 2 || !picked.has(desk.plan.rows[task]!.id)) return [];
  return desk.plan.rows.filter((row) => picked.has(row.id) && canEdit(desk, column, desk.plan.task(row.id)));
}

/** `base` is the version that the person saw when the editor was opened. */
export function editsFor(desk: Desk, column: Column, task: number, text: string, base: number): Edit[] | string {
  const row = desk.plan.rows[task]!;
  const onRefused = () => {
    desk.editing.value ??= { id: row.id, column: column.key, typed: text };
  };
  if (column.edits) {
    const edits = column.edits(desk, task, text);
    return typeof edits === "string"
      ? edits
      : edits.length
        ? [asOne(edits.length === 1 ? edits[0]!.label : t(schedule.didChange, { name: row.name }), edits, () => onRefused())]
        : [];
  }
  const changes = column.read!(desk, task, text);
  if (typeof changes === "string") return changes;
  const others = together(desk, column, task);
  if (others.length > 1) return [bulk(desk, others, () => changes)];
  return [patch(desk, row, changes, { base, chips: true, onRefused, decide: (edit) => void desk.edits.run(edit) })];
}
