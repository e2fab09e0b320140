// What a failed call means to a person. The one place that reads errors of the server.
import { answers } from "../words/answers";
import { finder, worded } from "../words/sentences";
import { t } from "../words/words";
import { calls } from "../words/calls";
import { fieldLabel } from "../words/field_name";

/** A call that failed: what to say, which fields are wrong, and the id that an operator finds in the log. */
export class CallError extends Error {
  constructor(
    readonly status: number,
    readonly body: Record<string, unknown>,
    readonly requestId: string | null,
  ) {
    super(sentence(status, body));
  }

  get code(): string {
    return typeof this.body.code === "string" ? this.body.code : "";
  }

  /** The message of each wrong field, flat: `owners.0.units`. */
  get fields(): Record<string, string> {
    const found: Record<string, string> = {};
    if (this.status === 400) collect(this.body, "", found);
    return found;
  }
}

const find = finder(answers);
const inWords = (reason: string): string => worded(reason, find(reason));

function sentence(status: number, body: Record<string, unknown>): string {
  if (status === 0) return t(calls.noAnswer);
  if (status === 401 && body.code === "token_not_valid") return t(calls.sessionOver);
  if (typeof body.detail === "string") return inWords(body.detail);
  if (typeof body.message === "string") return inWords(body.message);
  const fields: Record<string, string> = {};
  collect(body, "", fields);
  const parts = Object.entries(fields).map(([path, text]) => (WHOLE.includes(path) ? text : `${fieldLabel(path)}: ${text}`));
  if (parts.length) return parts.join(" ");
  return t(calls.failed, { status: String(status) });
}

/** What is wrong with these is wrong with everything that was sent. */
const WHOLE = ["non_field_errors", "file"];

/** `code` names the kind of an error, unless it is a list: then it is the field of that name. */
function collect(value: unknown, path: string, into: Record<string, string>): void {
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) {
    into[path || "non_field_errors"] = value.map(inWords).join(" ");
  } else if (value && typeof value === "object") {
    for (const [key, inner] of Object.entries(value))
      if (key !== "code" || Array.isArray(inner)) collect(inner, path ? `${path}.${key}` : key, into);
  }
}

/** Any thrown value as an error that can be shown. */
export function asCallError(error: unknown): CallError {
  if (error instanceof CallError) return error;
  return new CallError(0, { detail: error instanceof TypeError ? t(calls.noAnswer) : String((error as Error)?.message ?? error) }, null);
}
