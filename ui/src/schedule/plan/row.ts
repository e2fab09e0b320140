// A row of the plan as the schedule needs it: some fields of a task, under the names of the server.
import type { Schemas } from "../../api/client";

export const FIELDS = [
  "server_version",
  "short_id_display",
  "qualified_id",
  "name",
  "wbs_path",
  "parent_id",
  "status",
  "duration",
  "duration_unit",
  "percent_complete",
  "planned_start",
  "deadline",
  "constraint_type",
  "constraint_date",
  "early_start",
  "early_finish",
  "scheduled_start",
  "scheduled_finish",
  "total_float",
  "free_float",
  "is_critical",
  "is_milestone",
  "is_summary",
  "is_subtask",
  "baseline_start",
  "baseline_finish",
  "actual_start",
  "actual_finish",
  "schedule_issue",
  "assignments",
  "is_blocked",
  "can_edit",
  "optimistic_duration",
  "most_likely_duration",
  "pessimistic_duration",
  "calendar",
  "assignee",
] as const;

export type TaskRow = Pick<Schemas["Task"], "id" | (typeof FIELDS)[number]>;
export type LinkRow = Pick<
  Schemas["Dependency"],
  "id" | "predecessor" | "successor" | "dep_type" | "lag" | "is_driving" | "pending_acceptance"
>;

/** A row that a person has opened and not yet named; it has no id on the server. */
export function draftRow(id: string, parent: string | null): TaskRow {
  return {
    id,
    server_version: 0,
    short_id_display: "",
    qualified_id: "",
    name: "",
    wbs_path: "",
    parent_id: parent,
    status: "NOT_STARTED",
    duration: 1,
    duration_unit: "days",
    percent_complete: 0,
    planned_start: null,
    deadline: null,
    constraint_type: null,
    constraint_date: null,
    early_start: null,
    early_finish: null,
    scheduled_start: null,
    scheduled_finish: null,
    total_float: null,
    free_float: null,
    is_critical: false,
    is_milestone: false,
    is_summary: false,
    is_subtask: false,
    baseline_start: null,
    baseline_finish: null,
    actual_start: null,
    actual_finish: null,
    schedule_issue: null,
    assignments: [],
    is_blocked: false,
    can_edit: true,
    optimistic_duration: null,
    most_likely_duration: null,
    pessimistic_duration: null,
    calendar: null,
    assignee: null,
  } as TaskRow;
}

export const isDraft = (row: TaskRow): boolean => row.id.startsWith("draft-");

/** Compares outline numbers part by part: 2.9 stands before 2.10. */
export function byOutline(a: TaskRow, b: TaskRow): number {
  return comparePaths(a.wbs_path ?? "", b.wbs_path ?? "");
}

export function comparePaths(a: string, b: string): number {
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    let x = 0;
    let y = 0;
    while (i < a.length && a.charCodeAt(i) !== 46) x = x * 10 + a.charCodeAt(i++) - 48;
    while (j < b.length && b.charCodeAt(j) !== 46) y = y * 10 + b.charCodeAt(j++) - 48;
    if (x !== y) return x - y;
    i++;
    j++;
  }
  return a.length - b.length;
}
