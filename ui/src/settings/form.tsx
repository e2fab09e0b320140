// The parts of settings: a field that is saved as soon as it is left, and says so; a failure stays at the field.
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { patiently } from "../api/client";
import { readOnly } from "../api/connection";
import type { CallError } from "../api/errors";
import { useAction } from "../api/read";
import { DayInput } from "../app/day_input";
import { Failure } from "../app/failure";
import { say, toast } from "../app/toast";
import { settings as words } from "../words/settings";
import { t } from "../words/words";

export type Save = (body: Record<string, unknown>) => Promise<boolean>;

/** Saves parts of one row; `error` belongs to the last save. What was typed without a connection waits for it. */
export function useSave(
  write: (body: Record<string, unknown>) => Promise<unknown>,
  saved?: () => void,
): { save: Save; error: CallError | null; busy: boolean } {
  const action = useAction(async (body: Record<string, unknown>) => {
    await patiently(() => write(body));
    say(t(words.saved));
    toast(t(words.saved));
    saved?.();
  });
  return { save: action.run, error: action.error, busy: action.busy };
}

export function Part({
  title,
  text,
  children,
  error,
}: {
  title: string;
  text?: string;
  children: ComponentChildren;
  error?: CallError | null;
}) {
  return (
    <section class="card stack setting-part">
      <h2>{title}</h2>
      {text && <p class="quiet small">{text}</p>}
      {error && <Failure error={error} />}
      {children}
    </section>
  );
}

interface FieldProps {
  label: string;
  name: string;
  value: string;
  save: Save;
  wrong?: string | undefined;
  type?: "text" | "date";
  disabled?: boolean;
  empty?: "null" | "text";
}

export function TextSetting({ label, name, value, save, wrong, type = "text", disabled, empty = "text" }: FieldProps) {
  const keep = (text: string): void => void save({ [name]: text === "" && empty === "null" ? null : text });
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: one of the controls below is in it
    <label class="field">
      <span>{label}</span>
      {type === "date" && <DayInput disabled={disabled} wrong={Boolean(wrong)} value={value} tell={keep} />}
      {type === "text" && (
        <input
          disabled={disabled}
          aria-invalid={Boolean(wrong)}
          defaultValue={value}
          onChange={(event) => keep(event.currentTarget.value)}
        />
      )}
      {wrong && (
        <span class="wrong" role="alert">
          {wrong}
        </span>
      )}
    </label>
  );
}

export function ChoiceSetting({
  label,
  name,
  value,
  save,
  options,
  disabled = false,
}: {
  label: string;
  name: string;
  value: string;
  save: Save;
  options: readonly (readonly [string, string])[];
  disabled?: boolean;
}) {
  const [shown, choose] = useShown(value);
  return (
    <label class="field">
      <span>{label}</span>
      <select
        value={shown}
        disabled={disabled || readOnly.value}
        onChange={(event) => choose(event.currentTarget.value, save({ [name]: event.currentTarget.value }))}
      >
        {options.map(([code, text]) => (
          <option key={code} value={code}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

/** What a control shows: the choice at once, the value of the server when it comes, and the old one if it was refused. */
export function useShown<T>(value: T): [T, (wish: T, saved: Promise<boolean>) => void] {
  const [shown, setShown] = useState(value);
  useEffect(() => setShown(value), [value]);
  const choose = (wish: T, saved: Promise<boolean>) => {
    setShown(wish);
    void saved.then((done) => !done && setShown(value));
  };
  return [shown, choose];
}

export function SwitchSetting({
  label,
  name,
  value,
  save,
  disabled = false,
}: {
  label: string;
  name: string;
  value: boolean;
  save: Save;
  disabled?: boolean;
}) {
  const [shown, choose] = useShown(value);
  const turn = (on: boolean) => choose(on, save({ [name]: on }));
  return (
    <label class="check">
      <input
        type="checkbox"
        role="switch"
        checked={shown}
        disabled={disabled || readOnly.value}
        onChange={(event) => turn(event.currentTarget.checked)}
      />{" "}
      {label}
    </label>
  );
}

export const zones = (): string[] =>
  (Intl as unknown as { supportedValuesOf?: (key: string) => string[] }).supportedValuesOf?.("timeZone") ?? ["UTC"];
