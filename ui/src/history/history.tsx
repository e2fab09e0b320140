// The history of a project: who changed what, from which value to which, by day.
import { useState } from "preact/hooks";
import { api, ok, type Schemas } from "../api/client";
import { useRead } from "../api/read";
import { DayInput } from "../app/day_input";
import { Shown } from "../app/failure";
import { place, setQuery } from "../app/router";
import type { PageProps } from "../app/routes";
import { initials } from "../board/card";
import { dayFrom } from "../dates/days";
import { longDay } from "../dates/format";
import { may } from "../projects/rights";
import { ProjectFrame, useProject } from "../projects/project_frame";
import { feed as words } from "../words/feed";
import { happened } from "../words/history";
import { fieldName } from "../words/field_name";
import { locale, t } from "../words/words";
import { byDay, shown } from "./days";
import { isInner, kindName, sentence, valueName } from "./names";
import { readDeleted, readNames, rowName } from "./row_names";
import "./history.css";

type Record = Schemas["HistoryRecord"];

const PAGE = 100;
const SIGNS = { "+": happened.created, "~": happened.changed, "-": happened.deleted } as const;

export default function HistoryPage({ params }: PageProps) {
  const id = params.id!;
  const project = useProject(id);
  const query = place.value.query;
  const [size, setSize] = useState(PAGE);
  const filter = { entity: query.get("entity"), actor: query.get("actor"), since: query.get("since"), until: query.get("until") };
  const start = (day: string, plus: number) => new Date(`${day}T00:00:00`).getTime() + plus * 86400000;
  const set = {
    entity: filter.entity ?? "all",
    ...(filter.actor ? { actor: filter.actor } : {}),
    ...(filter.since ? { since: new Date(start(filter.since, 0)).toISOString() } : {}),
    ...(filter.until ? { until: new Date(start(filter.until, 1)).toISOString() } : {}),
  };
  const read = useRead(
    () =>
      ok(
        api.GET("/api/v1/projects/{project_pk}/history/", {
          params: { path: { project_pk: id }, query: { page_size: size, ...set } as never },
        }),
      ),
    [id, size, JSON.stringify(set)],
  );
  const summary = useRead(
    () =>
      ok(
        api.GET("/api/v1/projects/{project_pk}/history/summary/", {
          params: { path: { project_pk: id }, query: { entity: "all" } as never },
        }),
      ),
    [id],
  );
  const names = useRead(() => readNames(id), [id]);
  const asks =
    may(project.data, "author") && (read.data?.results.some((one) => one.entity === "task" && one.history_type === "-") ?? false);
  const deleted = useRead(async () => (asks ? readDeleted(id) : null), [id, asks]);
  const nameOf = (value: unknown): string | null =>
    typeof value === "string"
      ? (names.data?.get(value) ??
        deleted.data?.get(value) ??
        summary.data?.by_user.find((one) => one.user?.id === value)?.user?.display_name ??
        null)
      : null;
  return (
    <ProjectFrame id={id} project={project}>
      <div class="page">
        <div class="page-in">
          <div class="row wrap history-filter">
            <select
              class="input"
              aria-label={t(words.kind)}
              value={filter.entity ?? ""}
              onChange={(event) => setQuery({ entity: event.currentTarget.value || null })}
            >
              <option value="">{t(words.everything)}</option>
              {Object.entries((summary.data?.by_entity ?? {}) as { [kind: string]: number }).map(([kind, n]) => (
                <option key={kind} value={kind}>
                  {kindName(kind)} ({n})
                </option>
              ))}
            </select>
            <select
              class="input"
              aria-label={t(words.person)}
              value={filter.actor ?? ""}
              onChange={(event) => setQuery({ actor: event.currentTarget.value || null })}
            >
              <option value="">{t(words.everyone)}</option>
              {(summary.data?.by_user ?? []).map(
                (one) =>
                  one.user && (
                    <option key={one.user.id} value={one.user.id}>
                      {one.user.display_name} ({one.count})
                    </option>
                  ),
              )}
            </select>
            <label class="row small">
              {t(words.since)} <DayInput class="input" value={filter.since ?? ""} tell={(day) => setQuery({ since: day || null })} />
            </label>
            <label class="row small">
              {t(words.until)} <DayInput class="input" value={filter.until ?? ""} tell={(day) => setQuery({ until: day || null })} />
            </label>
            <span class="grow" />
            {read.data && (
              <span class="quiet small num">
                {t(words.changes, { n: read.data.count })}
                {read.data.count_truncated && "+"}
              </span>
            )}
          </div>
          <Shown read={read} lines={10}>
            {(data) => (
              <>
                {data.results.length === 0 && <p class="quiet">{t(words.noHistory)}</p>}
                {byDay(data.results, dayName).map(([day, entries]) => (
                  <section key={day} class="stack">
                    <h2>{day}</h2>
                    <ul class="card history-list">
                      {entries.map((entry) => (
                        <Entry key={entry.id} entry={entry} project={id} nameOf={nameOf} />
                      ))}
                    </ul>
                  </section>
                ))}
                {data.next && (
                  <div>
                    <button type="button" class="button" disabled={read.loading} onClick={() => setSize(size + PAGE)}>
                      {t(words.more)}
                    </button>
                  </div>
                )}
              </>
            )}
          </Shown>
        </div>
      </div>
    </ProjectFrame>
  );
}

