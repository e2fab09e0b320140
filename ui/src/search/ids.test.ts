import { describe, expect, it } from "vitest";
import { projectsOf, saidId, shortId } from "./ids";

describe("ids in the palette", () => {
  it("reads what people say", () => {
    expect(saidId(" notes-20 ")).toEqual({ code: "NOTES", number: 20 });
    expect(saidId("T-007")).toEqual({ code: "T", number: 7 });
    expect(saidId("#20")).toEqual({ code: null, number: 20 });
    expect(saidId("20")).toEqual({ code: null, number: 20 });
  });
  it("takes nothing else for an id", () => {
    for (const text of ["", "notes", "notes-", "phase 2", "2026-11-28", "-20"]) expect(saidId(text)).toBeNull();
  });
  it("writes numbers as the server does", () => {
    expect(shortId(20)).toBe("00000014");
    expect(shortId(171)).toBe("000000AB");
  });
  it("looks in the projects with the code, or in the open one", () => {
    const projects = [
      { id: "a", code: "NOTES" },
      { id: "b", code: "notes" },
      { id: "c", code: "" },
    ];
    expect(projectsOf({ code: "NOTES", number: 1 }, projects, "c")).toEqual(["a", "b"]);
    expect(projectsOf({ code: "T", number: 1 }, projects, "c")).toEqual(["c"]);
    expect(projectsOf({ code: null, number: 1 }, projects, "c")).toEqual(["c"]);
    expect(projectsOf({ code: null, number: 1 }, projects, null)).toEqual([]);
    expect(projectsOf({ code: "X", number: 1 }, projects, "c")).toEqual([]);
  });
});
