// Milestones with the chance of their dates, and P50 and P80 where sprints aim at them.
import { api, ok } from "../api/client";
import { useRead } from "../api/read";
import { Failure } from "../app/failure";
import { Icon } from "../app/icons";
import { dayOf } from "../dates/days";
import { shortDay } from "../dates/format";
import { forecast } from "../words/forecast";
import { number, t } from "../words/words";
import { type Run, tone } from "./model";
import { movedTo, type PlanNow } from "./plan_now";

interface Aim {
  milestone_id?: string;
  id?: string;
  p50?: string | null;
  p80?: string | null;
}

export function Milestones({ project, run, now }: { project: string; run: Run; now: PlanNow | null }) {
  const aims = useRead(
    async () => (await ok(api.GET("/api/v1/projects/{id}/forecast/", { params: { path: { id: project } } }))).milestones as Aim[],
    [project, run.run_id],
  );
  const aim = (id: string) => aims.data?.find((one) => one.milestone_id === id || one.id === id);
  const withDates = (aims.data ?? []).some((one) => one.p50);
  return (
    <section class="card stack">
      <h2>{t(forecast.milestones)}</h2>
      {aims.error && <Failure error={aims.error} retry={aims.retry} />}
      {run.milestones.length === 0 ? (
        <p class="quiet">{t(forecast.noMilestones)}</p>
      ) : (
        <div class="scroll-x">
          <table class="table">
            <thead>
              <tr>
                <th>{t(forecast.milestone)}</th>
                <th>{t(forecast.date)}</th>
                {withDates && <th>P50</th>}
                {withDates && <th>P80</th>}
                <th>{t(forecast.chance)}</th>
              </tr>
            </thead>
            <tbody>
              {run.milestones
                .map((one) => ({ ...one, moved: now && movedTo(one, now) }))
                .map((one) => (
                  <tr key={one.task_id}>
                    <td>
                      <a class="plain-link strong-name" href={`/projects/${project}/schedule?task=${one.task_id}`}>
                        <Icon name="flag" size={12} /> {one.name}
                      </a>
                    </td>
                    <td class="nowrap tabular">
                      {shortDay(one.moved ?? dayOf(one.date))}{" "}
                      <span class="quiet small">{t(one.is_deadline ? forecast.deadline : forecast.early)}</span>
                      {one.moved !== null && (
                        <>
                          <br />
                          <span class="quiet small">{t(forecast.wasInRun, { day: shortDay(dayOf(one.date)) })}</span>
                        </>
                      )}
                    </td>
                    {withDates && <td class="nowrap tabular">{shortDay(dayOf(aim(one.task_id)?.p50))}</td>}
                    {withDates && <td class="nowrap tabular">{shortDay(dayOf(aim(one.task_id)?.p80))}</td>}
                    <td>
                      <span
                        class={`chip ${one.moved === null ? tone(one.confidence ?? 0) : ""} num`}
                        title={one.moved === null ? undefined : t(forecast.chanceWas, { day: shortDay(dayOf(one.date)) })}
                      >
                        {number(one.confidence ?? 0, 1)} %
                      </span>
                    </td>
                  </tr>
                ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
