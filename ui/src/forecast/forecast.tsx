// The forecast of a project: what date can be promised, why, and what each milestone can hope for.
import { useMemo, useState } from "preact/hooks";
import { api, ok } from "../api/client";
import { useLiveRefresh } from "../api/live_refresh";
import { useAction, useRead } from "../api/read";
import { Failure, Shown } from "../app/failure";
import { value } from "../app/field";
import { Icon } from "../app/icons";
import type { PageProps } from "../app/routes";
import { LineChart } from "../charts/line_chart";
import { dayOf, isoOf, NO_DAY } from "../dates/days";
import { longDay, moment, shortDay } from "../dates/format";
import { ProjectFrame, useProject } from "../projects/project_frame";
import { forecast } from "../words/forecast";
import { number, t } from "../words/words";
import { Drivers } from "./drivers";
import { Histogram } from "./histogram";
import { Milestones } from "./milestones";
import { barsOf, chanceBy, curveOf, type Run, tone } from "./model";
import { type PlanNow, readPlanNow, type Since, since } from "./plan_now";
import { Trend } from "./trend";
import "./forecast.css";

interface Found {
  run: Run | null;
  /** Whether somebody has asked before what moves the date. */
  analysed: boolean;
}

/** The history says what there is; what is not there is not asked for. */
async function readRun(project: string): Promise<Found> {
  const params = { path: { id: project } };
  const history = await ok(api.GET("/api/v1/projects/{id}/monte-carlo/history/", { params }));
  const run = history.has_latest ? await ok(api.GET("/api/v1/projects/{id}/monte-carlo/latest/", { params })) : null;
  return { run, analysed: history.has_drivers };
}

export default function ForecastPage({ params }: PageProps) {
  const id = params.id!;
  const project = useProject(id);
  const read = useRead(() => readRun(id), [id]);
  const start = useAction(async () =>
    read.set({
      analysed: read.data?.analysed ?? false,
      run: await ok(api.POST("/api/v1/projects/{id}/monte-carlo/", { params: { path: { id } }, body: {} })),
    }),
  );
  const now = useRead(() => readPlanNow(id), [id]);
  useLiveRefresh(id, now.retry);
  const button = (
    <button type="button" class="button primary" disabled={start.busy} onClick={() => void start.run().then(now.retry)}>
      <Icon name="play" size={12} /> {t(start.running ? forecast.running : read.data?.run ? forecast.again : forecast.run)}
    </button>
  );
  return (
    <ProjectFrame id={id} project={project}>
      <div class="page">
        <div class="page-in wide">
          {start.error && <Failure error={start.error} retry={() => void start.run()} />}
          <Shown read={read} lines={8}>
            {({ run, analysed }) =>
              run ? (
                <RunView id={id} run={run} now={now.data} analysed={analysed} button={button} />
              ) : (
                <section class="card stack welcome-note">
                  <h2>{t(forecast.emptyTitle)}</h2>
                  <p class="quiet">{t(forecast.emptyText)}</p>
                  <div>{button}</div>
                </section>
              )
            }
          </Shown>
        </div>
      </div>
    </ProjectFrame>
  );
}

