// The edit of fields of a row. Its inverse names the version that it expects, so that nobody's change is overwritten.
import { signal } from "@preact/signals";
import { api, ok, type Schemas } from "../../api/client";
import type { CallError } from "../../api/errors";
import { refuse, toast } from "../../app/toast";
import { dayOf } from "../../dates/days";
import { shortDay } from "../../dates/format";
import { schedule } from "../../words/schedule";
import { t } from "../../words/words";
import { may } from "../../projects/rights";
import type { Desk } from "../desk";
import { readRow } from "../plan/load";
import type { TaskRow } from "../plan/row";
import { asOne, type Edit } from "./edits";
import { asSent } from "./finish";

export type Changes = Schemas["PatchedTaskRequest"];

export interface Conflict {
  name: string;
  fields: string[];
  theirs: Record<string, unknown>;
  mine: Record<string, unknown>;
  keepMine: () => void;
}

/** The conflict that waits for a decision, shown by the page. */
export const conflict = signal<Conflict | null>(null);

/** A field that two people changed: theirs is shown, mine is kept until the person decides. */
export interface Kept {
  id: string;
  name: string;
  field: string;
  theirs: unknown;
  mine: unknown;
  keepMine: () => void;
}

const COLUMNS: Record<string, string> = { planned_start: "start", planned_finish: "finish", percent_complete: "percent" };

/** The column that shows a field. */
export const columnOf = (field: string): string => COLUMNS[field] ?? field;

/** The fields that wait for a decision, newest last; shown as chips. */
export const kept = signal<readonly Kept[]>([]);

interface Options {
  base?: number;
  /** Whether a conflict is shown as chips beside the plan; an undo asks in a dialog. */
  chips?: boolean;
  label?: string;
  onRefused?: (error: CallError) => void;
  decide?: (edit: Edit) => void;
}

export function patch(desk: Desk, row: TaskRow, changes: Changes, options: Options = {}): Edit {
  const label = options.label ?? t(schedule.didChange, { name: row.name });
  // The row just before the edit. An undo may wait long, and others change the row meanwhile.
  let before: TaskRow | null = null;
  return {
    label,
    apply: async () => {
      before ??= { ...row };
      show(desk, row, changes);
      const base =
        options.base === undefined ? undefined : options.chips ? Math.max(options.base, desk.written.get(row.id) ?? 0) : options.base;
      const headers = base === undefined ? {} : { "X-Base-Version": base };
      const after = await ok(
        api.PATCH("/api/v1/tasks/{id}/", {
          params: { path: { id: row.id }, header: headers as never },
          body: asSent(desk.calendar, row, changes),
        }),
      );
      desk.written.set(row.id, after.server_version);
      merge(desk, row, after);
      heldBack(desk, row, changes);
      begun(before, row, changes);
      const back = patch(desk, row, inverse(before, changes, row), {
        base: after.server_version,
        label,
        ...(options.decide ? { decide: options.decide } : {}),
      });
      return withProjectStart(desk, changes, back);
    },
    refused: (error) => {
      if (before) merge(desk, row, before);
      before = null;
      if (error.code !== "sync_conflict") {
        options.onRefused?.(error);
        return false;
      }
      const {
        conflict_fields: fields,
        server_value: theirs,
        client_value: mine,
      } = error.body as never as {
        conflict_fields: string[];
        server_value: Record<string, unknown>;
        client_value: Record<string, unknown>;
      };
      if (options.chips) return keepBoth(desk, row, fields, theirs, mine);
      void desk.reload?.();
      const again = patch(desk, row, changes, { label });
      conflict.value = {
        name: row.name,
        fields,
        theirs,
        mine,
        keepMine: () => (options.decide ? options.decide(again) : void again.apply()),
      };
      return true;
    },
  };
}

/** A task that starts before its project takes the project's start along, on the server; an undo brings both back. */
function withProjectStart(desk: Desk, changes: Changes, back: Edit): Edit {
  const before = desk.project.peek()?.start_date;
  const after = changes.planned_start;
  if (!before || !after || after >= before) return back;
  toast(t(schedule.projectMoves, { day: shortDay(dayOf(after)) }));
  return may(desk.project.peek(), "manage") ? asOne(back.label, [back, projectStart(desk, before, after)]) : back;
}

function projectStart(desk: Desk, day: string, before: string): Edit {
  return {
    label: t(schedule.projectMoves, { day: shortDay(dayOf(day)) }),
    apply: async () => {
      await ok(api.PATCH("/api/v1/projects/{id}/", { params: { path: { id: desk.projectId } }, body: { start_date: day } }));
      await desk.reload?.();
      return projectStart(desk, before, day);
    },
  };
}

