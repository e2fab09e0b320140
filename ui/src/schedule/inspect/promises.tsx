// What was promised for a row: its deadline and its constraint.
import type { Schemas } from "../../api/client";
import { DayInput } from "../../app/day_input";
import { Field, value } from "../../app/field";
import { inspect } from "../../words/inspect";
import { t } from "../../words/words";
import type { Desk } from "../desk";
import { type Changes, patch } from "../edit/patch";
import { SUMMARY } from "../plan/flags";
import type { TaskRow } from "../plan/row";

const KINDS = ["SNET", "SNLT", "FNET", "FNLT", "MSO", "MFO", "START_ON", "FINISH_ON", "ALAP"] as const;

export function Promises({ desk, row }: { desk: Desk; row: TaskRow }) {
  const plan = desk.plan.watch();
  const readOnly = !desk.canAuthor.value || !row.can_edit;
  const write = (changes: Changes) => desk.edits.run(patch(desk, row, changes));
  const setKind = (kind: string) => {
    if (!kind) return write({ constraint_type: null });
    const date = kind === "ALAP" ? {} : { constraint_date: row.constraint_date ?? row.scheduled_start ?? row.early_start };
    return write({ constraint_type: kind as Schemas["ConstraintType"], ...date });
  };
  const summary = (plan.flags[plan.task(row.id)] ?? 0) & SUMMARY;
  return (
    <section class="stack">
      <h3>{t(inspect.promises)}</h3>
      <Field label={t(inspect.deadline)}>
        <DayInput value={row.deadline ?? ""} disabled={readOnly} tell={(day) => write({ deadline: day || null })} />
      </Field>
      {!summary && (
        <Field label={t(inspect.constraint)}>
          <select value={row.constraint_type ?? ""} disabled={readOnly} onChange={(event) => void setKind(value(event))}>
            <option value="">{t(inspect.none)}</option>
            {KINDS.map((kind) => (
              <option key={kind} value={kind}>
                {t(inspect[kind])}
              </option>
            ))}
          </select>
        </Field>
      )}
      {row.constraint_type && row.constraint_type !== "ALAP" && (
        <Field label={t(inspect.constraintDate)}>
          <DayInput required value={row.constraint_date ?? ""} disabled={readOnly} tell={(constraint_date) => write({ constraint_date })} />
        </Field>
      )}
    </section>
  );
}
