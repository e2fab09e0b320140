import { describe, expect, it } from "vitest";
import { draftRow } from "../plan/row";
import { asOne, type Edit, Edits } from "./edits";
import { inverse } from "./patch";

/** An edit that writes a value into a box; its inverse writes the one before. */
function write(box: { value: number }, value: number): Edit {
  return {
    label: String(value),
    apply: async () => {
      const before = box.value;
      box.value = value;
      return write(box, before);
    },
  };
}

describe("the edits of a person", () => {
  it("are undone and done again in their order", async () => {
    const box = { value: 0 };
    const edits = new Edits();
    await edits.run(write(box, 1));
    await edits.run(write(box, 2));
    await edits.undo();
    expect(box.value).toBe(1);
    await edits.undo();
    expect(box.value).toBe(0);
    await edits.redo();
    await edits.redo();
    expect(box.value).toBe(2);
  });
  it("several as one are undone together, and none of them stays if one is refused", async () => {
    const [one, other] = [{ value: 0 }, { value: 0 }];
    const edits = new Edits();
    expect(await edits.run(asOne("both", [write(one, 1), write(other, 2)]))).toBe(true);
    expect([one.value, other.value]).toEqual([1, 2]);
    await edits.undo();
    expect([one.value, other.value]).toEqual([0, 0]);
    const refuse: Edit = { label: "no", apply: () => Promise.reject(new Error("no")) };
    let told = false;
    expect(await edits.run(asOne("half", [write(one, 5), refuse], () => (told = true)))).toBe(false);
    expect([one.value, told]).toEqual([0, true]);
  });
  it("an action finds the plan as the actions before it left it", async () => {
    const box = { value: 0 };
    const edits = new Edits();
    const first = edits.inTurn(async () => {
      await edits.run(write(box, 1));
      await edits.run(write(box, 2));
    });
    const found = edits.inTurn(async () => box.value);
    await first;
    expect(await found).toBe(2);
  });
  it("an action goes on after one that failed", async () => {
    const edits = new Edits();
    const failed = edits.inTurn(() => Promise.reject(new Error("no")));
    const next = edits.inTurn(async () => "done");
    await expect(failed).rejects.toThrow("no");
    expect(await next).toBe("done");
  });
  it("a new edit ends what could be done again", async () => {
    const box = { value: 0 };
    const edits = new Edits();
    await edits.run(write(box, 1));
    await edits.undo();
    await edits.run(write(box, 5));
    expect(edits.redoable.value.length).toBe(0);
  });
  it("a refused edit is not in the list and puts back what was shown", async () => {
    const edits = new Edits();
    let restored = false;
    const refused = await edits.run({ label: "x", apply: () => Promise.reject(new Error("no")), refused: () => (restored = true) });
    expect([refused, restored, edits.undoable.value.length]).toEqual([false, true, 0]);
  });
  it("run one after the other", async () => {
    const order: number[] = [];
    const edits = new Edits();
    const slow = (n: number, ms: number): Edit => ({
      label: "",
      apply: () => new Promise((done) => setTimeout(() => (order.push(n), done(null)), ms)),
    });
    await Promise.all([edits.run(slow(1, 20)), edits.run(slow(2, 1))]);
    expect(order).toEqual([1, 2]);
  });
});

describe("the inverse of a change", () => {
  const row = { ...draftRow("a", null), name: "Dig", duration: 3, percent_complete: 20, status: "IN_PROGRESS" as const };
  it("has the fields as they were", () => expect(inverse(row, { name: "Pour" })).toEqual({ name: "Dig" }));
  it("a finish was a duration", () => expect(inverse(row, { planned_finish: "2026-01-09" })).toEqual({ duration: 3 }));
  it("a constraint comes back with its date", () =>
    expect(inverse({ ...row, constraint_type: "SNET", constraint_date: "2026-01-07" }, { constraint_type: null })).toEqual({
      constraint_type: "SNET",
      constraint_date: "2026-01-07",
    }));
  it("work that a start in the past began has not begun", () =>
    expect(
      inverse(
        { ...row, status: "NOT_STARTED", percent_complete: 0, planned_start: null },
        { planned_start: "2026-01-05" },
        { ...row, status: "IN_PROGRESS", percent_complete: 0, actual_start: "2026-01-05" },
      ),
    ).toEqual({ planned_start: null, status: "NOT_STARTED", percent_complete: 0, actual_start: null, actual_finish: null }));
  it("progress brings its status along", () =>
    expect(inverse(row, { percent_complete: 100 })).toMatchObject({ percent_complete: 20, status: "IN_PROGRESS" }));
});
