import { describe, expect, it } from "vitest";
import { dayOf } from "../dates/days";
import { contendedOf, crossLinks, type Plan, spansOf } from "./model";

const task = (id: string, project: string, start: string, finish: string, critical = false) => ({
  id,
  name: id,
  project_id: project,
  early_start: start,
  early_finish: finish,
  is_critical: critical,
  is_milestone: start === finish,
});
const plan = {
  projects: [
    { id: "p", name: "P", accessible: true },
    { id: "q", name: "Q", accessible: true },
    { id: "e", name: "Empty", accessible: true },
  ],
  tasks: [
    task("a", "p", "2026-11-02", "2026-11-06", true),
    task("m", "p", "2026-11-09", "2026-11-09"),
    task("b", "q", "2026-11-16", "2026-11-20"),
  ],
  links: [
    { predecessor_id: "a", successor_id: "b", dep_type: "FS", lag_days: 0, is_cross_project: true },
    { predecessor_id: "a", successor_id: "m", dep_type: "FS", lag_days: 0, is_cross_project: false },
  ],
} as unknown as Plan;

describe("a program", () => {
  it("shows a project from its first start to its last finish", () => {
    const [p] = spansOf(plan);
    expect([p!.start, p!.finish]).toEqual([dayOf("2026-11-02"), dayOf("2026-11-09")]);
    expect(p!.criticalFinish).toBe(dayOf("2026-11-06"));
    expect(p!.milestones).toHaveLength(1);
  });
  it("lists links between projects only, with the free days between them", () => {
    expect(crossLinks(plan).map((one) => [one.before.id, one.after.id, one.slack])).toEqual([["a", "b", 9]]);
  });
  it("finds weeks in which somebody is asked for more than they have", () => {
    const work = (project: string) => ({
      status: "NOT_STARTED",
      units: "1.00",
      project_name: project,
      early_start: "2026-11-02",
      early_finish: "2026-11-04",
      scheduled_start: null,
    });
    const found = contendedOf(
      [
        { id: "r", name: "R", max_units: "1.00", tasks: [work("P"), work("Q")] },
        { id: "s", name: "S", max_units: "2.00", tasks: [work("P"), work("Q")] },
      ] as never,
      dayOf("2026-11-01"),
    );
    expect(found.map((one) => [one.name, one.weeks.length, one.projects])).toEqual([["R", 1, ["P", "Q"]]]);
  });
});
