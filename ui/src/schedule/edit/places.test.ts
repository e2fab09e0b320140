import { describe, expect, it } from "vitest";
import { placed } from "./places";

const at = (...wishes: number[]) =>
  placed(
    wishes,
    wishes.map(() => 30),
    48,
    400,
    4,
  );

describe("places of notes", () => {
  it("stand where they wish", () => expect(at(100, 200)).toEqual([100, 200]));
  it("stay inside the plan", () => expect(at(-500, 900)).toEqual([48, 370]));
  it("never stand over one another, in the order of their rows", () => {
    expect(at(110, 100, 105)).toEqual([168, 100, 134]);
    expect(at(900, 950)).toEqual([336, 370]);
  });
});
