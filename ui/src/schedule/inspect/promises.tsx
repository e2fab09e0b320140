// What was promised for a row: its deadline and its constraint.
import type { Schemas } from "../../api/client";
import { Field, value } from "../../app/field";
import { inspect } from "../../words/inspect";
import { t } from "../../words/words";
import type { Desk } from "../desk";
import { type Changes, patch } from "../edit/patch";
import { SUMMARY } from "../plan/plan";
import type { TaskRow } from "../plan/row";

const KINDS = ["SNET", "SNLT", "FNET", "FNLT", "MSO", "MFO", "START_ON", "FINISH_ON", "ALAP"] as const;

export function Promises({ desk, row }: { desk: Desk; row: TaskRow }) {
  const plan = desk.plan.watch();
  const readOnly = !desk.canAuthor.value || !row.can_edit;
  const write = (changes: Changes) => void desk.edits.run(patch(desk, row, changes));
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
        <input type="date" value={row.deadline ?? ""} disabled={readOnly} onChange={(event) => write({ deadline: value(event) || null })} />
      </Field>
      {!summary && (
        <Field label={t(inspect.constraint)}>
          <select value={row.constraint_type ?? ""} disabled={readOnly} onChange={(event) => setKind(value(event))}>
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
          <input type="date" value={row.constraint_date ?? ""} disabled={readOnly} onChange={(event) => value(event) && write({ constraint_date: value(event) })} />
        </Field>
      )}
    </section>
  );
}
