import { describe, expect, it } from "vitest";
import { byDay, shown } from "./days";

describe("a history", () => {
  it("is grouped by day, in its order", () => {
    const entries = ["2026-11-24T10:00:00Z", "2026-11-24T09:00:00Z", "2026-11-23T09:00:00Z"].map((history_date) => ({ history_date }));
    expect(byDay(entries, (at) => at.toISOString().slice(0, 10)).map(([day, list]) => [day, list.length])).toEqual([
      ["2026-11-24", 2],
      ["2026-11-23", 1],
    ]);
  });
  it("shows values as texts", () => {
    expect([shown(null, "empty"), shown(["a", "b"], "empty"), shown({ name: "N" }, ""), shown(false, "")]).toEqual([
      "empty",
      "a, b",
      "N",
      "false",
    ]);
    expect(shown("x".repeat(200), "")).toHaveLength(118);
  });
});
