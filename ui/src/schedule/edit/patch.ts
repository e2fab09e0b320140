// The edit of fields of a row. Its inverse names the version that it expects, so that nobody's change is overwritten.
import { signal } from "@preact/signals";
import { api, ok, type Schemas } from "../../api/client";
import type { CallError } from "../../api/errors";
import { refuse } from "../../app/toast";
import { dayOf } from "../../dates/days";
import { shortDay } from "../../dates/format";
import { schedule } from "../../words/schedule";
import { t } from "../../words/words";
import type { Desk } from "../desk";
import type { TaskRow } from "../plan/row";
import type { Edit } from "./edits";

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

export function patch(desk: Desk, row: TaskRow, changes: Changes, options: { base?: number; label?: string; onRefused?: (error: CallError) => void; decide?: (edit: Edit) => void } = {}): Edit {
  const label = options.label ?? t(schedule.didChange, { name: row.name });
  const before = { ...row };
  return {
    label,
    apply: async () => {
      show(desk, row, changes);
      const headers = options.base === undefined ? {} : { "X-Base-Version": options.base };
      const after = await ok(api.PATCH("/api/v1/tasks/{id}/", { params: { path: { id: row.id }, header: headers as never }, body: changes }));
      merge(desk, row, after);
      heldBack(desk, row, changes);
      return patch(desk, row, inverse(before, changes), { base: after.server_version, label, ...(options.decide ? { decide: options.decide } : {}) });
    },
    refused: (error) => {
      merge(desk, row, before);
      if (error.code !== "sync_conflict") {
        options.onRefused?.(error);
        return false;
      }
      const { conflict_fields: fields, server_value: theirs, client_value: mine } = error.body as never as { conflict_fields: string[]; server_value: Record<string, unknown>; client_value: Record<string, unknown> };
      const again = patch(desk, row, changes, { label });
      conflict.value = { name: row.name, fields, theirs, mine, keepMine: () => (options.decide ? options.decide(again) : void again.apply()) };
      return true;
    },
  };
}

/** A start that was asked for and did not come says so: links, the data date or the calendar decided otherwise. */
function heldBack(desk: Desk, row: TaskRow, changes: Changes): void {
  const start = desk.plan.start[desk.plan.task(row.id)];
  if (!changes.planned_start || start === undefined || start === dayOf(changes.planned_start)) return;
  refuse(t(schedule.heldBack, { name: row.name, day: shortDay(start) }));
}

/** Shows at once what does not need the server: names, percentages, deadlines. */
function show(desk: Desk, row: TaskRow, changes: Changes): void {
  for (const field of ["name", "percent_complete", "deadline"] as const) {
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

/** The fields as they were, for each field that the changes touch or that follows from one. */
export function inverse(before: TaskRow, changes: Changes): Changes {
  const back: Record<string, unknown> = {};
  for (const field of Object.keys(changes)) {
    if (field === "planned_finish") back.duration = before.duration;
    else if (field === "percent_complete" || field === "status") Object.assign(back, { percent_complete: before.percent_complete, status: before.status, actual_start: before.actual_start, actual_finish: before.actual_finish });
    else if (field in before) back[field] = before[field as keyof TaskRow];
  }
  return back as Changes;
}
