// The sprints of a project: goal, burndown, scope, work, and the steps from planned to closed.
import { useState } from "preact/hooks";
import { readOnly } from "../api/connection";
import { api, ok, patiently } from "../api/client";
import { useLiveRefresh } from "../api/live_refresh";
import { type Read, useAction, useRead } from "../api/read";
import { ask } from "../app/dialog";
import { Failure, Shown } from "../app/failure";
import { Icon } from "../app/icons";
import { place, setQuery } from "../app/router";
import type { PageProps } from "../app/routes";
import { toast } from "../app/toast";
import { readTasks } from "../board/data";
import { isCard, type Task } from "../board/model";
import { dayOf, today } from "../dates/days";
import { shortDay } from "../dates/format";
import { ProjectFrame, useProject } from "../projects/project_frame";
import { Allowed } from "../projects/rights";
import { sprint as words } from "../words/sprint";
import { number, t } from "../words/words";
import { Burndown, type Figures, ScopeChanges } from "./burndown";
import { CloseSprint, NewSprint, StartQuestion } from "./dialogs";
import { daysLeft, firstShown, isTooMuch, progressOf, promisedPoints, type Sprint } from "./model";
import { Poker, rounds } from "./poker";
import { notes, Retro } from "./retro";
import { Velocity } from "./velocity";
import { Backlog, Work } from "./work";
import "./sprint.css";

interface Data {
  sprints: Sprint[];
  tasks: Task[];
}

async function readFigures(id: string | null): Promise<Figures> {
  const params = { path: { id: id! } };
  const [burn, scope, capacity] = await Promise.all([
    ok(api.GET("/api/v1/sprints/{id}/burndown/", { params })),
    ok(api.GET("/api/v1/sprints/{id}/scope-changes/", { params })),
    ok(api.GET("/api/v1/sprints/{id}/capacity/", { params })).catch(() => null),
  ]);
  return { burn, scope, capacity };
}

/** Rounds and notes are read by their own parts; the page itself is not read again for them. */
function ownEvent(event: string): boolean {
  if (event.startsWith("poker_")) rounds.value++;
  else if (event.startsWith("retro_") || event === "sprint_retro_updated") notes.value++;
  else return false;
  return true;
}

export default function SprintPage({ params }: PageProps) {
  const id = params.id!;
  const project = useProject(id);
  const read = useRead<Data>(async () => {
    const [sprints, tasks] = await Promise.all([
      ok(api.GET("/api/v1/projects/{project_pk}/sprints/", { params: { path: { project_pk: id }, query: { page_size: 200 } as never } })),
      readTasks(id),
    ]);
    return { sprints: sprints.results, tasks };
  }, [id]);
  useLiveRefresh(id, read.retry, { taken: ownEvent });
  const [making, setMaking] = useState(false);
  return (
    <ProjectFrame id={id} project={project}>
      <div class="page">
        <div class="page-in wide sprint">
          <Shown read={read} lines={10}>
            {(data) => {
              const shown = data.sprints.find((one) => one.id === place.value.query.get("sprint")) ?? firstShown(data.sprints);
              return shown ? (
                <SprintView key={shown.id} sprint={shown} read={read} data={data} create={() => setMaking(true)} />
              ) : (
                <Empty create={() => setMaking(true)} />
              );
            }}
          </Shown>
          {making && (
            <NewSprint
              project={id}
              sprints={read.data?.sprints ?? []}
              close={() => setMaking(false)}
              made={(one) => (read.retry(), setQuery({ sprint: one.id }))}
            />
          )}
        </div>
      </div>
    </ProjectFrame>
  );
}

function Empty({ create }: { create: () => void }) {
  return (
    <section class="card stack welcome">
      <h2>{t(words.emptyTitle)}</h2>
      <p class="quiet">{t(words.emptyText)}</p>
      <Allowed right="runSprints" told>
        <div>
          <button type="button" class="button primary" onClick={create}>
            <Icon name="plus" /> {t(words.newSprint)}
          </button>
        </div>
      </Allowed>
    </section>
  );
}

