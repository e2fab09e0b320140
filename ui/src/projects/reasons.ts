// What the server says of a file, in the language of the person. The catalogues hold its sentences as it says them in English,
// so that a sentence is found by its text; one that no catalogue holds is shown as it is.
import { CallError } from "../api/errors";
import { dayOf } from "../dates/days";
import { shortDay } from "../dates/format";
import { inspect } from "../words/inspect";
import { imports as words } from "../words/imports";
import * as losses from "../words/losses";
import * as refusals from "../words/refusals";
import { language, type Message, t, type Values } from "../words/words";

interface Template {
  message: Message;
  pattern: RegExp;
}

interface Book {
  whole: Map<string, Message>;
  templates: Template[];
}

const NAME = /\{(\w+)\}/g;
const DAYS = ["day", "began", "ended"];

let book: Book | null = null;

/** All catalogues, made ready at the first sentence. */
function known(): Book {
  if (book) return book;
  const messages = [...Object.values(losses), ...Object.values(refusals)].flat();
  const changing = (message: Message) => message[0].includes("{");
  return (book = {
    whole: new Map(messages.filter((message) => !changing(message)).map((message) => [message[0], message])),
    templates: messages.filter(changing).map((message) => ({ message, pattern: patternOf(message[0]) })),
  });
}

/** `Names are cut after {n} characters.` as a pattern with a group for each name. */
function patternOf(text: string): RegExp {
  const plain = text.replace(/[\\^$.*+?()[\]|]/g, "\\$&");
  return new RegExp(`^${plain.replace(NAME, "(?<$1>.+?)")}$`, "s");
}

/** The message of a sentence and the parts of it that change; `null` for one that no catalogue holds. */
export function messageOf(sentence: string): { message: Message; parts: Record<string, string> } | null {
  const { whole, templates } = known();
  const message = whole.get(sentence);
  if (message) return { message, parts: {} };
  for (const template of templates) {
    const match = template.pattern.exec(sentence);
    if (match) return { message: template.message, parts: { ...match.groups } };
  }
  return null;
}

/** A sentence of the server in the language of the person. */
export function reasonText(sentence: string): string {
  if (language.value === "en") return sentence;
  const found = messageOf(sentence);
  return found ? t(found.message, valuesOf(found.parts)) : sentence;
}

function valuesOf(parts: Record<string, string>): Values {
  return Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, valueOf(name, part)]));
}

/** Sentences inside of others, days and kinds of constraints have words of their own. */
function valueOf(name: string, part: string): string {
  if (name === "said") return reasonText(part);
  if (DAYS.includes(name)) return shortDay(dayOf(part));
  const kind = name === "kind" ? (inspect as Record<string, Message>)[part] : undefined;
  return kind ? t(kind) : part;
}

/** A row of a loss: its number and name, or only the number of its line. */
export function rowText(row: string): string {
  const line = /^line (\d+)$/.exec(row);
  return line && language.value !== "en" ? t(words.line, { n: line[1]! }) : row;
}

/** The answer of a call that brings a file. Why a file is refused is told in the language of the person. */
export async function inWords<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    throw error instanceof CallError ? worded(error) : error;
  }
}

/** The same error with its sentences in words, and without the name of the field of the file before them. */
function worded(error: CallError): CallError {
  const { file, detail } = error.body;
  const said = Array.isArray(file) ? file : [detail];
  if (!said.every((one) => typeof one === "string")) return error;
  return new CallError(error.status, { ...error.body, detail: said.map(reasonText).join(" ") }, error.requestId);
}
