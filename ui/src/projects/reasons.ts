// What the server says of a file, in the language of the person. A sentence that no catalogue holds is shown as it is.
import { CallError } from "../api/errors";
import { dayOf } from "../dates/days";
import { fullDay } from "../dates/format";
import { inspect } from "../words/inspect";
import { imports as words } from "../words/imports";
import * as losses from "../words/losses";
import * as refusals from "../words/refusals";
import { type Found, finder } from "../words/sentences";
import { language, type Message, t, type Values } from "../words/words";

const DAYS = ["day", "began", "ended"];

let find: ReturnType<typeof finder> | null = null;

/** The message of a sentence of any catalogue; they are made ready at the first sentence. */
export function messageOf(sentence: string): Found | null {
  find ??= finder([...Object.values(losses), ...Object.values(refusals)].flat());
  return find(sentence);
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
  if (DAYS.includes(name)) return fullDay(dayOf(part));
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
