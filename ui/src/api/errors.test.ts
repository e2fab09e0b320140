import { describe, expect, it } from "vitest";
import { CallError } from "./errors";

describe("a failed call", () => {
  it("names the wrong fields, those in lists too", () => {
    expect(new CallError(400, { name: ["Too long."], owners: { 0: { units: ["No number."] } } }, null).fields).toEqual({ name: "Too long.", "owners.0.units": "No number." });
  });
  it("tells a field that is called code from the code of the error", () => {
    expect(new CallError(400, { code: ["Not the current code."] }, null).fields).toEqual({ code: "Not the current code." });
    const coded = new CallError(400, { code: "sprint_closed", sprint: ["It is closed."] }, null);
    expect([coded.code, coded.fields]).toEqual(["sprint_closed", { sprint: "It is closed." }]);
  });
});
