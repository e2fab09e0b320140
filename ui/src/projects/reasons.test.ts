import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { CallError } from "../api/errors";
import { language } from "../words/words";
import { inWords, messageOf, messages, reasonText, rowText } from "./reasons";

const CRATES = join(import.meta.dirname, "../../../crates");

/** Where sentences of the catalogues are written besides the folders of files and imports. */
const AROUND = [
  "exchange/src/failure.rs",
  "exchange/src/settings.rs",
  "plan_files/src/seed/ceiling.rs",
  "plan/src/dependencies/rules.rs",
  "plan/src/span.rs",
];

/** Sentences that nobody reads on the pages of imports. */
const NOT_SHOWN: { starts: string; why: string }[] = [
  { starts: "Mind the old oak.", why: "a note of a task in the template of tables" },
  { starts: "Choose from: ", why: "the answer to a word that the pages never send" },
  { starts: "There is no such program.", why: "the page offers only programs that are there" },
  { starts: "It was already undone.", why: "the page offers to take back an import only once" },
  { starts: "Only an import that is done can be undone.", why: "the page offers to take back only what is done" },
  { starts: "The tasks would wait for each other: ", why: "the answer to a link that a person makes by hand" },
  { starts: "The link does not wait for acceptance.", why: "the answer to a link that a person accepts" },
];

/** The Rust files of a folder and those below it, without those that only test. */
function filesOf(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((one) => one.isFile() && one.name.endsWith(".rs") && one.name !== "tests.rs")
    .map((one) => join(one.parentPath, one.name));
}

const COMMENT = String.raw`\/\/[^\n]*`;
const RAW = String.raw`\br(?<hashes>#*)"(?<raw>[\s\S]*?)"\k<hashes>`;
const PLAIN = String.raw`"(?<plain>(?:[^"\\]|\\[\s\S])*)"`;
const LETTER = String.raw`'(?:\\(?:u\{\w+\}|x\w\w|.)|[^\\'\n])'`;
const TOKENS = new RegExp([COMMENT, RAW, PLAIN, LETTER].join("|"), "g");

