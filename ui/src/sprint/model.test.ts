import { describe, expect, it } from "vitest";
import { dayOf } from "../dates/days";
import {
  burnOf,
  closesEarly,
  daysLeft,
  firstShown,
  isTooMuch,
  middleCard,
  paceOf,
  paceStatus,
  progressOf,
  promisedPoints,
  startsEarly,
  type Snapshot,
  type Sprint,
} from "./model";

const sprint = (name: string, state: string, start: string) => ({ name, state, start_date: start }) as Sprint;
const shot = (day: string, tasks: number, done: number, points: number | null = null) =>
  ({
    snapshot_date: day,
    remaining_points: points,
    remaining_task_count: tasks,
    completed_points: points === null ? null : 0,
    completed_task_count: done,
  }) as Snapshot;
const week = { start_date: "2026-11-02", finish_date: "2026-11-06" };

describe("sprints", () => {
  it("the running sprint is shown first, then the next planned one", () => {
    const some = [sprint("c", "PLANNED", "2026-03-01"), sprint("b", "PLANNED", "2026-02-01"), sprint("a", "COMPLETED", "2026-01-01")];
    expect(firstShown(some)?.name).toBe("b");
    expect(firstShown([...some, sprint("d", "ACTIVE", "2026-04-01")])?.name).toBe("d");
    expect(firstShown([])).toBeNull();
  });
  it("a start or an end well before its day is noticed", () => {
    expect([
      startsEarly(week, dayOf("2026-10-20")),
      startsEarly(week, dayOf("2026-11-01")),
      startsEarly(week, dayOf("2026-11-03")),
    ]).toEqual([13, 0, 0]);
    expect([
      closesEarly(week, dayOf("2026-11-02")),
      closesEarly(week, dayOf("2026-11-05")),
      closesEarly(week, dayOf("2026-11-09")),
    ]).toEqual([4, 0, 0]);
  });
  it("a promise is more than the capacity only where both are known", () => {
    const tasks = [{ story_points: 5 }, { story_points: null }, { story_points: 8 }];
    expect(promisedPoints({ state: "PLANNED", committed_points: null }, tasks)).toBe(13);
    expect(promisedPoints({ state: "ACTIVE", committed_points: 20 }, tasks)).toBe(20);
    expect(promisedPoints({ state: "CANCELLED", committed_points: null }, tasks)).toBeNull();
    expect([isTooMuch(13, 8), isTooMuch(8, 8), isTooMuch(13, null), isTooMuch(null, 8)]).toEqual([true, false, false, false]);
  });
  it("the even pace goes from what was promised to nothing", () => {
    const burn = burnOf(week, [shot("2026-11-02", 4, 0), shot("2026-11-03", 3, 1)], dayOf("2026-11-03"))!;
    expect(burn.ideal).toEqual([4, 3, 2, 1, 0]);
    expect(burn.left).toEqual([4, 3, null, null, null]);
    expect(burn.scope.slice(0, 2)).toEqual([4, 4]);
  });
  it("days before anything was in the sprint are not drawn", () => {
    const burn = burnOf(week, [shot("2026-11-02", 0, 0), shot("2026-11-03", 5, 1)], dayOf("2026-11-03"))!;
    expect(burn.left.slice(0, 2)).toEqual([null, 5]);
    expect(burn.ideal[0]).toBe(6);
  });
  it("a sprint of which no day was recorded has no lines", () => {
    expect(burnOf(week, [shot("2026-11-02", 0, 0), shot("2026-11-03", 0, 0)], dayOf("2026-11-06"))).toBeNull();
  });
  it("tasks say how a sprint stands where points do not", () => {
    const stands = (left: number) =>
      paceStatus("no_data", burnOf(week, [shot("2026-11-02", 8, 0), shot("2026-11-04", left, 8 - left)], dayOf("2026-11-04"))!);
    expect([stands(2), stands(4), stands(5), stands(7)]).toEqual(["ahead", "on_track", "on_track", "behind"]);
    expect(paceStatus("behind", burnOf(week, [shot("2026-11-02", 8, 0)], dayOf("2026-11-02"))!)).toBe("behind");
  });
  it("a closed sprint whose figure is hidden counts its finished tasks", () => {
    const five = Array.from({ length: 5 }, () => ({ status: "COMPLETE" }));
    const closed = { state: "COMPLETED" as const, committed_task_count: 5, completed_task_count: null };
    expect(progressOf(closed, five)).toEqual({ done: 5, all: 5 });
    expect(progressOf({ ...closed, completed_task_count: 3 }, five)).toEqual({ done: 3, all: 5 });
    expect(progressOf({ ...closed, committed_task_count: null }, five)).toEqual({ done: 5, all: 5 });
    expect(progressOf({ ...closed, state: "ACTIVE" }, [...five, { status: "REVIEW" }])).toEqual({ done: 5, all: 6 });
  });
  it("hidden points are replaced by tasks", () => {
    expect(burnOf(week, [shot("2026-11-02", 4, 0)], dayOf("2026-11-02"))!.unit).toBe("tasks");
    expect(burnOf(week, [shot("2026-11-02", 4, 0, 21)], dayOf("2026-11-02"))!.unit).toBe("points");
    expect(burnOf(week, [], 0)).toBeNull();
  });
  it("the last day of a sprint is one day", () => {
    expect(daysLeft(week, dayOf("2026-11-06"))).toBe(1);
    expect(daysLeft(week, dayOf("2026-11-07"))).toBe(0);
    expect(daysLeft(week, dayOf("2026-10-01"))).toBe(5);
  });
  it("the middle of the votes is a card, and between two cards the larger one", () => {
    expect(middleCard([1, 2, 3, 5, 8], [3, null, 8, 5])).toBe(5);
    expect(middleCard([1, 2, 3, 5, 8], [2, 3])).toBe(3);
    expect(middleCard([1, 2], [null])).toBeNull();
  });
  it("the velocity counts tasks where no sprint has points", () => {
    const closed = (name: string, start: string, points: number | null) => ({
      name,
      start_date: start,
      committed_points: points,
      completed_points: points,
      committed_task_count: 4,
      completed_task_count: 3,
      exclude_from_velocity: false,
    });
    const facts = (points: number | null) =>
      ({
        sprints: [closed("b", "2026-02-01", points), closed("a", "2026-01-01", points)],
        rolling_avg_points: 8,
        rolling_avg_tasks: 3,
      }) as never;
    expect(paceOf(facts(null))).toEqual({
      unit: "tasks",
      mean: 3,
      bars: [
        { name: "a", promised: 4, done: 3, counts: true },
        { name: "b", promised: 4, done: 3, counts: true },
      ],
    });
    expect(paceOf(facts(8)).unit).toBe("points");
  });
});