/** Shows their values and keeps mine, field by field; the other fields of the same edit were free and are sent again. */
function keepBoth(desk: Desk, row: TaskRow, fields: string[], theirs: Record<string, unknown>, mine: Record<string, unknown>): true {
  void readRow(row.id).then(
    (now) => merge(desk, row, now),
    () => undefined,
  );
  const others = kept.peek().filter((one) => one.id !== row.id || !fields.includes(one.field));
  const added = fields.map(
    (field): Kept => ({
      id: row.id,
      name: row.name,
      field,
      theirs: theirs[field],
      mine: mine[field],
      keepMine: () => {
        settle(row.id, field);
        void desk.edits.run(patch(desk, row, { [field]: mine[field] } as Changes));
      },
    }),
  );
  kept.value = [...others, ...added];
  const free = Object.fromEntries(Object.entries(mine).filter(([field]) => !fields.includes(field)));
  if (Object.keys(free).length) void desk.edits.run(patch(desk, row, free as Changes));
  return true;
}

/** Takes a field from the list: it is decided. */
export function settle(id: string, field: string): void {
  kept.value = kept.peek().filter((one) => one.id !== id || one.field !== field);
}

/** The working day that is taken for a day off: work starts after it and finishes before it. */
function nearest(desk: Desk, field: "start" | "finish", day: number): number {
  const next = desk.calendar.next(day);
  return next === day || field === "start" ? next : desk.calendar.add(next, -1);
}

/** A date that was asked for and did not come says so: links, the data date or the calendar decided otherwise. */
function heldBack(desk: Desk, row: TaskRow, changes: Changes): void {
  const task = desk.plan.task(row.id);
  const field = changes.planned_start ? "start" : changes.planned_finish ? "finish" : null;
  if (!field || task < 0) return;
  const at = desk.plan[field][task]!;
  const wish = dayOf((changes.planned_start ?? changes.planned_finish)!);
  if (at === wish) return;
  const said = { name: row.name, day: shortDay(at), asked: shortDay(wish) };
  if (at === nearest(desk, field, wish)) toast(t(schedule.dayOff, said));
  else refuse(t(field === "start" ? schedule.heldBack : schedule.finishesOn, said));
}

/** A start in the past means that work has begun; a person who did not say so is told. */
function begun(before: TaskRow, row: TaskRow, changes: Changes): void {
  if (!changes.planned_start || before.actual_start || !row.actual_start) return;
  toast(t(schedule.counted, { name: row.name, day: shortDay(dayOf(row.actual_start)) }));
}

/** Shows at once what does not need the server: names, percentages, deadlines. */
function show(desk: Desk, row: TaskRow, changes: Changes): void {
  for (const field of ["name", "status", "percent_complete", "deadline"] as const) {
    if (changes[field] !== undefined) (row as Record<string, unknown>)[field] = changes[field];
  }
  refresh(desk, row);
}

/** Takes the fields that the schedule knows from an answer of the server. */
export function merge(desk: Desk, row: TaskRow, task: Partial<Schemas["Task"]> | TaskRow): void {
  for (const key of Object.keys(row) as (keyof TaskRow)[]) {
    if (key in task) (row as Record<string, unknown>)[key] = (task as TaskRow)[key];
  }
  refresh(desk, row);
}

function refresh(desk: Desk, row: TaskRow): void {
  const task = desk.plan.task(row.id);
  if (task >= 0) desk.plan.update(task);
  desk.view.request();
}

const PROGRESS = ["status", "percent_complete", "actual_start", "actual_finish"] as const;

/** The fields as they were, for each field that the changes touch, that follows from one, or that the server set beside them. */
export function inverse(before: TaskRow, changes: Changes, after: TaskRow = before): Changes {
  const back: Record<string, unknown> = {};
  if (PROGRESS.some((field) => after[field] !== before[field])) for (const field of PROGRESS) back[field] = before[field];
  for (const field of Object.keys(changes)) {
    if (field === "planned_finish") back.duration = before.duration;
    else if (field === "percent_complete" || field === "status")
      Object.assign(back, {
        percent_complete: before.percent_complete,
        status: before.status,
        actual_start: before.actual_start,
        actual_finish: before.actual_finish,
      });
    // A constraint that is taken away takes its date with it.
    else if (field === "constraint_type")
      Object.assign(back, { constraint_type: before.constraint_type, constraint_date: before.constraint_date });
    else if (field in before) back[field] = before[field as keyof TaskRow];
  }
  return back as Changes;
}
