import { describe, expect, it } from "vitest";
import { withStatus } from "./task_status";

const task = {
  status: "NOT_STARTED",
  percent_complete: 0,
  actual_start: null,
  actual_finish: null,
  duration: 5,
  planned_start: "2026-11-02",
  sprint: null,
  is_milestone: false,
} as const;
const day = "2026-11-28";

describe("a new status", () => {
  it("of work in review says on which day it was done", () => {
    expect(withStatus(task, "REVIEW", day)).toEqual({ status: "REVIEW", actual_start: day, actual_finish: day });
    expect(withStatus({ ...task, actual_start: "2026-11-20" }, "REVIEW", day)).toEqual({ status: "REVIEW", actual_finish: day });
    expect(withStatus({ ...task, actual_start: "2026-11-30" }, "REVIEW", day).actual_finish).toBe("2026-11-30");
  });
  it("of work that goes on leaves at least one day", () => {
    const done = { ...task, status: "REVIEW", percent_complete: 100, actual_start: day, actual_finish: day } as const;
    expect(withStatus(done, "IN_PROGRESS", day)).toEqual({ status: "IN_PROGRESS", actual_finish: null, percent_complete: 80 });
    expect(withStatus({ ...done, planned_start: null }, "IN_PROGRESS", day).percent_complete).toBe(0);
    expect(withStatus({ ...task, percent_complete: 40 }, "IN_PROGRESS", day)).toEqual({ status: "IN_PROGRESS" });
  });
  it("of work that has not begun takes progress and actual dates back", () => {
    const begun = { ...task, status: "IN_PROGRESS", percent_complete: 20, actual_start: day } as const;
    expect(withStatus(begun, "NOT_STARTED", day)).toEqual({ status: "NOT_STARTED", percent_complete: 0, actual_start: null });
    expect(withStatus(task, "BACKLOG", day)).toEqual({ status: "BACKLOG" });
  });
  it("of finished work is left to the server, and so is that of milestones", () => {
    expect(withStatus(task, "COMPLETE", day)).toEqual({ status: "COMPLETE" });
    expect(withStatus({ ...task, is_milestone: true }, "REVIEW", day)).toEqual({ status: "REVIEW" });
  });
});
