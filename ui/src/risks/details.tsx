// The rest of one risk, opened below its row: delay for the forecast, tasks, texts. Each field is saved when it is left.
import { readOnly } from "../api/connection";
import type { Task } from "../board/model";
import { DayInput } from "../app/day_input";
import { Icon } from "../app/icons";
import { SharedText } from "../app/shared_text";
import { Allowed } from "../projects/rights";
import { calls } from "../words/calls";
import { risks as words } from "../words/risks";
import { t } from "../words/words";
import type { Risk } from "./model";

interface DetailsProps {
  risk: Risk;
  tasks: Task[];
  members: { id: string; name: string }[];
  save: (body: Partial<Risk>) => void;
  /** Writes a text that somebody else may write too. */
  write: (body: Partial<Risk>, base: number | null) => Promise<Risk>;
  remove: () => void;
}

const TEXTS = ["description", "trigger", "contingency"] as const;
const DELAYS = [
  ["delay_low_days", words.low],
  ["delay_days", words.likely],
  ["delay_high_days", words.high],
] as const;
const CATEGORIES = ["TECHNICAL", "EXTERNAL", "ORGANIZATIONAL", "PROJECT_MANAGEMENT"] as const;
const RESPONSES = ["AVOID", "MITIGATE", "TRANSFER", "ACCEPT"] as const;

const whole = (event: Event): number | null => {
  const text = (event.currentTarget as HTMLInputElement).value;
  return text === "" ? null : Number(text);
};

export function Details({ risk, tasks, members, save, write, remove }: DetailsProps) {
  const free = tasks.filter((task) => !risk.tasks.includes(task.id) && !task.is_phase);
  return (
    <div class="risk-details">
      <div class="stack">
        {TEXTS.map((name) => (
          <SharedText
            key={`${risk.id}${name}`}
            kept={`risk.${risk.id}.${name}`}
            label={t(words[name])}
            value={risk[name] ?? ""}
            version={risk.server_version}
            rows={2}
            write={(text, base) => write({ [name]: text }, base)}
          />
        ))}
      </div>
      <div class="stack">
        <div class="pair">
          <Choice
            label={t(words.category)}
            value={risk.category ?? ""}
            options={[["", "–"], ...CATEGORIES.map((one): [string, string] => [one, t(words[one])])]}
            save={(category) => save({ category: (category || null) as Risk["category"] })}
          />
          <Choice
            label={t(words.response)}
            value={risk.response ?? ""}
            options={[["", "–"], ...RESPONSES.map((one): [string, string] => [one, t(words[one])])]}
            save={(response) => save({ response: (response || null) as Risk["response"] })}
          />
          <Choice
            label={t(words.owner)}
            value={risk.owner ?? ""}
            options={[["", "–"], ...members.map((one): [string, string] => [one.id, one.name])]}
            save={(owner) => save({ owner: owner || null })}
          />
          <label class="field">
            <span>{t(words.due)}</span>
            <DayInput value={risk.mitigation_due_date ?? ""} tell={(day) => save({ mitigation_due_date: day || null })} />
          </label>
        </div>
        <fieldset class="risk-delay">
          <legend class="small">{t(words.delay)}</legend>
          <label class="field">
            <span>{t(words.likelihood)}</span>
            <input
              type="number"
              min={0}
              max={100}
              defaultValue={String(risk.likelihood_percent ?? "")}
              onChange={(event) => save({ likelihood_percent: whole(event) })}
            />
          </label>
          {DELAYS.map(([name, label]) => (
            <label key={name} class="field">
              <span>{t(label)}</span>
              <input type="number" min={0} defaultValue={String(risk[name] ?? "")} onChange={(event) => save({ [name]: whole(event) })} />
            </label>
          ))}
        </fieldset>
        <p class="small quiet">{t(words.delayHint)}</p>
        <div class="field">
          <span>{t(words.tasks)}</span>
          <ul class="row wrap">
            {risk.tasks.map((id) => {
              const task = tasks.find((one) => one.id === id);
              return (
                <li key={id} class="chip">
                  <a class="plain-link" href={`/projects/${risk.project}/schedule?task=${id}`}>
                    {task?.name ?? "…"}
                  </a>
                  <button
                    type="button"
                    class="chip-close"
                    disabled={readOnly.value}
                    aria-label={`${t(calls.remove)}: ${task?.name ?? ""}`}
                    onClick={() => save({ tasks: risk.tasks.filter((one) => one !== id) })}
                  >
                    <Icon name="close" size={10} />
                  </button>
                </li>
              );
            })}
          </ul>
          <select
            class="input"
            aria-label={t(words.addTask)}
            value=""
            disabled={readOnly.value}
            onChange={(event) => event.currentTarget.value && save({ tasks: [...risk.tasks, event.currentTarget.value] })}
          >
            <option value="">{t(words.addTask)}</option>
            {free.map((task) => (
              <option key={task.id} value={task.id}>
                {task.wbs_path} {task.name}
              </option>
            ))}
          </select>
        </div>
        <div>
          <Allowed right="own">
            <button type="button" class="button small danger" disabled={readOnly.value} onClick={remove}>
              {t(calls.remove)}
            </button>
          </Allowed>
        </div>
      </div>
    </div>
  );
}

function Choice({
  label,
  value,
  options,
  save,
}: {
  label: string;
  value: string;
  options: readonly (readonly [string, string])[];
  save: (value: string) => void;
}) {
  return (
    <label class="field">
      <span>{label}</span>
      <select value={value} disabled={readOnly.value} onChange={(event) => save(event.currentTarget.value)}>
        {options.map(([code, name]) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
