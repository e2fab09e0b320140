// A program: its key figures, its projects, the links between them, and people that several projects ask for.
import { api, ok, type Schemas } from "../api/client";
import { isMissing, useRead } from "../api/read";
import { Shown } from "../app/failure";
import { Icon } from "../app/icons";
import { Lost } from "../app/lost";
import type { PageProps } from "../app/routes";
import { useTitle } from "../app/title";
import { dayOf, today } from "../dates/days";
import { shortDay, weekName } from "../dates/format";
import { ProjectCard } from "../projects/project_card";
import "../projects/projects.css";
import { programs as words } from "../words/programs";
import { shell } from "../words/shell";
import { type Message, number, t } from "../words/words";
import { contendedOf, type Cross, crossLinks, nameOf, spansOf } from "./model";
import { Timeline } from "./timeline";
import "./programs.css";

const FIGURES = [
  "schedule_health",
  "p80_completion",
  "critical_tasks",
  "at_risk_tasks",
  "baseline_variance",
  "milestone_health",
  "risk_score",
  "cost_variance",
  "budget_utilization",
] as const;
const BANDS: Record<string, [Message, string]> = {
  on_track: [words.on_track, "good"],
  at_risk: [words.at_risk, "warn"],
  critical: [words.critical_band, "bad"],
};

export default function ProgramPage({ params }: PageProps) {
  const path = { id: params.id! };
  const program = useRead(() => ok(api.GET("/api/v1/programs/{id}/", { params: { path } })), [path.id]);
  const projects = useRead(() => ok(api.GET("/api/v1/programs/{id}/projects/", { params: { path } })), [path.id]);
  const rollup = useRead(() => ok(api.GET("/api/v1/programs/{id}/rollup/", { params: { path } })), [path.id]);
  const plan = useRead(() => ok(api.GET("/api/v1/programs/{id}/schedule/", { params: { path } })), [path.id]);
  useTitle(program.data?.name);
  if (isMissing(program)) return <Lost />;
  return (
    <div class="page">
      <div class="page-in wide">
        <Shown read={program} lines={2}>
          {(one) => (
            <header class="stack">
              <h1 class="row">
                <span class="program-mark" style={{ background: one.color || "var(--accent)" }} /> <span class="grow">{one.name}</span>{" "}
                <a class="icon" href={`/programs/${one.id}/settings`} aria-label={t(shell.settings)} title={t(shell.settings)}>
                  <Icon name="gear" />
                </a>
              </h1>
              {one.description && <p class="quiet">{one.description}</p>}
            </header>
          )}
        </Shown>
        <Shown read={rollup} lines={3}>
          {(data) => <Figures kpis={data.kpis as unknown as Record<string, Kpi>} />}
        </Shown>
        <section class="card stack">
          <h2>{t(words.timeline)}</h2>
          <Shown read={plan}>
            {(data) =>
              data.start_date && data.finish_date ? (
                <Timeline spans={spansOf(data)} start={dayOf(data.start_date) - 3} finish={dayOf(data.finish_date) + 3} />
              ) : (
                <p class="quiet">{t(words.noSchedule)}</p>
              )
            }
          </Shown>
        </section>
        <section class="stack">
          <h2>{t(words.projects)}</h2>
          <Shown read={projects}>
            {(list) => (
              <div class="cards">
                {list.map((project) => (
                  <ProjectCard key={project.id} project={project} />
                ))}
              </div>
            )}
          </Shown>
        </section>
        <section class="card stack">
          <h2>{t(words.links)}</h2>
          <Shown read={plan}>{(data) => <Links links={crossLinks(data)} projects={data.projects} />}</Shown>
        </section>
        <Contention id={path.id} />
      </div>
    </div>
  );
}

interface Kpi {
  available: boolean;
  value: string | number | null;
  unit?: string;
}

function Figures({ kpis }: { kpis: Record<string, Kpi> }) {
  return (
    <div class="figures">
      {FIGURES.filter((name) => kpis[name]?.available && kpis[name]!.value !== null).map((name) => (
        <div key={name} class="card figure">
          <span class="small quiet">{t(words[name])}</span>
          <Value kpi={kpis[name]!} />
        </div>
      ))}
    </div>
  );
}

function Value({ kpi }: { kpi: Kpi }) {
  const band = BANDS[String(kpi.value)];
  if (band) return <b class={`band-${band[1]}`}>{t(band[0])}</b>;
  if (kpi.unit === "date") return <b>{shortDay(dayOf(String(kpi.value)))}</b>;
  const value = number(Number(kpi.value), 1);
  return (
    <b>
      {kpi.unit === "days"
        ? t(words.days, { n: `${Number(kpi.value) > 0 ? "+" : ""}${value}` })
        : kpi.unit === "percent"
          ? `${value} %`
          : value}
    </b>
  );
}

function Links({ links, projects }: { links: Cross[]; projects: Schemas["ScheduledProject"][] }) {
  const name = (id: string) => projects.find((one) => one.id === id)?.name ?? "";
  if (links.length === 0) return <p class="quiet">{t(words.noLinks)}</p>;
  const end = (task: Cross["before"], day: string | null) => (
    <td>
      <a class="plain-link strong-name" href={`/projects/${task.project_id}/schedule?task=${task.id}`}>
        {nameOf(task)}
      </a>
      <span class="small quiet program-where">
        {name(task.project_id)} · {shortDay(dayOf(day))}
      </span>
    </td>
  );
  return (
    <div class="scroll-x">
      <table class="table">
        <thead>
          <tr>
            <th>{t(words.before)}</th>
            <th>{t(words.type)}</th>
            <th>{t(words.after)}</th>
            <th>{t(words.slack)}</th>
          </tr>
        </thead>
        <tbody>
          {links.map((link) => {
            const hot = link.before.is_critical && link.after.is_critical;
            return (
              <tr key={`${link.before.id}${link.after.id}`}>
                {end(link.before, link.before.early_finish)}
                <td class="nowrap">
                  <Icon name="right" size={12} /> {link.type}
                  {link.lag !== 0 && ` ${link.lag > 0 ? "+" : ""}${link.lag}`} {hot && <span class="chip bad">{t(words.critical)}</span>}
                </td>
                {end(link.after, link.after.early_start)}
                <td class="tabular nowrap">{link.slack === null ? "–" : t(words.days, { n: link.slack })}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function Contention({ id }: { id: string }) {
  const read = useRead(() => ok(api.GET("/api/v1/programs/{id}/resource-contention/", { params: { path: { id } } })), [id]);
  return (
    <section class="card stack">
      <h2>{t(words.contention)}</h2>
      <p class="small quiet">{t(words.contentionText)}</p>
      <Shown read={read}>
        {(data) => {
          const found = contendedOf(data.resources, today());
          if (found.length === 0) return <p>{t(words.noContention)}</p>;
          return (
            <ul class="contended">
              {found.map((one) => (
                <li key={one.id} class="row wrap">
                  <b class="contended-name clip">{one.name}</b>
                  <span class="row wrap grow">
                    {one.weeks.slice(0, 14).map(({ week, units }) => (
                      <span
                        key={week}
                        class={units === one.peak ? "chip bad num" : "chip warn num"}
                        title={`${shortDay(week)}${units === one.peak ? `, ${t(words.worst)}` : ""}`}
                      >
                        {weekName(week)} · {number((100 * units) / one.most)} %
                      </span>
                    ))}
                  </span>
                  <span class="small quiet">{one.projects.join(", ")}</span>
                </li>
              ))}
            </ul>
          );
        }}
      </Shown>
    </section>
  );
}
