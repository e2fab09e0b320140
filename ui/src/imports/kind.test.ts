import { describe, expect, it } from "vitest";
import { columnMap, kindOf, plainName } from "./kind";

describe("a file that is brought", () => {
  it("is known by its name and its first letters", () => {
    expect(kindOf("Plan.XLSX", "PK")).toBe("table");
    expect(kindOf("plan.xer", "")).toBe("primavera");
    expect(kindOf("plan", "ERMHDR\t19.12")).toBe("primavera");
    expect(kindOf("jira.xml", '<?xml version="1.0"?>\n<rss version="0.92">')).toBe("jira");
    expect(kindOf("plan.xml", "<Project xmlns=")).toBe("msproject");
    expect(kindOf("program.json", "{")).toBe("document");
    expect(kindOf("plan.mpp", "\u00d0\u00cf")).toBeNull();
  });
  it("gives its name to the project", () => expect(plainName("new_house-2.xml")).toBe("new house 2"));
  it("names every column, so that a column can be left out", () => {
    expect(
      columnMap(
        [
          { header: "Task", field: "name" },
          { header: "X", field: null },
        ],
        { 0: "notes" },
      ),
    ).toEqual({ Task: "notes", X: "" });
  });
});
