// What is sent with a new status, so that the plan says what happened. The server takes a status as a word: work in review is done
// for it, and the plan needs the days on which it was done.
import type { Schemas } from "../api/client";

type Task = Pick<
  Schemas["Task"],
  "status" | "percent_complete" | "actual_start" | "actual_finish" | "duration" | "planned_start" | "sprint" | "is_milestone"
>;
type Changes = Pick<Schemas["PatchedTaskRequest"], "status" | "percent_complete" | "actual_start" | "actual_finish">;

const OPEN = new Set(["NOT_STARTED", "BACKLOG"]);

/** The changes of a task that gets a status on a day (`2026-11-28`). */
export function withStatus(task: Task, status: Task["status"], day: string): Changes {
  const done = (task.percent_complete ?? 0) >= 100;
  if (OPEN.has(status)) return { status, ...begunNever(task) };
  if (status === "REVIEW" && !task.is_milestone) return { status, ...finishedOn(task, day) };
  if (status === "COMPLETE" || task.is_milestone) return { status };
  return { status, ...(task.actual_finish ? { actual_finish: null } : {}), ...(done ? { percent_complete: oneDayLeft(task) } : {}) };
}

/** Work that has not begun has no progress and no actual dates. */
function begunNever(task: Task): Changes {
  return {
    ...(task.percent_complete ? { percent_complete: 0 } : {}),
    ...(task.actual_start ? { actual_start: null } : {}),
    ...(task.actual_finish ? { actual_finish: null } : {}),
  };
}

function finishedOn(task: Task, day: string): Changes {
  const start = task.actual_start ?? day;
  return {
    ...(task.actual_start ? {} : { actual_start: start }),
    ...(task.actual_finish ? {} : { actual_finish: start > day ? start : day }),
  };
}

/** Work that goes on has at least one day left. Progress needs a day or a sprint to begin at. */
function oneDayLeft(task: Task): number {
  const days = task.duration ?? 1;
  return days > 1 && (task.planned_start || task.sprint) ? Math.floor(((days - 1) / days) * 100) : 0;
}
