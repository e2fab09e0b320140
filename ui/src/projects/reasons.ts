// What the server says of a file, in the language of the person. A sentence that no catalogue holds is shown as it is.
import { CallError } from "../api/errors";
import { dayOf } from "../dates/days";
import { fullDay } from "../dates/format";
import { inspect } from "../words/inspect";
import { imports as words } from "../words/imports";
import * as losses from "../words/losses";
import { ofWritten } from "../words/losses_export";
import { ofMicrosoftProject } from "../words/losses_microsoft_project";
import { ofPrimavera } from "../words/losses_primavera";
import * as refusals from "../words/refusals";
import { finder, worded } from "../words/sentences";
import { language, type Message, t } from "../words/words";

const DAYS = ["day", "began", "ended"];

/** Every message of every catalogue. */
export const messages: readonly Message[] = [
  ...Object.values(losses),
  ofMicrosoftProject,
  ofPrimavera,
  ...Object.values(refusals),
  ofWritten,
].flat();

/** The message of a sentence of any catalogue, with the parts of it that change. */
export const messageOf = finder(messages);

/** A sentence of the server in the language of the person. */
export const reasonText = (sentence: string): string =>
  language.value === "en" ? sentence : worded(sentence, messageOf(sentence), partText);

/** Sentences inside of others, days and kinds of constraints have words of their own. */
function partText(name: string, part: string): string {
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
    throw error instanceof CallError ? told(error) : error;
  }
}

/** The same error with its sentences in words, and without the name of the field of the file before them. */
function told(error: CallError): CallError {
  const { file, detail } = error.body;
  const said = Array.isArray(file) ? file : [detail];
  if (!said.every((one) => typeof one === "string")) return error;
  return new CallError(error.status, { ...error.body, detail: said.map(reasonText).join(" ") }, error.requestId);
}
