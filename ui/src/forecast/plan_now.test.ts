import { describe, expect, it } from "vitest";
import { dayOf } from "../dates/days";
import { movedTo, type PlanNow, since } from "./plan_now";

const launch = { task_id: "m", name: "Launch", date: "2027-02-02", is_deadline: false, confidence: 14 };
const run = { cpm_finish: "2027-02-10", last_run_at: "2026-11-28T09:36:00Z", milestones: [launch] };
const now = (change: Partial<PlanNow>): PlanNow => ({
  finish: dayOf("2027-02-10"),
  recalculated: "2026-11-28T09:00:00Z",
  milestones: new Map([["m", dayOf("2027-02-02")]]),
  ...change,
});

describe("a run and the plan of now", () => {
  it("says nothing while the plan is as it was", () => expect(since(run, now({}))).toBeNull());
  it("says that the end has moved", () => {
    expect(since(run, now({ finish: dayOf("2027-02-05") }))).toEqual({
      kind: "finish",
      was: dayOf("2027-02-10"),
      now: dayOf("2027-02-05"),
    });
  });
  it("says that milestones have moved, but a deadline does not move with the plan", () => {
    const moved = now({ milestones: new Map([["m", dayOf("2027-01-28")]]) });
    expect(since(run, moved)).toEqual({ kind: "milestones", n: 1 });
    expect(movedTo(launch, moved)).toBe(dayOf("2027-01-28"));
    expect(since({ ...run, milestones: [{ ...launch, is_deadline: true }] }, moved)).toBeNull();
  });
  it("says that it was computed again after the run", () =>
    expect(since(run, now({ recalculated: "2026-11-28T10:00:00Z" }))).toEqual({ kind: "computed" }));
});