const dayName = (at: Date): string => longDay(dayFrom(at.getFullYear(), at.getMonth(), at.getDate()));

function Entry({ entry, project, nameOf }: { entry: Record; project: string; nameOf: (value: unknown) => string | null }) {
  const name = rowName(entry, nameOf);
  const diff = entry.diff.filter((one) => !isInner(one.field));
  const values = diff.filter((one) => one.hidden || shown(entry.history_type === "-" ? one.old : one.new, "") !== "");
  const text = (field: string, value: unknown) => nameOf(value) ?? shown(valueName(field, value), t(words.nothing));
  const who = entry.history_user?.display_name || t(words.somebody);
  const time = new Intl.DateTimeFormat(locale(), { timeStyle: "short" }).format(new Date(entry.history_date));
  const told = entry.history_change_reason === "restored" ? happened.restored : (SIGNS[entry.history_type as "~"] ?? happened.changed);
  const what = (
    <>
      <span class="quiet">{kindName(entry.entity)}</span>
      {name && (
        <>
          {" "}
          {entry.entity === "task" ? (
            <a class="plain-link strong-name" href={`/projects/${project}/schedule?task=${entry.entity_id}`}>
              {name}
            </a>
          ) : (
            <b>{name}</b>
          )}
        </>
      )}
    </>
  );
  return (
    <li class="history-entry">
      <span class="face small" aria-hidden="true">
        {initials(who)}
      </span>
      <div class="grow">
        <p>
          {sentence(told).map((part, at) =>
            typeof part === "string" ? (
              <span key={at} class={entry.history_type === "-" ? "is-bad" : "quiet"}>
                {part}
              </span>
            ) : part.mark === "who" ? (
              <b key={at}>{who}</b>
            ) : (
              what
            ),
          )}
        </p>
        {entry.history_type === "~" && diff.length > 0 && <Diff diff={diff} text={text} />}
        {entry.history_type === "~" && diff.length === 0 && entry.diff.length > 0 && <p class="small quiet">{t(happened.moved)}</p>}
        {entry.history_type !== "~" && values.length > 0 && (
          <details>
            <summary class="small quiet">{t(words.values)}</summary>
            <Diff diff={values} text={text} />
          </details>
        )}
      </div>
      <time class="small quiet num nowrap" dateTime={entry.history_date}>
        {time}
      </time>
    </li>
  );
}

function Diff({ diff, text }: { diff: Record["diff"]; text: (field: string, value: unknown) => string }) {
  return (
    <dl class="history-diff">
      {diff.map((one) => (
        <div key={one.field}>
          <dt class="quiet">{fieldName(one.field)}</dt>
          <dd>
            {one.hidden ? (
              <i class="quiet">{t(words.hidden)}</i>
            ) : (
              <>
                <del>{text(one.field, one.old)}</del> → <ins>{text(one.field, one.new)}</ins>
              </>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
