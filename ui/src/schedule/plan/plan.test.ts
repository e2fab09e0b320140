import { describe, expect, it } from "vitest";
import { dayOf } from "../../dates/days";
import { WorkCalendar } from "./calendar";
import { cascade } from "./cascade";
import { circle, drivingChain } from "./chain";
import { LinkIndex } from "./links";
import { Plan } from "./plan";
import { comparePaths, draftRow, type LinkRow, type TaskRow } from "./row";

const task = (id: string, path: string, start: string, finish: string, more: Partial<TaskRow> = {}): TaskRow => ({
  ...draftRow(id, null),
  wbs_path: path,
  name: id,
  early_start: start,
  early_finish: finish,
  total_float: 10,
  ...more,
});
const link = (predecessor: string, successor: string, more: Partial<LinkRow> = {}): LinkRow => ({
  id: `${predecessor}>${successor}`,
  predecessor,
  successor,
  dep_type: "FS",
  lag: 0,
  is_driving: true,
  pending_acceptance: false,
  ...more,
});

/** Monday 5 January 2026 is the first day; b waits for a, c waits for b. */
function chainOfThree(): Plan {
  const plan = new Plan();
  plan.setRows([
    task("c", "3", "2026-01-09", "2026-01-12"),
    task("a", "1", "2026-01-05", "2026-01-06"),
    task("b", "2", "2026-01-07", "2026-01-08"),
  ]);
  plan.setLinks([link("a", "b"), link("b", "c")]);
  return plan;
}

describe("the outline", () => {
  it("sorts 2.9 before 2.10", () => expect(comparePaths("2.9", "2.10")).toBeLessThan(0));
  it("a parent stands before its rows", () => expect(comparePaths("2", "2.1")).toBeLessThan(0));
  it("rows of a closed phase are shown at the phase", () => {
    const plan = new Plan();
    plan.setRows([
      task("p", "1", "2026-01-05", "2026-01-06", { is_summary: true }),
      task("x", "1.1", "2026-01-05", "2026-01-06", { parent_id: "p" }),
      task("y", "2", "2026-01-05", "2026-01-06"),
    ]);
    plan.toggle(0, false);
    expect([...plan.visible]).toEqual([0, 2]);
    expect([...plan.rowOf]).toEqual([0, 0, 1]);
  });
  it("a filter keeps the phases of what it finds", () => {
    const plan = new Plan();
    plan.setRows([
      task("p", "1", "2026-01-05", "2026-01-06", { is_summary: true }),
      task("x", "1.1", "2026-01-05", "2026-01-06", { parent_id: "p" }),
      task("y", "2", "2026-01-05", "2026-01-06"),
    ]);
    plan.filter = (one) => plan.rows[one]!.name === "x";
    plan.show();
    expect([...plan.visible].map((one) => plan.rows[one]!.name)).toEqual(["p", "x"]);
  });
});

describe("links", () => {
  it("are found by the rows they cross, each once", () => {
    const plan = chainOfThree();
    const index = new LinkIndex();
    index.build(plan.links, Int32Array.from([0, 100, 1000]), 1001);
    expect(index.find(50, 60, [])).toEqual([0]);
    expect(index.find(0, 1000, []).length).toBe(2);
    expect(index.find(500, 505, [])).toEqual([1]);
  });
  it("a link back to the beginning closes a circle and names it", () => {
    const plan = chainOfThree();
    expect(circle(plan, plan.task("c"), plan.task("a")).map((one) => plan.rows[one]!.name)).toEqual(["a", "b", "c"]);
    expect(circle(plan, plan.task("a"), plan.task("c"))).toEqual([]);
  });
  it("the chain of the middle reaches both ends", () => expect(drivingChain(chainOfThree(), 1).tasks.size).toBe(3));
});

describe("the calendar", () => {
  const week = new WorkCalendar(31, [{ from: dayOf("2026-01-07"), to: dayOf("2026-01-07"), working: false }]);
  it("counts working days over a weekend and a holiday", () => expect(week.count(dayOf("2026-01-05"), dayOf("2026-01-12"))).toBe(5));
  it("adds and subtracts working days", () => {
    expect(week.add(dayOf("2026-01-06"), 1)).toBe(dayOf("2026-01-08"));
    expect(week.add(dayOf("2026-01-12"), -1)).toBe(dayOf("2026-01-09"));
  });
  it("five days from Monday end after the holiday", () => expect(week.finish(dayOf("2026-01-05"), 5)).toBe(dayOf("2026-01-12")));
});

describe("the preview of a move", () => {
  const NOW = dayOf("2026-01-05");
  it("takes a start in the past for work that has begun, whatever stands before it", () => {
    const plan = chainOfThree();
    const found = cascade(plan, new WorkCalendar(31), plan.task("b"), dayOf("2026-01-02"), dayOf("2026-01-05"), NOW);
    expect([found.begins, found.stays, found.moved.get(plan.task("b"))?.start]).toEqual([true, false, dayOf("2026-01-02")]);
  });
  it("pushes what follows and keeps lengths", () => {
    const plan = chainOfThree();
    const found = cascade(plan, new WorkCalendar(31), plan.task("a"), dayOf("2026-01-06"), dayOf("2026-01-07"), NOW);
    expect(found.moved.get(plan.task("b"))).toEqual({ start: dayOf("2026-01-08"), finish: dayOf("2026-01-09") });
    expect(found.moved.get(plan.task("c"))).toEqual({ start: dayOf("2026-01-12"), finish: dayOf("2026-01-13") });
    expect(found.finishAfter - found.finishBefore).toBe(1);
  });
  it("holds a bar at what its predecessor allows", () => {
    const plan = chainOfThree();
    const found = cascade(plan, new WorkCalendar(31), plan.task("b"), dayOf("2026-01-05"), dayOf("2026-01-06"), NOW);
    expect([found.stays, found.moved.get(plan.task("b"))?.start]).toEqual([true, dayOf("2026-01-07")]);
    const later = cascade(plan, new WorkCalendar(31), plan.task("b"), dayOf("2026-01-08"), dayOf("2026-01-09"), NOW);
    expect([later.stays, later.moved.get(plan.task("b"))?.start]).toEqual([false, dayOf("2026-01-08")]);
  });
  it("leaves work where it has begun, and moves nothing behind it", () => {
    const plan = chainOfThree();
    plan.rows[0]!.actual_start = "2026-01-05";
    const found = cascade(plan, new WorkCalendar(31), plan.task("a"), dayOf("2026-02-02"), dayOf("2026-02-03"), NOW);
    expect([found.stays, found.moved.size, found.finishAfter - found.finishBefore]).toEqual([true, 1, 0]);
  });
  it("names a deadline that would be missed", () => {
    const plan = chainOfThree();
    plan.rows[2]!.deadline = "2026-01-12";
    plan.rebuild();
    expect(cascade(plan, new WorkCalendar(31), 0, dayOf("2026-01-06"), dayOf("2026-01-07"), NOW).missed).toEqual([2]);
  });
});
