import { describe, expect, it } from "vitest";
import { dayOf } from "../dates/days";
import { clock, clockSeconds, type Entry, mondayOf, sheetOf, stepsTo, typedMinutes } from "./time";

const entry = (id: string, minutes: number, more: Partial<Entry> = {}) =>
  ({ id, minutes, task: "t", task_name: "T", project_name: "P", entry_date: "2026-11-24", source: "manual", ...more }) as Entry;

describe("times", () => {
  it("are typed in many ways", () => {
    expect(["1:30", "1.5", "1,5", "90m", "1h30", "1h", "", "2"].map(typedMinutes)).toEqual([90, 90, 90, 90, 90, 60, 0, 120]);
    expect(["soon", "1:75", "-3"].map(typedMinutes)).toEqual([null, null, null]);
  });
  it("are read as hours and minutes", () => {
    expect([clock(95), clock(5), clockSeconds(3725)]).toEqual(["1:35", "0:05", "1:02:05"]);
  });
  it("a week begins on Monday", () => expect(mondayOf(dayOf("2026-11-24"))).toBe(dayOf("2026-11-23")));
});

describe("the sheet of a week", () => {
  it("has a row for a task without time, if a person asked for it", () => {
    const rows = sheetOf([entry("a", 30)], dayOf("2026-11-23"), [{ id: "u", name: "A", project: "P" }]);
    expect(rows.map((row) => row.task)).toEqual(["u", "t"]);
    expect(rows[1]!.days[1]).toHaveLength(1);
  });
  it("more time makes the last typed entry longer, or a new one beside the timer", () => {
    expect(stepsTo([entry("a", 30)], 45)).toEqual([{ kind: "set", id: "a", minutes: 45 }]);
    expect(stepsTo([entry("a", 30, { source: "timer" })], 45)).toEqual([{ kind: "add", minutes: 15 }]);
    expect(stepsTo([], 0)).toEqual([]);
  });
  it("less time takes from the newest entries", () => {
    expect(stepsTo([entry("a", 30), entry("b", 20)], 25)).toEqual([
      { kind: "remove", id: "b" },
      { kind: "set", id: "a", minutes: 25 },
    ]);
    expect(stepsTo([entry("a", 30)], 0)).toEqual([{ kind: "remove", id: "a" }]);
  });
});
