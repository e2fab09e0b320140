import { expect, it } from "vitest";
import { titleOf } from "./title";

it("a title tells the page before the project, and leaves out what is not known yet", () => {
  expect(titleOf(["Schedule", "Bridge"])).toBe("Schedule · Bridge – planwright");
  expect(titleOf(["Schedule", undefined])).toBe("Schedule – planwright");
  expect(titleOf([])).toBe("planwright");
});
