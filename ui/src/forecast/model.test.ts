import { describe, expect, it } from "vitest";
import { dayOf } from "../dates/days";
import { barsOf, chanceBy, curveOf, tone } from "./model";

const curve = [
  { date: "2027-07-23", pct: 10 },
  { date: "2027-07-26", pct: 60 },
  { date: "2027-07-30", pct: 100 },
];

describe("a forecast", () => {
  it("gives no chance before the first day, and keeps the chance between days", () => {
    expect(chanceBy(curve, dayOf("2027-07-22"))).toBe(0);
    expect(chanceBy(curve, dayOf("2027-07-25"))).toBe(10);
    expect(chanceBy(curve, dayOf("2028-01-01"))).toBe(100);
  });
  it("draws the plan inside the curve, also when no run reaches it", () => {
    const drawn = curveOf({ confidence_curve: curve, cpm_finish: "2027-07-10" });
    expect(drawn.days[0]).toBe(dayOf("2027-07-08"));
    expect(drawn.chance[0]).toBe(0);
    expect(drawn.chance[drawn.chance.length - 1]).toBe(100);
  });
  it("ends a bar where the next one begins", () => {
    expect(
      barsOf([
        { date: "2027-07-23", count: 1 },
        { date: "2027-07-25", count: 2 },
      ]).map((bar) => bar.to - bar.from),
    ).toEqual([1, 1]);
    expect(barsOf([{ date: "2027-07-23", count: 1 }]).map((bar) => bar.to - bar.from)).toEqual([0]);
  });
  it("calls eighty percent a promise", () => expect([tone(80), tone(79), tone(49)]).toEqual(["good", "warn", "bad"]));
});
