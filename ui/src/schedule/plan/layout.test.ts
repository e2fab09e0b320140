import { describe, expect, it } from "vitest";
import { type Arrangement, layOut, OUTLINE } from "../arrange";
import { reached } from "../chart/progress";
import { SvgPen } from "../chart/svg_pen";
import { dayOf } from "../../dates/days";
import { viewOfQuery, viewQuery, usualView } from "../saved_views";
import { Plan } from "./plan";
import { draftRow, type TaskRow } from "./row";

const row = (id: string, path: string, finish: string, more: Partial<TaskRow> = {}): TaskRow => ({
  ...draftRow(id, null),
  wbs_path: path,
  name: id,
  early_start: "2026-01-05",
  early_finish: finish,
  total_float: 10,
  ...more,
});
const who = (name: string) => ({ assignments: [{ resource_id: name, resource_name: name, units: "1" }] }) as Partial<TaskRow>;

/** A phase p with x and y, and z beside it. */
function plan(wish: Arrangement): Plan {
  const made = new Plan();
  made.arranged = wish === OUTLINE ? null : (one) => layOut(one, wish);
  made.setRows([
    row("p", "1", "2026-02-06", { is_summary: true }),
    row("x", "1.1", "2026-02-06", { parent_id: "p", ...who("Ines") }),
    row("y", "1.2", "2026-01-06", { parent_id: "p", ...who("Aiko") }),
    row("z", "2", "2026-01-20", who("Ines")),
  ]);
  return made;
}
const shown = (made: Plan) => [...made.visible].map((task) => made.rows[task]!.name);

describe("the order of the rows", () => {
  it("siblings are sorted inside their phase", () => {
    expect(shown(plan({ ...OUTLINE, sort: "finish" }))).toEqual(["z", "p", "y", "x"]);
    expect(shown(plan({ ...OUTLINE, sort: "finish", down: true }))).toEqual(["p", "x", "y", "z"]);
  });
  it("groups take the place of phases and stand at the level above their rows", () => {
    const made = plan({ ...OUTLINE, group: "person" });
    expect(shown(made)).toEqual(["Aiko (1)", "y", "Ines (2)", "x", "z"]);
    expect([...made.visible].map((task) => made.level[task])).toEqual([0, 1, 0, 1, 1]);
    expect(made.rowOf[made.task("p")]).toBe(-1);
    expect(made.own).toBe(4);
  });
  it("a closed group hides its rows, and stays closed when the plan is read again", () => {
    const made = plan({ ...OUTLINE, group: "person" });
    made.toggle(made.task("group-Ines"), false);
    made.setRows(made.rows.filter((one) => !one.id.startsWith("group-")));
    expect(shown(made)).toEqual(["Aiko (1)", "y", "Ines (2)"]);
  });
  it("the heading of a group spans its rows, also after one of them moved", () => {
    const made = plan({ ...OUTLINE, group: "person" });
    made.rows[made.task("z")]!.early_finish = "2026-03-02";
    made.update(made.task("z"));
    expect(made.finish[made.task("group-Ines")]).toBe(dayOf("2026-03-02"));
  });
  it("a filter keeps the heading of a group that has a row", () => {
    const made = plan({ ...OUTLINE, group: "person" });
    made.filter = (task) => made.rows[task]!.name === "z";
    made.show();
    expect(shown(made)).toEqual(["Ines (2)", "z"]);
  });
  it("the outline comes back", () => {
    const made = plan({ ...OUTLINE, group: "person" });
    made.arranged = null;
    made.rebuild();
    expect(shown(made)).toEqual(["p", "x", "y", "z"]);
  });
});

describe("a view in an address", () => {
  it("comes back as it was", () => {
    const view = {
      ...usualView(),
      filter: { kind: "late" as const, text: "a b", person: "7" },
      arrangement: { group: "month" as const, sort: "finish" as const, down: true },
      progress: true,
    };
    expect(viewOfQuery(new URLSearchParams(viewQuery(view)))).toEqual(view);
  });
  it("an address without a view says nothing, and unknown words are left out", () => {
    expect(viewOfQuery(new URLSearchParams("task=1"))).toBeNull();
    expect(viewOfQuery(new URLSearchParams("columns=name&group=moon&sort=-moon"))!.arrangement).toEqual({
      group: null,
      sort: null,
      down: true,
    });
  });
});

describe("the progress line", () => {
  const data = dayOf("2026-01-10");
  it("goes to the share of the work that is done, and to the start of what should have begun", () => {
    const made = plan(OUTLINE);
    expect(reached(made, 3, data)).toBe(made.start[3]);
    made.percent[3] = 50;
    expect(reached(made, 3, data)).toBe(made.start[3]! + (made.finish[3]! + 1 - made.start[3]!) / 2);
  });
  it("says nothing about phases, and about work that lies ahead", () => {
    const made = plan(OUTLINE);
    expect(reached(made, 0, data)).toBeNull();
    expect(reached(made, 3, made.start[3]!)).toBeNull();
  });
});

describe("the pen of SVG", () => {
  it("writes what a canvas would paint, moved and escaped", () => {
    const pen = new SvgPen({ measureText: () => ({ width: 5 }) } as never);
    pen.translate(10, 20);
    pen.fillStyle = "#123456";
    pen.fillRect(0, 0, 4, 2);
    pen.font = "600 12px x";
    pen.fillText("a<b", 1, 2);
    const svg = pen.svg(100, 50, "x");
    expect(svg).toContain('d="M10 20h4v2h-4z" fill="#123456"');
    expect(svg).toContain(">a&#60;b</text>");
    expect(svg).toContain('font-weight="600"');
  });
});