function SprintView({ sprint, read, data, create }: { sprint: Sprint; read: Read<Data>; data: Data; create: () => void }) {
  const figures = useRead(() => readFigures(sprint.id), [sprint.id, data]);
  const [closing, setClosing] = useState(false);
  const mine = data.tasks.filter((task) => isCard(task) && task.sprint === sprint.id);
  const act = useAction(async (work: () => Promise<unknown>) => {
    await work();
    read.retry();
  });
  const start = async () => {
    if (!(await ask(`${t(words.start)}: ${sprint.name}`, <StartQuestion sprint={sprint} tasks={mine} />, t(words.start)))) return;
    if (await act.run(() => ok(api.POST("/api/v1/sprints/{id}/activate/", { params: { path: { id: sprint.id } }, body: {} as never }))))
      toast(t(words.started));
  };
  const change = (task: Task, body: object) => {
    const tasks = data.tasks.map((one) => (one.id === task.id ? { ...one, ...body } : one));
    read.set({ ...data, tasks });
    void act
      .run(() => patiently(() => ok(api.PATCH("/api/v1/tasks/{id}/", { params: { path: { id: task.id } }, body }))))
      .then((done) => !done && read.retry());
  };
  const edit = (body: object) =>
    act.run(() => patiently(() => ok(api.PATCH("/api/v1/sprints/{id}/", { params: { path: { id: sprint.id } }, body }))));
  return (
    <>
      <header class="row wrap">
        <select
          class="input sprint-choose"
          aria-label={t(words.choose)}
          value={sprint.id}
          onChange={(event) => setQuery({ sprint: event.currentTarget.value })}
        >
          {data.sprints.map((one) => (
            <option key={one.id} value={one.id}>
              {one.name} · {t(words[one.state])}
            </option>
          ))}
        </select>
        <span class="quiet num">
          {shortDay(dayOf(sprint.start_date))} – {shortDay(dayOf(sprint.finish_date))}
        </span>
        <span class="grow" />
        <Allowed right="runSprints">
          <button type="button" class="button" onClick={create}>
            <Icon name="plus" /> {t(words.newSprint)}
          </button>
          {sprint.state === "PLANNED" && (
            <button type="button" class="button primary" disabled={act.busy} onClick={() => void start()}>
              <Icon name="play" /> {t(words.start)}
            </button>
          )}
          {sprint.state === "ACTIVE" && (
            <button type="button" class="button primary" onClick={() => setClosing(true)}>
              <Icon name="check" /> {t(words.close)}
            </button>
          )}
        </Allowed>
      </header>
      {act.error && <Failure error={act.error} />}
      <Goal sprint={sprint} edit={edit} />
      <Facts sprint={sprint} tasks={mine} figures={figures} />
      <div class="sprint-two">
        <div class="stack">
          <Burndown sprint={sprint} read={figures} />
          <Work sprint={sprint} tasks={data.tasks} change={change} />
          {(sprint.state === "ACTIVE" || sprint.state === "COMPLETED") && (
            <Allowed right="takePart">
              <Retro sprint={sprint} />
            </Allowed>
          )}
        </div>
        <div class="stack">
          {sprint.state === "PLANNED" && (
            <Allowed right="takePart">
              <Poker sprint={sprint} tasks={data.tasks} changed={read.retry} />
            </Allowed>
          )}
          <Velocity project={sprint.project} turn={data.sprints} />
          <Allowed right="decideScope">
            <ScopeChanges read={figures} changed={read.retry} />
          </Allowed>
          {(sprint.state === "PLANNED" || sprint.state === "ACTIVE") && <Backlog sprint={sprint} tasks={data.tasks} change={change} />}
        </div>
      </div>
      {closing && (
        <CloseSprint
          sprint={sprint}
          unfinished={mine.filter((task) => task.status !== "COMPLETE").length}
          later={data.sprints.filter((one) => one.state === "PLANNED")}
          close={() => setClosing(false)}
          closed={() => setTimeout(read.retry, 800)}
        />
      )}
    </>
  );
}

function Goal({ sprint, edit }: { sprint: Sprint; edit: (body: object) => Promise<boolean> }) {
  const locked = sprint.state !== "PLANNED";
  return (
    <section class="sprint-goal">
      <span class="small quiet">{t(words.goal)}</span>
      {locked ? (
        <p>{sprint.goal || "–"}</p>
      ) : (
        <Allowed right="runSprints">
          <input
            class="sprint-goal-input"
            aria-label={t(words.goal)}
            placeholder={t(words.goalHint)}
            defaultValue={sprint.goal}
            onChange={(event) => void edit({ goal: event.currentTarget.value })}
          />
        </Allowed>
      )}
      {sprint.state === "COMPLETED" && (
        <Allowed right="rateSprints">
          <label class="row wrap small">
            {t(words.outcome)}
            <select
              class="input sprint-status"
              disabled={readOnly.value}
              value={sprint.goal_outcome ?? ""}
              onChange={(event) => void edit({ goal_outcome: event.currentTarget.value || null })}
            >
              <option value="">–</option>
              {(["MET", "PARTIAL", "MISSED"] as const).map((one) => (
                <option key={one} value={one}>
                  {t(words[one])}
                </option>
              ))}
            </select>
          </label>
        </Allowed>
      )}
    </section>
  );
}

function Facts({ sprint, tasks, figures }: { sprint: Sprint; tasks: Task[]; figures: Read<Figures> }) {
  const { done, all } = progressOf(sprint, tasks);
  const totals = figures.data?.capacity?.totals;
  const points = sprint.committed_points === null && sprint.capacity_points === null ? null : promisedPoints(sprint, tasks);
  const over = isTooMuch(points, sprint.capacity_points);
  return (
    <div class="figures sprint-facts">
      <div class="card figure">
        <span class="small quiet">{t(words.progress)}</span>
        <b>{t(words.done, { done, all })}</b>
        <span class="bar-fill">
          <span class="sprint-fill" style={{ width: `${all ? Math.min(100, (100 * done) / all) : 0}%` }} />
        </span>
      </div>
      {(sprint.state === "ACTIVE" || sprint.state === "PLANNED") && (
        <div class="card figure">
          <span class="small quiet">{t(words[sprint.state])}</span>
          <b>
            {dayOf(sprint.start_date) > today()
              ? t(words.startsOn, { day: shortDay(dayOf(sprint.start_date)) })
              : t(words.daysLeft, { n: daysLeft(sprint, today()) })}
          </b>
        </div>
      )}
      {totals && (
        <div class="card figure">
          <span class="small quiet">{t(words.load)}</span>
          <b class={totals.ratio !== null && totals.ratio > 1 ? "is-bad" : ""}>{number((totals.ratio ?? 0) * 100)} %</b>
          <span class="small quiet">
            {t(words.loadOf, { asked: Math.round(totals.committed_hours), available: Math.round(totals.available_hours) })}
          </span>
        </div>
      )}
      {points !== null && (
        <div class="card figure">
          <span class="small quiet">{t(sprint.capacity_points === null ? words.promised : words.promisedOf)}</span>
          <b class={over ? "is-bad" : ""}>
            {points}
            {sprint.capacity_points !== null && <span class="quiet"> / {sprint.capacity_points}</span>}
          </b>
          {over && <span class="small is-bad">{t(words.overCapacity)}</span>}
        </div>
      )}
    </div>
  );
}
