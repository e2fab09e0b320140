import { describe, expect, it } from "vitest";
import { rowName } from "./row_names";

const entry = (entity_id: string, diff: { field: string; old?: unknown; new?: unknown }[]) =>
  ({ entity_id, diff: diff.map((one) => ({ old: null, new: null, hidden: false, ...one })) }) as never;
const nameOf = (value: unknown) => ({ t1: "Dig", u1: "Ann" })[String(value)] ?? null;

describe("the row of an entry", () => {
  it("is called by its id, else by whom it belongs to, else by its own name", () => {
    expect(rowName(entry("t1", []), nameOf)).toBe("Dig");
    expect(rowName(entry("m1", [{ field: "user_id", new: "u1" }]), nameOf)).toBe("Ann");
    expect(rowName(entry("l1", [{ field: "name", new: "Wet" }]), nameOf)).toBe("Wet");
    expect(rowName(entry("l1", [{ field: "title", old: "Rain" }]), nameOf)).toBe("Rain");
    expect(rowName(entry("l1", [{ field: "lag", new: 3 }]), nameOf)).toBeNull();
  });
});
