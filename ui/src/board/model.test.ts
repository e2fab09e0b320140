import { describe, expect, it } from "vitest";
import { breach, byRank, columnOf, type Column, lanesOf, moved, neighbours, passes, step, type Task } from "./model";

const task = (id: string, more: Partial<Task> = {}): Task =>
  ({
    id,
    name: id,
    qualified_id: id,
    status: "NOT_STARTED",
    wbs_path: null,
    priority_rank: null,
    assignments: [],
    labels: [],
    is_phase: false,
    is_blocked: false,
    is_critical: false,
    assignee: null,
    sprint: null,
    ...more,
  }) as unknown as Task;
const columns = ["NOT_STARTED", "IN_PROGRESS"].map((status) => ({ status })) as Column[];
const nobody = { id: "", name: "" };
const all = { text: "", mine: false, blocked: false, critical: false, sprint: null };

describe("the board", () => {
  it("work on hold stands with work in progress", () => expect(columnOf(task("a", { status: "ON_HOLD" }))).toBe("IN_PROGRESS"));
  it("ranked cards come before others, which keep the order of the outline", () => {
    const cards = [task("a", { wbs_path: "1.10" }), task("b", { wbs_path: "1.9" }), task("c", { priority_rank: 5 })];
    expect(cards.sort(byRank).map((one) => one.id)).toEqual(["c", "b", "a"]);
  });
  it("a filter finds words without accents, in any order", () => {
    const card = task("x", { name: "Café déjà ouvert" });
    expect(passes(card, { ...all, text: "ouvert cafe" }, nobody)).toBe(true);
    expect(passes(card, { ...all, text: "tea" }, nobody)).toBe(false);
  });
  it("the lane without a phase is the last one", () => {
    const tasks = [
      task("p", { is_phase: true, wbs_path: "1", name: "Build" }),
      task("a", { wbs_path: "1.1" }),
      task("b", { wbs_path: "2" }),
    ];
    const lanes = lanesOf(tasks, tasks.slice(1), columns, "phase", "None");
    expect(lanes.map((lane) => [lane.name, lane.count])).toEqual([
      ["Build", 1],
      ["None", 1],
    ]);
  });
  it("a limit is reached before it is broken", () => {
    expect([breach(1, 2), breach(2, 2), breach(3, 2), breach(9, null)]).toEqual(["none", "at", "over", "none"]);
  });
  it("arrows stay inside the board", () => {
    const size = () => 2;
    expect(step({ column: "NOT_STARTED", index: 0 }, "ArrowUp", ["NOT_STARTED", "IN_PROGRESS"], size).index).toBe(0);
    expect(step({ column: "NOT_STARTED", index: 1 }, "ArrowLeft", ["NOT_STARTED", "IN_PROGRESS"], size).column).toBe("NOT_STARTED");
    expect(step({ column: "NOT_STARTED", index: 9 }, "ArrowRight", ["NOT_STARTED", "IN_PROGRESS"], size)).toEqual({
      column: "IN_PROGRESS",
      index: 2,
    });
  });
  it("the server is told the card below, or the last one above", () => {
    const cell = [task("a"), task("b")];
    expect(neighbours(cell, "c", 0)).toEqual({ before_id: "a" });
    expect(neighbours(cell, "c", 2)).toEqual({ after_id: "b" });
    expect(neighbours(cell, "a", 1)).toEqual({ after_id: "b" });
    expect(neighbours([], "c", 0)).toEqual({});
  });
  it("a move changes the status and the place at once", () => {
    const tasks = [task("a"), task("b", { status: "IN_PROGRESS" })];
    const after = moved(tasks, "a", [tasks[1]!], { column: "IN_PROGRESS", index: 1 });
    expect(after.map((one) => [one.id, one.status, one.priority_rank])).toEqual([
      ["a", "IN_PROGRESS", 2],
      ["b", "IN_PROGRESS", 1],
    ]);
  });
});