/** The texts in quotation marks of a Rust file, without its comments, its tests and what only describes routes. */
function literalsOf(source: string): string[] {
  const code = source.split(/#\[cfg\(test\)\]\s*mod tests \{/)[0]!.replace(/(?:says|upload)\(\s*"[^"]*"/g, "");
  return [...code.matchAll(TOKENS)].map((token) => token.groups!.raw ?? unescaped(token.groups!.plain ?? ""));
}

const unescaped = (text: string): string =>
  text
    .replace(/\\\n\s*/g, "")
    .replaceAll('\\"', '"')
    .replaceAll("\\\\", "\\");

/** A sentence begins with a capital letter or a quoted value, has a space and ends with a full stop. */
const isSentence = (text: string): boolean =>
  /^(?:[A-Z]|"?\{)[\s\S]* [\s\S]*\.$/.test(text) && !/^(?:SELECT|UPDATE|INSERT|DELETE|FROM)\b/.test(text);

/** A format with something in each of its places. */
const filled = (text: string): string => text.replace(/\{[^}]*\}/g, "7");

const literals: { file: string; text: string }[] = [
  ...filesOf(join(CRATES, "plan_files/src")).filter((path) => !path.includes("/seed/")),
  ...filesOf(join(CRATES, "exchange/src/interchange")),
  ...AROUND.map((file) => join(CRATES, file)),
].flatMap((file) => literalsOf(readFileSync(file, "utf8")).map((text) => ({ file, text })));

afterEach(() => {
  language.value = "en";
});

describe("what the server says of a file", () => {
  it("a known sentence is shown in the language of the person", () => {
    language.value = "de";
    expect(reasonText("Costs are not planned.")).toBe("Kosten werden nicht geplant.");
    language.value = "fr";
    expect(reasonText("Costs are not planned.")).toBe("Les coûts ne sont pas planifiés.");
    language.value = "es";
    expect(reasonText("Costs are not planned.")).toBe("Los costes no se planifican.");
    language.value = "en";
    expect(reasonText("Costs are not planned.")).toBe("Costs are not planned.");
  });

  it("a part that changes stays in the sentence", () => {
    language.value = "de";
    expect(reasonText("Names are cut after 120 characters.")).toBe("Namen werden nach 120 Zeichen abgeschnitten.");
    expect(reasonText('"1,5 (?)" is not a duration.')).toBe("„1,5 (?)“ ist keine Dauer.");
    expect(reasonText('"2026-13-40" is not a date in this order.')).toBe("„2026-13-40“ ist kein Datum in dieser Reihenfolge.");
    expect(reasonText("The file may have at most 5000 rows.")).toBe("Die Datei darf höchstens 5000 Zeilen haben.");
    expect(reasonText("The file may have at most 5 MB.")).toBe("Die Datei darf höchstens 5 MB groß sein.");
  });

  it("a sentence inside of another one, a day and a constraint are put into words too", () => {
    language.value = "de";
    expect(reasonText('It follows "Dig". It starts as in the file; its days are counted on the calendar of the project.')).toBe(
      "Sie folgt auf „Dig“. Sie beginnt wie in der Datei; ihre Tage werden nach dem Kalender des Projekts gezählt.",
    );
    expect(
      reasonText(
        "It has not begun, so it starts no earlier than the status date 2026-03-05. That overrules its constraint MSO 2026-03-02: dates do not win over logic here.",
      ),
    ).toMatch(/^Sie hat nicht begonnen, .* 05\. März 2026\. Das geht ihrer Bedingung „Muss anfangen am 02\. März 2026“ vor: /);
    expect(
      reasonText(
        "It is done and has no actual dates. It is placed after the complete work before it, and never after the status date of the project.",
      ),
    ).toMatch(/ nie nach dem Stichtag des Projekts\.$/);
  });

  it("a sentence that nobody knows stays as it is", () => {
    language.value = "de";
    expect(reasonText("The moon is not imported.")).toBe("The moon is not imported.");
    expect(reasonText("")).toBe("");
  });

  it("a row without a name is named by its line", () => {
    language.value = "de";
    expect([rowText("line 12"), rowText("12 line up")]).toEqual(["Zeile 12", "12 line up"]);
  });

  it("a refused file is told in the language of the person", async () => {
    language.value = "de";
    const refused = (body: Record<string, unknown>) => inWords(Promise.reject(new CallError(400, body, "x")));
    await expect(refused({ file: ["The file is empty."], code: "invalid" })).rejects.toMatchObject({
      message: "Die Datei ist leer.",
      requestId: "x",
    });
    await expect(refused({ detail: "The file may have at most 5 MB." })).rejects.toMatchObject({
      message: "Die Datei darf höchstens 5 MB groß sein.",
    });
    await expect(refused({ name: ["Too long."] })).rejects.toMatchObject({ message: "Name: Too long." });
  });

  it("every sentence of the readers and writers of files is in the catalogues", () => {
    const found = literals.filter(({ text }) => isSentence(text));
    expect(found.length).toBeGreaterThan(300);
    const missing = found.filter(({ text }) => !messageOf(filled(text)) && !NOT_SHOWN.some(({ starts }) => text.startsWith(starts)));
    expect(missing).toEqual([]);
    for (const { starts, why } of NOT_SHOWN)
      expect(
        found.some(({ text }) => text.startsWith(starts)),
        `${starts} (${why})`,
      ).toBe(true);
  });

  it("every sentence of the catalogues is written in the server", () => {
    const written = new Set(literals.map(({ text }) => text.replace(/\{[^}]*\}/g, "{}")));
    const stale = messages.map(([english]) => english).filter((english) => !written.has(english.replace(/\{\w+\}/g, "{}")));
    expect(stale).toEqual([]);
  });

  it("no sentence stands in the catalogues twice", () => {
    const english = messages.map((message) => message[0]);
    expect(english.filter((one, at) => english.indexOf(one) !== at)).toEqual([]);
  });

  it("every sentence of the catalogues is found with its own message", () => {
    for (const message of messages) expect(messageOf(filled(message[0]))?.message[0]).toBe(message[0]);
  });
});
