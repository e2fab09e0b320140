// A text that several people may write, saved when it is left. If somebody else wrote meanwhile, nothing is overwritten: both texts
// are shown, and the person decides.
import { useEffect, useRef, useState } from "preact/hooks";
import { patiently } from "../api/client";
import { forgetText, keepText, keptText } from "../api/kept";
import { asCallError, CallError } from "../api/errors";
import { useAction } from "../api/read";
import { schedule } from "../words/schedule";
import { t } from "../words/words";
import { DayInput } from "./day_input";
import { Failure } from "./failure";

/** The header that names the version which the person saw; none if theirs is overwritten on purpose. */
export const seen = (version: number | null): never => (version === null ? {} : { "X-Base-Version": version }) as never;

/** For a text without versions: somebody else wrote `theirs`. */
export const otherwise = (theirs: string): CallError => new CallError(409, { code: "sync_conflict", server_value: { text: theirs } }, null);

/** A text that the server does not have yet, and what it was written over. */
interface Unsent {
  text: string;
  begun: { value: string; version: number };
}

const keyOf = (kept: string) => `shared.${kept}`;

function unsent(kept: string): Unsent | null {
  const found = keptText(keyOf(kept));
  return found === null ? null : (JSON.parse(found) as Unsent);
}

/** Half a number is not sent, and does not empty the field. */
const isWhole = (event: Event): boolean => !(event.currentTarget as HTMLInputElement).validity?.badInput;

interface SharedTextProps {
  /** The row and the field: under this name a text is kept until the server has it, also when the page is left. */
  kept: string;
  label: string;
  value: string;
  version: number;
  /** Writes the text; `base` is the version that the person saw and `begun` its text; null if the text is to win. Answers the new row. */
  write: (text: string, base: number | null, begun: string) => Promise<{ server_version: number } | void>;
  rows?: number;
  /** One line instead of several; `bare` says its label to screen readers only. */
  line?: "labelled" | "bare";
  /** What the one line holds, if it is not a text. */
  input?: { type: "number"; min: number; max?: number } | { type: "date" };
  locked?: boolean;
  class?: string;
}

export function SharedText({ kept, label, value, version, write, rows = 3, line, input, locked, class: name }: SharedTextProps) {
  const [left] = useState(() => unsent(kept));
  const [text, setText] = useState(left?.text ?? value);
  const [theirs, setTheirs] = useState<string | null>(null);
  const begun = useRef(left?.begun ?? { value, version });
  const typed = (next: string) => {
    setText(next);
    if (next === begun.current.value) forgetText(keyOf(kept));
    else keepText(keyOf(kept), JSON.stringify({ text: next, begun: begun.current }));
  };
  useEffect(() => {
    if (text !== begun.current.value || theirs !== null) return;
    begun.current = { value, version };
    setText(value);
  }, [value, version]);
  const save = useAction(async (wish: string, base: number | null) => {
    try {
      const row = await patiently(() => write(wish, base, begun.current.value));
      begun.current = { value: wish, version: row?.server_version ?? begun.current.version };
      if (unsent(kept)?.text === wish) forgetText(keyOf(kept));
      setTheirs(null);
    } catch (thrown) {
      const error = asCallError(thrown);
      if (error.code !== "sync_conflict") throw error;
      setTheirs(String(Object.values((error.body.server_value ?? {}) as Record<string, unknown>)[0] ?? ""));
    }
  });
  const leave = () => {
    if (text !== begun.current.value && theirs === null) void save.run(text, begun.current.version);
  };
  // What was not sent when this was last shown is sent now, once it may be.
  const waits = left !== null && !locked;
  useEffect(() => {
    if (waits) leave();
  }, [waits]);
  const take = (wish: string) => {
    forgetText(keyOf(kept));
    begun.current = { value: wish, version };
    setText(wish);
    setTheirs(null);
  };
  const field = {
    disabled: locked,
    value: text,
    onInput: (event: Event) => isWhole(event) && typed((event.currentTarget as HTMLInputElement).value),
    onBlur: leave,
  };
  return (
    <div class={name ? `field ${name}` : "field"}>
      {/* biome-ignore lint/a11y/noLabelWithoutControl: one of the controls below is in it */}
      <label class="field">
        <span class={line === "bare" ? "hidden-text" : undefined}>{label}</span>
        {input?.type === "date" ? (
          <DayInput value={text} disabled={locked} tell={typed} left={leave} />
        ) : line ? (
          <input maxLength={255} {...(input as object)} {...field} onKeyDown={(event) => event.key === "Enter" && leave()} />
        ) : (
          <textarea rows={rows} {...field} />
        )}
      </label>
      {save.error && <Failure error={save.error} retry={() => void save.run(text, begun.current.version)} />}
      {theirs !== null && (
        <div class="both-texts stack" role="alert">
          <b>{t(schedule.conflictTitle)}</b>
          <p class="both-theirs">
            <span class="small quiet">{t(schedule.theirs)}</span>
            {theirs || "–"}
          </p>
          <div class="row wrap">
            <button type="button" class="button small" disabled={save.busy} onClick={() => void save.run(text, null)}>
              {t(schedule.keepMine)}
            </button>
            <button type="button" class="button small plain" onClick={() => take(theirs)}>
              {t(schedule.useTheirs)}
            </button>
          </div>
        </div>
      )}
    </div>
  );
}
