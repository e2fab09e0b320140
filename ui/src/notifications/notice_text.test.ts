import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { titles } from "../words/notices";
import { language } from "../words/words";
import { bodyText, messageOf, subjectText } from "./notice_text";

const SOURCES = join(import.meta.dirname, "../../../crates/notifications/src");
const read = (file: string): string => readFileSync(join(SOURCES, file), "utf8").split("#[cfg(test)]")[0]!;

afterEach(() => {
  language.value = "en";
});

describe("what a person is told", () => {
  it("is told in their language, with names as they are and days as they read them", () => {
    language.value = "de";
    expect(subjectText("A task was assigned to you: Dig: the second pit")).toBe("Ihnen wurde eine Aufgabe zugewiesen: Dig: the second pit");
    expect(bodyText("Ona assigned the task to you.")).toBe("Ona hat Ihnen die Aufgabe zugewiesen.");
    expect(bodyText("Somebody wrote a comment.")).toBe("Jemand hat einen Kommentar geschrieben.");
    expect(bodyText("The project ends on 2027-02-18. You were told 2027-02-10.")).toMatch(
      /^Das Projekt endet am 18\. Feb\. 27\. Ihnen wurde der 10\. Feb\. 27 genannt\.$/,
    );
  });

  it("counts in their language", () => {
    language.value = "fr";
    expect(bodyText("1 project: 0 on track, 1 at risk, 0 critical. 3 tasks are late. The last project ends on 2027-02-18.")).toMatch(
      /^1 projet : 0 dans les temps, 1 à risque, 0 critiques\. 3 tâches sont en retard\. Le dernier projet finit le 18 /,
    );
    expect(bodyText("In the next four weeks these have more work than time: Ann, Bo and 2 more.")).toBe(
      "Dans les quatre prochaines semaines, plus de travail que de temps pour : Ann, Bo et 2 autres.",
    );
  });

  it("is shown as it is if nobody knows it", () => {
    language.value = "es";
    expect([subjectText("News: Dig"), bodyText("")]).toEqual(["News: Dig", ""]);
  });

  it("every title of the server is in the catalogue", () => {
    const written = [...read("kinds.rs").matchAll(/title: "([^"]+)"/g)].map((one) => one[1]);
    expect(written).toEqual(titles.map(([english]) => english));
  });

  it("the titles are those of the mails in every language", () => {
    const list = read("words.rs").split("const TITLES")[1]!.split("];\n")[0]!;
    const mails = [...list.matchAll(/Words\(\[([^\]]+)\]\)/g)].map((one) => [...one[1]!.matchAll(/"([^"]+)"/g)].map((text) => text[1]));
    expect(mails).toEqual(titles);
  });

  it("every sentence of the server is in the catalogue", () => {
    const said = ["telling/rules.rs", "stale.rs"].flatMap((file) =>
      [
        ...read(file)
          .replace(/\/\/[^\n]*/g, "")
          .matchAll(/"([A-Z{][^"]* [^"]*\.)"/g),
      ].map((one) => one[1]!),
    );
    expect(said.length).toBeGreaterThan(14);
    expect(said.filter((one) => !messageOf(one.replace(/\{[^}]*\}/g, "7")))).toEqual([]);
  });
});
