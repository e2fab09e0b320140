// The risks of a project: a line for a new one, the register with cells that are edited in place, and the matrix.
import { useState } from "preact/hooks";
import { allPages, api, ok, patiently } from "../api/client";
import { useLiveRefresh } from "../api/live_refresh";
import { useAction, useRead } from "../api/read";
import { ask } from "../app/dialog";
import { Failure, Shown } from "../app/failure";
import { value } from "../app/field";
import { seen, SharedText } from "../app/shared_text";
import { Icon } from "../app/icons";
import { useKept } from "../api/kept";
import { place, setQuery } from "../app/router";
import type { PageProps } from "../app/routes";
import { readTasks } from "../board/data";
import { useMembers } from "../projects/members";
import { ProjectFrame, useProject } from "../projects/project_frame";
import { Allowed } from "../projects/rights";
import { calls } from "../words/calls";
import { risks as words } from "../words/risks";
import { t } from "../words/words";
import { Details } from "./details";
import { type CellChoice, Matrix } from "./matrix";
import { band, byWeight, counts, isOpen, LEVELS, type Risk } from "./model";
import "./risks.css";

const STATUSES = ["OPEN", "MITIGATING", "ACCEPTED", "RESOLVED", "CLOSED"] as const;

export default function RisksPage({ params }: PageProps) {
  const id = params.id!;
  const project = useProject(id);
  const read = useRead(
    () =>
      allPages(200, (page) =>
        ok(
          api.GET("/api/v1/projects/{project_pk}/risks/", {
            params: { path: { project_pk: id }, query: { page: String(page), page_size: 200 } },
          }),
        ),
      ),
    [id],
  );
  const tasks = useRead(() => readTasks(id), [id]);
  const members = useMembers(id);
  const act = useAction(async (work: () => Promise<void>) => work());
  const [all, setAll] = useState(false);
  const [cell, setCell] = useState<CellChoice | null>(null);
  const list = read.data ?? [];
  useLiveRefresh(id, read.retry, { heard: /^(risk|resync)/ });

  const save = (risk: Risk, body: Partial<Risk>) => {
    read.set(list.map((one) => (one.id === risk.id ? { ...one, ...body } : one)));
    void act
      .run(async () => {
        const path = { project_pk: id, id: risk.id };
        const saved = await patiently(() =>
          ok(api.PATCH("/api/v1/projects/{project_pk}/risks/{id}/", { params: { path }, body: body as never })),
        );
        read.set(list.map((one) => (one.id === risk.id ? saved : one)));
      })
      .then((done) => !done && read.retry());
  };
  const write = async (risk: Risk, body: Partial<Risk>, base: number | null) => {
    const path = { project_pk: id, id: risk.id };
    const saved = await ok(
      api.PATCH("/api/v1/projects/{project_pk}/risks/{id}/", { params: { path, header: seen(base) }, body: body as never }),
    );
    read.set((read.data ?? []).map((one) => (one.id === risk.id ? saved : one)));
    return saved;
  };
  const add = (title: string) =>
    act.run(async () => {
      const risk = await ok(
        api.POST("/api/v1/projects/{project_pk}/risks/", {
          params: { path: { project_pk: id } },
          body: { title, probability: 3, impact: 3 },
        }),
      );
      read.set([...list, risk]);
      setQuery({ risk: risk.id });
    });
  const remove = async (risk: Risk) => {
    if (!(await ask(t(calls.remove), t(words.removeAsk, { title: risk.title }), t(calls.remove), true))) return;
    await act.run(async () => {
      await ok(api.DELETE("/api/v1/projects/{project_pk}/risks/{id}/", { params: { path: { project_pk: id, id: risk.id } } }));
      read.set(list.filter((one) => one.id !== risk.id));
    });
  };
  const shown = list
    .filter((risk) => (all || isOpen(risk)) && (!cell || (risk.probability === cell.probability && risk.impact === cell.impact)))
    .sort(byWeight);
  return (
    <ProjectFrame id={id} project={project}>
      <div class="page">
        <div class="page-in wide">
          {act.error && <Failure error={act.error} />}
          <div class="risk-two">
            <section class="card stack risk-register">
              <div class="row wrap">
                <h2 class="grow">{t(words.register)}</h2>
                <button type="button" class="button small" aria-pressed={!all} onClick={() => setAll(false)}>
                  {t(words.openOnly)}
                </button>
                <button type="button" class="button small" aria-pressed={all} onClick={() => setAll(true)}>
                  {t(words.all)}
                </button>
              </div>
              <Allowed right="takePart" told>
                <AddLine project={id} add={add} busy={act.busy} />
              </Allowed>
              <Shown read={read}>
                {() =>
                  list.length === 0 ? (
                    <div class="stack">
                      <h3>{t(words.emptyTitle)}</h3>
                      <p class="quiet">{t(words.emptyText)}</p>
                    </div>
                  ) : (
                    <ul class="risk-list">
                      {shown.map((risk) => (
                        <Row
                          key={risk.id}
                          risk={risk}
                          open={place.value.query.get("risk") === risk.id}
                          save={(body) => save(risk, body)}
                          write={(title, base) => write(risk, { title }, base)}
                        >
                          <Details
                            risk={risk}
                            tasks={tasks.data ?? []}
                            members={members.data ?? []}
                            save={(body) => save(risk, body)}
                            write={(body, base) => write(risk, body, base)}
                            remove={() => void remove(risk)}
                          />
                        </Row>
                      ))}
                    </ul>
                  )
                }
              </Shown>
            </section>
            <Matrix risks={list} chosen={cell} choose={setCell} />
          </div>
        </div>
      </div>
    </ProjectFrame>
  );
}

