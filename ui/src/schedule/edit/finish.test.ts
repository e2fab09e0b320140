import { describe, expect, it } from "vitest";
import { dayOf } from "../../dates/days";
import { WorkCalendar } from "../plan/calendar";
import { asSent, durationUntil, isUnderWay } from "./finish";

const week = new WorkCalendar(31);
/** Begun on a Saturday: one of four days is done on Monday, and the rest starts on Tuesday. */
const begun = {
  duration: 4,
  percent_complete: 30,
  actual_start: "2026-11-28",
  actual_finish: null,
  early_start: "2026-12-01",
  early_finish: "2026-12-03",
};

describe("a finish typed for begun work", () => {
  it("counts the days that are done", () => {
    expect(["2026-12-01", "2026-12-02", "2026-12-03", "2026-12-10"].map((day) => durationUntil(week, begun, dayOf(day)))).toEqual([
      2, 3, 4, 9,
    ]);
  });
  it("counts from where the rest is held", () => {
    const held = { ...begun, percent_complete: 50, actual_start: "2026-11-02", early_start: "2026-12-07", early_finish: "2026-12-08" };
    expect(durationUntil(week, held, dayOf("2026-12-10"))).toBe(8);
  });
  it("is never less than a day", () => expect(durationUntil(week, begun, dayOf("2026-11-28"))).toBe(1));
  it("is sent as a duration, and other changes as they are", () => {
    expect(asSent(week, begun, { planned_finish: "2026-12-02", name: "Dig" })).toEqual({ duration: 3, name: "Dig" });
    const open = { ...begun, actual_start: null };
    expect([asSent(week, open, { planned_finish: "2026-12-02" }), asSent(week, begun, { duration: 2 })]).toEqual([
      { planned_finish: "2026-12-02" },
      { duration: 2 },
    ]);
  });
  it("is for work that is under way", () => {
    expect([
      isUnderWay(begun),
      isUnderWay({ ...begun, actual_start: null }),
      isUnderWay({ ...begun, actual_finish: "2026-12-01" }),
    ]).toEqual([true, false, false]);
  });
});
