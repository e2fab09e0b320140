// The people of a project: how full their weeks are over all projects, and what they do here.
import { useState } from "preact/hooks";
import { api, ok, type Schemas } from "../api/client";
import { useRead } from "../api/read";
import { DayInput } from "../app/day_input";
import { Shown } from "../app/failure";
import { place, setQuery } from "../app/router";
import type { PageProps } from "../app/routes";
import { dayOf, isoOf, today, weekday } from "../dates/days";
import { shortDay } from "../dates/format";
import { ProjectFrame, useProject } from "../projects/project_frame";
import { may } from "../projects/rights";
import { board } from "../words/board";
import { peopleWords as words } from "../words/programs";
import { number, t } from "../words/words";
import { Heat } from "./heat";
import "./people.css";

const SPANS = [8, 12, 26, 52];

export default function PeoplePage({ params }: PageProps) {
  const id = params.id!;
  const project = useProject(id);
  return (
    <ProjectFrame id={id} project={project}>
      <div class="page">
        <div class="page-in wide">
          {project.data && (may(project.data, "seeCapacity") ? <Capacity id={id} /> : <p class="quiet">{t(words.noCapacity)}</p>)}
        </div>
      </div>
    </ProjectFrame>
  );
}

function Capacity({ id }: { id: string }) {
  const path = { id };
  const [weeks, setWeeks] = useState(12);
  const [start, setStart] = useState(isoOf(today() - weekday(today())));
  const heat = useRead(
    () => ok(api.GET("/api/v1/projects/{id}/resources/heatmap/", { params: { path, query: { weeks, start } as never } })),
    [id, weeks, start],
  );
  const summary = useRead(() => ok(api.GET("/api/v1/projects/{id}/resources/summary/", { params: { path } })), [id]);
  const spans = useRead(() => ok(api.GET("/api/v1/projects/{id}/resource-allocation/", { params: { path } })), [id]);
  const chosen = place.value.query.get("person");
  // A plan without rows has no schedule, and so no weeks.
  if (heat.error?.status === 409)
    return (
      <section class="card stack">
        <h2>{t(words.heat)}</h2>
        <p class="quiet">{t(words.noPlan)}</p>
      </section>
    );
  return (
    <>
      <Shown read={summary} lines={2}>
        {(data) => <Figures data={data} />}
      </Shown>
      <section class="card stack">
        <div class="row wrap">
          <h2 class="grow">{t(words.heat)}</h2>
          <label class="row small">
            {t(words.from)} <DayInput class="input heat-pick" required value={start} tell={setStart} />
          </label>
          <select
            class="input heat-pick"
            aria-label={t(words.weeks, { n: weeks })}
            value={String(weeks)}
            onChange={(event) => setWeeks(Number(event.currentTarget.value))}
          >
            {SPANS.map((n) => (
              <option key={n} value={String(n)}>
                {t(words.weeks, { n })}
              </option>
            ))}
          </select>
        </div>
        <p class="small quiet">{t(words.heatText)}</p>
        <Shown read={heat} lines={8}>
          {(data) =>
            data.resources.length === 0 ? (
              <div class="stack">
                <h3>{t(words.noPeople)}</h3>
                <p class="quiet">{t(words.noPeopleText)}</p>
              </div>
            ) : (
              <Heat data={data} chosen={chosen} choose={(person) => setQuery({ person: person === chosen ? null : person })} />
            )
          }
        </Shown>
      </section>
      <section class="card stack">
        <Shown read={spans} lines={4}>
          {(data) => <Allocations project={id} person={data.resources.find((one) => one.id === chosen) ?? null} />}
        </Shown>
      </section>
    </>
  );
}

function Figures({ data }: { data: Schemas["ResourceSummary"] }) {
  return (
    <div class="figures">
      <div class="card figure">
        <span class="small quiet">{t(words.head)}</span>
        <b>{number(data.headcount)}</b>
      </div>
      <div class="card figure">
        <span class="small quiet">{t(words.average)}</span>
        <b>{number(data.avg_utilization_pct ?? 0)} %</b>
      </div>
      <div class="card figure">
        <span class="small quiet">{t(words.over)}</span>
        <b class={data.over_allocated_count > 0 ? "is-bad" : ""}>{number(data.over_allocated_count)}</b>
      </div>
      <div class="card figure">
        <span class="small quiet">{t(words.under)}</span>
        <b>{number(data.under_utilized_count)}</b>
      </div>
    </div>
  );
}

function Allocations({ project, person }: { project: string; person: Schemas["AllocatedResource"] | null }) {
  if (!person) return <p class="quiet">{t(words.choose)}</p>;
  const tasks = [...person.tasks].sort((a, b) => dayOf(a.early_start) - dayOf(b.early_start));
  return (
    <>
      <h2>{t(words.allocations, { name: person.name })}</h2>
      {tasks.length === 0 && <p class="quiet">{t(words.noWork)}</p>}
      <div class="scroll-x">
        <table class="table">
          <thead>
            <tr>
              <th>{t(words.task)}</th>
              <th>{t(board.status)}</th>
              <th>{t(words.units)}</th>
              <th>{t(words.start)}</th>
              <th>{t(words.finish)}</th>
            </tr>
          </thead>
          <tbody>
            {tasks.map((task) => (
              <tr key={task.assignment_id}>
                <td>
                  <a class="plain-link strong-name" href={`/projects/${project}/schedule?task=${task.id}`}>
                    {task.name}
                  </a>
                </td>
                <td class="nowrap">{t(board[task.status as keyof typeof board] ?? board.NOT_STARTED)}</td>
                <td class="tabular">{number(Number(task.units) * 100)} %</td>
                <td class="tabular nowrap">{shortDay(dayOf(task.scheduled_start ?? task.early_start))}</td>
                <td class="tabular nowrap">{shortDay(dayOf(task.early_finish))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
