import { describe, expect, it } from "vitest";
import { type Counts, carries, forWhom, holds, shownOf, type Template } from "./model";

const counts: Counts = {
  task_count: 3,
  phase_count: 0,
  gate_count: 0,
  milestone_count: 1,
  dependency_count: 2,
  methodology: "HYBRID",
  carries: ["milestones", "dependencies", "durations", "notes"],
};

describe("a template", () => {
  it("names what it holds, and nothing that it does not", () => {
    expect(holds(counts)).toEqual(["3 rows", "1 milestone", "2 links"]);
    expect(carries(counts)).toEqual(["durations", "notes"]);
  });
  it("says for whom it is", () => {
    const programs = [{ id: "p", name: "Harbour" }];
    expect(forWhom({ source_kind: "personal", program: null }, programs)).toBe("Only for you");
    expect(forWhom({ source_kind: "workspace", program: "p" }, programs)).toBe("For the program “Harbour”");
    expect(forWhom({ source_kind: "workspace", program: "q" }, programs)).toBe("For a program");
  });
  it("gives way to its next version", () => {
    const list = [
      { id: "2", is_superseded: false },
      { id: "1", is_superseded: true },
    ] as Template[];
    expect(shownOf(list, false).map((one) => one.id)).toEqual(["2"]);
    expect(shownOf(list, true)).toHaveLength(2);
  });
});
