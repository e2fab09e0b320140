import { describe, expect, it } from "vitest";
import { withView } from "./saved_views";

describe("saved views", () => {
  it("a view takes the place of the one with its name, and the list stands by name", () => {
    const before = [
      { name: "b", query: "1" },
      { name: "a", query: "2" },
    ];
    expect(withView(before, { name: "b", query: "3" })).toEqual([
      { name: "a", query: "2" },
      { name: "b", query: "3" },
    ]);
  });
});
