// Why a date is what it is: everything that limits it as sentences, what decides first, each linked to its row.
import { useState } from "preact/hooks";
import { api, ok, type Schemas } from "../../api/client";
import { useRead } from "../../api/read";
import { Shown } from "../../app/failure";
import { value } from "../../app/field";
import { dayOf } from "../../dates/days";
import { longDay } from "../../dates/format";
import { inspect } from "../../words/inspect";
import { type Message, t } from "../../words/words";
import type { Desk } from "../desk";
import { focusOn } from "../edit/actions";
import type { TaskRow } from "../plan/row";

type Contribution = Schemas["DerivationContribution"];
type Quantity = "early_start" | "early_finish" | "late_finish";

const QUANTITIES: [Quantity, Message][] = [
  ["early_start", inspect.start],
  ["early_finish", inspect.finish],
  ["late_finish", inspect.lateFinish],
];
const SHOWN = 6;

const SENTENCES: [prefix: string, message: Message][] = [
  ["project_start", inspect.kind_project_start],
  ["data_date", inspect.kind_data_date],
  ["planned_start", inspect.kind_planned_start],
  ["actual_start", inspect.kind_actual_start],
  ["actual_finish", inspect.kind_actual_finish],
  ["constraint", inspect.kind_constraint],
  ["deadline", inspect.kind_deadline],
  ["predecessor", inspect.kind_predecessor],
  ["successor", inspect.kind_successor],
  ["project_finish", inspect.kind_project_finish],
  ["descendant", inspect.kind_descendant],
];

export function Why({ desk, id, version }: { desk: Desk; id: string; version: string }) {
  const [quantity, setQuantity] = useState<Quantity>("early_start");
  const [all, setAll] = useState(false);
  const plan = desk.plan.watch();
  const row = plan.rows[plan.task(id)];
  const atWork = Boolean(row?.actual_start && !row.actual_finish);
  const read = useRead(
    () =>
      ok(
        api.GET("/api/v1/projects/{id}/schedule/derivation/", {
          params: { path: { id: desk.projectId }, query: { task_id: id, quantity } },
        }),
      ) as Promise<Schemas["ScheduleDerivation"]>,
    [id, quantity, version],
  );
  return (
    <section>
      <div class="row">
        <h3 class="grow">{t(inspect.why)}</h3>
        <select
          class="input date-choice"
          aria-label={t(inspect.why)}
          value={quantity}
          onChange={(event) => setQuantity(value(event) as Quantity)}
        >
          {QUANTITIES.map(([code, name]) => (
            <option key={code} value={code}>
              {t(code === "early_start" && atWork ? inspect.restStart : name)}
            </option>
          ))}
        </select>
      </div>
      <Shown read={read} lines={3}>
        {(found) => {
          const sorted = [...found.contributions].sort(
            (a, b) => Number(b.is_binding) - Number(a.is_binding) || (a.slack_days ?? 0) - (b.slack_days ?? 0),
          );
          return (
            <ul class="why">
              {(all ? sorted : sorted.slice(0, SHOWN)).map((one, at) => (
                <Reason key={at} desk={desk} reason={one} row={row} />
              ))}
              {!all && sorted.length > SHOWN && (
                <li>
                  <button type="button" class="link-button" onClick={() => setAll(true)}>
                    + {sorted.length - SHOWN}
                  </button>
                </li>
              )}
            </ul>
          );
        }}
      </Shown>
    </section>
  );
}

/** The start that the server explains is that of the work that is left: the row knows when the work began. */
function Reason({ desk, reason, row }: { desk: Desk; reason: Contribution; row: TaskRow | undefined }) {
  const begun = row?.actual_start ?? null;
  // A task without a planned start begins with its sprint.
  const isOfSprint = reason.kind.startsWith("planned_start") && row?.planned_start === null;
  const message = isOfSprint
    ? inspect.kind_sprint_start
    : (SENTENCES.find(([prefix]) => reason.kind.startsWith(prefix))?.[1] ?? inspect.kind_other);
  const lag = reason.lag_days ? `${reason.lag_days > 0 ? "+" : ""}${reason.lag_days}` : "";
  const date = reason.kind.startsWith("actual_start") ? (begun ?? reason.imposed_date) : reason.imposed_date;
  const day = date ? longDay(dayOf(date)) : "–";
  const text = t(message, { day, type: `${reason.dep_type ?? ""}${lag}`, kind: reason.kind, task: "\u0000" });
  const [before, after] = text.split("\u0000");
  const task = reason.source_task_id ? desk.plan.task(reason.source_task_id) : -1;
  return (
    <li class={reason.is_binding ? "binding" : ""}>
      <span>
        {before}
        {after !== undefined &&
          (task >= 0 ? (
            <button type="button" class="link-button" onClick={() => focusOn(desk, task)}>
              {reason.source_task_name}
            </button>
          ) : (
            reason.source_task_name
          ))}
        {after}
      </span>
      <span class="slack num">
        {reason.is_binding ? t(inspect.decides) : reason.slack_days ? t(inspect.slack, { n: reason.slack_days }) : ""}
      </span>
    </li>
  );
}