function AddLine({ project, add, busy }: { project: string; add: (title: string) => Promise<boolean>; busy: boolean }) {
  const [title, setTitle] = useKept(`risk.${project}`);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (title.trim() && (await add(title.trim()))) setTitle("");
  };
  return (
    <form class="row" onSubmit={(event) => void submit(event)}>
      <input
        class="input grow"
        maxLength={255}
        aria-label={t(words.add)}
        placeholder={t(words.addHint)}
        value={title}
        onInput={(event) => setTitle(value(event))}
      />
      <button type="submit" class="button" disabled={busy || !title.trim()}>
        <Icon name="plus" /> {t(calls.add)}
      </button>
    </form>
  );
}

interface RowProps {
  risk: Risk;
  open: boolean;
  save: (body: Partial<Risk>) => void;
  write: (title: string, base: number | null) => Promise<Risk>;
  children: preact.ComponentChildren;
}

function Row({ risk, open, save, write, children }: RowProps) {
  const level = (name: "probability" | "impact") => (
    <label class="risk-level">
      <span class="small quiet">{t(words[name])}</span>
      <select
        class="input"
        value={String(risk[name])}
        aria-label={`${t(words[name])}: ${risk.title}`}
        onChange={(event) =>
          save({
            [name]: Number(event.currentTarget.value),
            severity: Number(event.currentTarget.value) * (name === "impact" ? risk.probability : risk.impact),
          })
        }
      >
        {LEVELS.map((one) => (
          <option key={one} value={String(one)}>
            {one}
          </option>
        ))}
      </select>
    </label>
  );
  return (
    <li class={isOpen(risk) ? "risk-row" : "risk-row is-closed"}>
      <div class="risk-head">
        <span class={`risk-mark num is-${band(risk.severity)}`} title={`${t(words.severity)} ${risk.severity}`}>
          <span class="hidden-text">{t(words.severity)} </span>
          {risk.severity}
        </span>
        <Allowed right="takePart">
          <span class="risk-title">
            <SharedText
              kept={`risk.${risk.id}.title`}
              line="bare"
              class="risk-name"
              label={t(words.title)}
              value={risk.title}
              version={risk.server_version}
              write={write}
            />
            <span class="row small quiet risk-notes">
              {risk.short_id_display}
              {risk.owner_name && ` · ${risk.owner_name}`}
              {counts(risk) && <span class="chip info">{t(words.inForecast)}</span>}
            </span>
          </span>
          {level("probability")}
          {level("impact")}
          <select
            class="input risk-status"
            value={risk.status}
            aria-label={`${t(words.status)}: ${risk.title}`}
            onChange={(event) => save({ status: event.currentTarget.value as Risk["status"] })}
          >
            {STATUSES.map((one) => (
              <option key={one} value={one}>
                {t(words[one])}
              </option>
            ))}
          </select>
        </Allowed>
        <button
          type="button"
          class="icon"
          aria-expanded={open}
          aria-label={`${t(words.details)}: ${risk.title}`}
          onClick={() => setQuery({ risk: open ? null : risk.id })}
        >
          <Icon name={open ? "up" : "down"} />
        </button>
      </div>
      {open && <Allowed right="takePart">{children}</Allowed>}
    </li>
  );
}
