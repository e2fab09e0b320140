import { describe, expect, it } from "vitest";
import { band, byWeight, counts, inCell, type Risk } from "./model";

const risk = (title: string, more: Partial<Risk> = {}) =>
  ({
    title,
    status: "OPEN",
    severity: 4,
    probability: 2,
    impact: 2,
    likelihood_percent: null,
    delay_days: null,
    tasks: [],
    ...more,
  }) as unknown as Risk;

describe("risks", () => {
  it("the most severe open risk stands first, closed ones last", () => {
    const some = [risk("a", { status: "CLOSED", severity: 25 }), risk("b"), risk("c", { severity: 9 })];
    expect(some.sort(byWeight).map((one) => one.title)).toEqual(["c", "b", "a"]);
  });
  it("bands begin at 6 and at 15", () => expect([5, 6, 14, 15].map(band)).toEqual(["low", "medium", "medium", "high"]));
  it("a risk without a task is not in the forecast", () => {
    expect(counts(risk("a", { likelihood_percent: 20, delay_days: 5 }))).toBe(false);
    expect(counts(risk("a", { likelihood_percent: 20, delay_days: 5, tasks: ["t"] }))).toBe(true);
  });
  it("a cell holds one probability and one impact", () => expect(inCell([risk("a"), risk("b", { impact: 3 })], 2, 2)).toHaveLength(1));
});
