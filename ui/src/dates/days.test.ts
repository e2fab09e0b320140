import { describe, expect, it } from "vitest";
import { dayOf, isoOf, isoWeek, NO_DAY, weekday } from "./days";

describe("days", () => {
  it("a text becomes a day and the same text again", () => {
    for (const text of ["1970-01-01", "2026-11-24", "2024-02-29", "0099-03-01", "1969-12-31"]) expect(isoOf(dayOf(text))).toBe(text);
  });
  it("no text is no day", () => {
    expect(dayOf(null)).toBe(NO_DAY);
    expect(dayOf("soon, maybe")).toBe(NO_DAY);
  });
  it("the first of January 1970 was a Thursday", () => expect(weekday(0)).toBe(3));
  it("the year of a week is not always the year of its day", () => {
    expect(isoWeek(dayOf("2027-01-01"))).toEqual({ week: 53, year: 2026 });
    expect(isoWeek(dayOf("2024-12-30"))).toEqual({ week: 1, year: 2025 });
  });
});
