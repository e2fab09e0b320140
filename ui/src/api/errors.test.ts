import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { answers } from "../words/answers";
import { language } from "../words/words";
import { CallError } from "./errors";

const CRATES = join(import.meta.dirname, "../../../crates");

afterEach(() => {
  language.value = "en";
});

describe("a failed call", () => {
  it("names the wrong fields, those in lists too", () => {
    expect(new CallError(400, { name: ["Too long."], owners: { 0: { units: ["No number."] } } }, null).fields).toEqual({
      name: "Too long.",
      "owners.0.units": "No number.",
    });
  });
  it("tells a field that is called code from the code of the error", () => {
    expect(new CallError(400, { code: ["Not the current code."] }, null).fields).toEqual({ code: "Not the current code." });
    const coded = new CallError(400, { code: "sprint_closed", sprint: ["It is closed."] }, null);
    expect([coded.code, coded.fields]).toEqual(["sprint_closed", { sprint: "It is closed." }]);
  });
  it("says why in the language of the person, and what it does not know as it is", () => {
    language.value = "de";
    expect(new CallError(400, { detail: "It is already at the top." }, null).message).toBe("Sie ist schon ganz oben.");
    expect(new CallError(400, { constraint_date: ["This constraint needs a date."] }, null).fields).toEqual({
      constraint_date: "Diese Bedingung braucht ein Datum.",
    });
    expect(new CallError(400, { detail: "The moon is full." }, null).message).toBe("The moon is full.");
  });
  it("every reason of the catalogue is written in the server, once", () => {
    const sources = readdirSync(CRATES, { withFileTypes: true, recursive: true })
      .filter((one) => one.isFile() && one.name.endsWith(".rs"))
      .map((one) => readFileSync(join(one.parentPath, one.name), "utf8").replace(/\\\n\s*/g, ""))
      .join("\n");
    const english = answers.map(([first]) => first);
    expect(english.filter((one) => !sources.includes(`"${one}"`))).toEqual([]);
    expect(english.filter((one, at) => english.indexOf(one) !== at)).toEqual([]);
  });
});
