// What if this task took longer or shorter: the finish and P80 before and after, from a simulation that saves nothing.
import { useState } from "preact/hooks";
import { api, ok, type Schemas } from "../../api/client";
import { useAction } from "../../api/read";
import { Failure } from "../../app/failure";
import { Field, value } from "../../app/field";
import { dayOf } from "../../dates/days";
import { shortDay } from "../../dates/format";
import { inspect } from "../../words/inspect";
import { schedule } from "../../words/schedule";
import { t } from "../../words/words";
import type { Desk } from "../desk";
import { done } from "../edit/actions";
import { patch } from "../edit/patch";
import { cascade } from "../plan/cascade";
import type { TaskRow } from "../plan/row";

export function WhatIf({ desk, row }: { desk: Desk; row: TaskRow }) {
  desk.plan.watch();
  const [days, setDays] = useState(5);
  const [result, setResult] = useState<Schemas["MonteCarloWhatIf"] | null>(null);
  const compute = useAction(async () => {
    const query = { task_id: row.id, duration_delta: days };
    setResult(await ok(api.GET("/api/v1/projects/{id}/monte-carlo/whatif/", { params: { path: { id: desk.projectId }, query } })));
    ghost(desk, row, days);
  });
  const apply = async () => {
    desk.gesture.value = null;
    const edit = patch(desk, row, { duration: result!.applied.new_duration_days });
    if (await desk.edits.run(edit)) {
      setResult(null);
      done(desk, t(schedule.didChange, { name: row.name }));
    }
  };
  const submit = (event: Event) => {
    event.preventDefault();
    void compute.run();
  };
  return (
    <section>
      <h3>{t(inspect.whatIf)}</h3>
      <p class="quiet small">{t(inspect.whatIfText)}</p>
      <form class="row" onSubmit={submit}>
        <Field label={t(inspect.days)}>
          <input type="number" min={-365} max={365} value={days} onInput={(event) => (setDays(Number(value(event))), setResult(null))} />
        </Field>
        <button type="submit" class="button small what-if-go" disabled={compute.busy || days === 0}>
          {t(inspect.compute)}
        </button>
      </form>
      {compute.error && <Failure error={compute.error} retry={() => void compute.run()} />}
      {result && <Outcome result={result} />}
      {result && desk.canAuthor.value && row.can_edit && (
        <button type="button" class="button small" onClick={() => void apply()}>
          {t(inspect.commit)}
        </button>
      )}
    </section>
  );
}

/** Shows in the chart where the bars would go. */
function ghost(desk: Desk, row: TaskRow, days: number): void {
  const task = desk.plan.task(row.id);
  const { plan, calendar } = desk;
  const length = Math.max(1, calendar.count(plan.start[task]!, plan.finish[task]!) + days);
  const finish = calendar.finish(plan.start[task]!, length);
  desk.gesture.value = {
    kind: "resize",
    task,
    start: plan.start[task]!,
    finish,
    cascade: cascade(plan, calendar, task, plan.start[task]!, finish),
  };
  desk.view.reveal(plan.start[task]!, finish);
  setTimeout(() => (desk.gesture.value = null), 6000);
}

function Outcome({ result }: { result: Schemas["MonteCarloWhatIf"] }) {
  const lines: [string, "cpm_finish" | "p50" | "p80" | "p95"][] = [
    [t(inspect.planned), "cpm_finish"],
    ["P50", "p50"],
    ["P80", "p80"],
    ["P95", "p95"],
  ];
  const day = (text: string | null) => (text ? shortDay(dayOf(text)) : "–");
  return (
    <>
      <table class="table">
        <thead>
          <tr>
            <th />
            <th class="num">{t(inspect.now)}</th>
            <th class="num">{t(inspect.afterwards)}</th>
            <th />
          </tr>
        </thead>
        <tbody>
          {lines.map(([name, key]) => {
            const delta = result.delta_vs_current[key] ?? 0;
            return (
              <tr key={key}>
                <td>{name}</td>
                <td class="num">{day(result.current[key])}</td>
                <td class="num">{day(result.whatif[key])}</td>
                <td class="num">
                  {delta !== 0 && <span class={delta > 0 ? "chip bad" : "chip good"}>{delta > 0 ? `+${delta}` : delta}</span>}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {result.critical_path_changed && <p class="small quiet">{t(inspect.pathChanges)}</p>}
    </>
  );
}
