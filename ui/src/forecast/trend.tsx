// How plan and forecast moved from run to run.
import { api, ok } from "../api/client";
import { useRead } from "../api/read";
import { Shown } from "../app/failure";
import { dayOf } from "../dates/days";
import { moment, shortDay } from "../dates/format";
import { forecast } from "../words/forecast";
import { t } from "../words/words";
import type { Run } from "./model";

export function Trend({ project, run }: { project: string; run: Run }) {
  const read = useRead(
    () => ok(api.GET("/api/v1/projects/{id}/monte-carlo/history/", { params: { path: { id: project } } })),
    [project, run.run_id],
  );
  if (read.data && read.data.results.length < 2) return null;
  return (
    <section class="card stack">
      <h2>{t(forecast.trend)}</h2>
      <Shown read={read} lines={2}>
        {(data) => (
          <div class="scroll-x">
            <table class="table">
              <thead>
                <tr>
                  <th>{t(forecast.date)}</th>
                  <th>{t(forecast.plan)}</th>
                  <th>P50</th>
                  <th>P80</th>
                </tr>
              </thead>
              <tbody>
                {data.results.slice(0, 8).map((one) => (
                  <tr key={one.id}>
                    <td>{moment(one.taken_at)}</td>
                    {[one.cpm_finish, one.p50, one.p80].map((day, at) => (
                      <td key={at} class="nowrap tabular">
                        {shortDay(dayOf(day))}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </Shown>
    </section>
  );
}
