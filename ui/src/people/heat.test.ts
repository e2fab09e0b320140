import { describe, expect, it } from "vitest";
import { heatOf } from "./heat";

describe("the load of a week", () => {
  it("is over only above one hundred percent", () =>
    expect([0, 49, 84, 100, 101].map(heatOf)).toEqual(["none", "low", "good", "full", "over"]));
});