function RunView({
  id,
  run,
  now,
  analysed,
  button,
}: {
  id: string;
  run: Run;
  now: PlanNow | null;
  analysed: boolean;
  button: preact.ComponentChildren;
}) {
  const changed = now && since(run, now);
  const finish = changed?.kind === "finish" ? changed.now : dayOf(run.cpm_finish);
  const curve = useMemo(() => curveOf({ confidence_curve: run.confidence_curve, cpm_finish: isoOf(finish) }), [run, finish]);
  const bars = useMemo(() => barsOf(run.histogram_buckets), [run]);
  const lines = useMemo(
    () => [{ name: t(forecast.chance), values: curve.chance, colour: "task" as const, kind: "area" as const }],
    [curve],
  );
  const marks = useMemo(
    () => [
      { day: finish, name: t(forecast.plan), colour: "text2" as const },
      { day: dayOf(run.p50), name: "P50", colour: "warn" as const },
      { day: dayOf(run.p80), name: "P80", colour: "good" as const },
    ],
    [run, finish],
  );
  const facts = run.forecast_diagnostic;
  return (
    <>
      <header class="row wrap">
        <p class="grow quiet small">
          {t(forecast.ranAt, { when: moment(run.last_run_at) })} ·{" "}
          {t(forecast.basis, {
            runs: run.runs,
            tasks: facts.tasks_with_variance,
            all: facts.tasks_total,
            risks: run.risks_counted,
            seed: String(run.seed),
          })}
        </p>
        {!changed && button}
      </header>
      {changed && <Changed since={changed} button={button} />}
      {facts.deterministic && (
        <p class="forecast-note">
          <Icon name="info" /> {t(forecast.fixed)}
        </p>
      )}
      {facts.tasks_pending_approval > 0 && (
        <p class="forecast-note">
          <Icon name="info" /> {t(forecast.pending, { n: facts.tasks_pending_approval })}
        </p>
      )}
      <div class="figures">
        {changed?.kind === "finish" ? (
          <Finish
            name={t(forecast.planned)}
            day={finish}
            note={t(forecast.inRun, { day: shortDay(changed.was), n: number(run.cpm_confidence ?? 0, 1) })}
          />
        ) : (
          <Finish
            name={t(forecast.planned)}
            day={finish}
            note={t(forecast.chanceOf, { n: number(run.cpm_confidence ?? 0, 1) })}
            tone={tone(run.cpm_confidence ?? 0)}
          />
        )}
        <Finish name={t(forecast.even)} day={dayOf(run.p50)} note={apart(dayOf(run.p50) - finish)} old={changed !== null} />
        <Finish name={t(forecast.promise)} day={dayOf(run.p80)} note={apart(dayOf(run.p80) - finish)} old={changed !== null} strong />
        <Finish name={t(forecast.sure)} day={dayOf(run.p95)} note={apart(dayOf(run.p95) - finish)} old={changed !== null} />
      </div>
      <div class="forecast-two">
        <section class="card stack">
          <div class="row wrap">
            <h2 class="grow">{t(forecast.curve)}</h2>
            <ChanceBy run={run} />
          </div>
          <LineChart label={t(forecast.curve)} days={curve.days} lines={lines} marks={marks} unit=" %" top={100} height={260} />
        </section>
        <section class="card stack">
          <h2>{t(forecast.histogram)}</h2>
          <Histogram bars={bars} plan={finish} p80={dayOf(run.p80)} height={270} />
        </section>
        <Drivers project={id} analysed={analysed} />
        <div class="stack">
          <Milestones project={id} run={run} now={now} />
          <Trend project={id} run={run} />
        </div>
      </div>
    </>
  );
}

/** The plan is not the one that was simulated: how, and the way to a new run. */
function Changed({ since: changed, button }: { since: Since; button: preact.ComponentChildren }) {
  const text =
    changed.kind === "finish"
      ? t(forecast.movedEnd, { now: shortDay(changed.now), was: shortDay(changed.was) })
      : changed.kind === "milestones"
        ? t(forecast.movedMilestones, { n: changed.n })
        : t(forecast.computedAgain);
  return (
    <div class="forecast-note row wrap" role="status">
      <Icon name="warn" />{" "}
      <span class="grow">
        <b>{text}</b> {t(forecast.runAgain)}
      </span>{" "}
      {button}
    </div>
  );
}

function apart(n: number): string {
  return n === 0 ? t(forecast.same) : n > 0 ? t(forecast.later, { n }) : t(forecast.sooner, { n: -n });
}

function Finish({
  name,
  day,
  note,
  strong,
  old,
  tone: colour,
}: {
  name: string;
  day: number;
  note: string;
  strong?: boolean;
  old?: boolean;
  tone?: string;
}) {
  return (
    <div class={strong && !old ? "card figure is-strong" : "card figure"}>
      <span class="small quiet">{name}</span>
      <b class={old ? "is-old" : ""} title={longDay(day)}>
        {shortDay(day)}
      </b>
      <span class={colour ? `small tone-${colour}` : "small quiet"}>{note}</span>
    </div>
  );
}

function ChanceBy({ run }: { run: Run }) {
  const [day, setDay] = useState(run.p80 ?? "");
  const at = dayOf(day);
  const chance = at === NO_DAY ? null : chanceBy(run.confidence_curve, at);
  return (
    <label class="row wrap small chance">
      {t(forecast.ask)}
      <input class="input" type="date" value={day} min={isoOf(dayOf(run.cpm_finish) - 3650)} onInput={(event) => setDay(value(event))} />
      {chance !== null && (
        <b class={`num tone-${tone(chance)}`} role="status">
          {number(chance, 1)} %
        </b>
      )}
    </label>
  );
}
