// Brings a file in: choose it, see what it holds, decide where it goes, and read what was not carried over.
import { useRef, useState } from "preact/hooks";
import { api, ok, type Schemas } from "../api/client";
import { asCallError, CallError } from "../api/errors";
import { makeProject, type Places, readPlaces, removeEmpty } from "../api/places";
import { useAction, useRead } from "../api/read";
import { Failure, Shown } from "../app/failure";
import { Field, value } from "../app/field";
import { Icon } from "../app/icons";
import { go, place } from "../app/router";
import type { PageProps } from "../app/routes";
import { useTitle } from "../app/title";
import { refuse, toast } from "../app/toast";
import { dayOf, isoOf, today } from "../dates/days";
import { fullDay } from "../dates/format";
import { may } from "../projects/rights";
import { home } from "../words/shell";
import { imports as words } from "../words/imports";
import { t } from "../words/words";
import { ended, type Import, previewPlan, previewTable, sendFile, type Target } from "./calls";
import { columnMap, type Kind, kindOf, plainName } from "./kind";
import { Counts, Report } from "./report";
import { PlanPreview } from "./plan_preview";
import { TablePreview } from "./table_preview";
import "./imports.css";

interface Chosen {
  file: File;
  kind: Kind;
}

export default function ImportPage(_: PageProps) {
  useTitle(t(words.title));
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [done, setDone] = useState<{ end: Import; fresh: boolean } | null>(null);
  const places = useRead(openPlaces, []);
  const take = async (file: File | undefined) => {
    if (!file) return;
    const kind = kindOf(file.name, await file.slice(0, 4096).text());
    if (kind) setChosen({ file, kind });
    else refuse(t(words.unknown, { name: file.name }));
  };
  const again = () => {
    setChosen(null);
    setDone(null);
  };
  return (
    <div class="page">
      <div class="page-in">
        <header class="stack">
          <h1>{t(words.title)}</h1>
          <p class="quiet">{t(words.text)}</p>
        </header>
        {done ? (
          <Report done={done.end} fresh={done.fresh} again={again} />
        ) : !chosen ? (
          <Drop take={(file) => void take(file)} />
        ) : (
          <Shown read={places}>
            {(data) =>
              chosen.kind === "document" ? (
                <DocumentImport file={chosen.file} again={again} />
              ) : (
                <FileImport
                  key={chosen.file.name}
                  chosen={chosen}
                  places={data}
                  again={again}
                  done={(end, fresh) => setDone({ end, fresh })}
                />
              )
            }
          </Shown>
        )}
      </div>
    </div>
  );
}

/** The projects and programs that this person may still bring rows into. */
async function openPlaces(): Promise<Places> {
  const { projects, programs } = await readPlaces();
  return { projects: projects.filter((one) => may(one, "bringIn")), programs: programs.filter((one) => may(one, "bringIn")) };
}

function Drop({ take }: { take: (file: File | undefined) => void }) {
  const [over, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  return (
    <section
      class={over ? "drop is-over" : "drop"}
      onDragOver={(event) => (event.preventDefault(), setOver(true))}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => (event.preventDefault(), setOver(false), take(event.dataTransfer?.files[0]))}
    >
      <Icon name="upload" size={28} />
      <p>{t(words.drop)}</p>
      <input
        ref={input}
        class="hidden-text"
        type="file"
        tabIndex={-1}
        aria-label={t(words.choose)}
        accept=".csv,.tsv,.txt,.xlsx,.xml,.xer,.json"
        onChange={(event) => take(event.currentTarget.files?.[0])}
      />
      <button type="button" class="button primary" onClick={() => input.current?.click()}>
        {t(words.choose)}
      </button>
    </section>
  );
}

/** Projects of one name are told apart by their codes and first days. */
function told(one: Places["projects"][number], all: Places["projects"]): string {
  if (all.filter(({ name }) => name === one.name).length === 1) return one.name;
  return [one.name, one.code, one.start_date && fullDay(dayOf(one.start_date))].filter(Boolean).join(" · ");
}

function FileImport({
  chosen,
  places,
  again,
  done,
}: {
  chosen: Chosen;
  places: Places;
  again: () => void;
  done: (end: Import, fresh: boolean) => void;
}) {
  const { file, kind } = chosen;
  const wish = place.value.query.get("project");
  const [target, setTarget] = useState<Target>({ project: wish, program: "", name: plainName(file.name), start: isoOf(today()) });
  const [columns, setColumns] = useState<Record<number, string>>({});
  const [order, setOrder] = useState("auto");
  const made = useRef<string | null>(null);
  const previewed = useRef<Schemas["TablePreview"] | null>(null);
  const fields = (): Record<string, string> => ({
    date_order: order,
    column_map: previewed.current && Object.keys(columns).length ? JSON.stringify(columnMap(previewed.current.columns, columns)) : "",
  });
  const plan = useRead(async () => (kind === "table" ? null : previewPlan(file)), [file]);
  const preview = useRead(async () => {
    if (kind !== "table") return null;
    previewed.current = await previewTable(target.project, file, fields());
    return previewed.current;
  }, [target.project, JSON.stringify(columns), order]);
  // A project that was made for a file that the server refuses goes with it.
  const refused = async (error: unknown): Promise<never> => {
    const { status } = asCallError(error);
    if (made.current && status >= 400 && status < 500) {
      await removeEmpty(made.current);
      made.current = null;
    }
    throw error;
  };
  const run = useAction(async () => {
    const needsProject = kind === "table" || kind === "jira";
    if (needsProject && !target.project) made.current ??= await makeProject(target.name, target.start, target.program);
    const into = target.project ?? made.current;
    const sent = await sendFile(kind, file, into, target.program, kind === "table" ? fields() : {}).catch(refused);
    done(await ended(sent.project, sent.id), target.project === null);
  });
  const set = (change: Partial<Target>) => setTarget({ ...target, ...change });
  const wrong = run.error?.fields ?? {};
  return (
    <>
      <section class="card stack">
        <div class="row wrap">
          <Icon name="upload" /> <b class="clip">{file.name}</b> <span class="chip info">{t(words[kind])}</span>
          <span class="grow" />
          <button type="button" class="button small" onClick={again}>
            {t(words.another)}
          </button>
        </div>
        <div class="pair">
          <Field label={t(words.into)}>
            <select value={target.project ?? ""} onChange={(event) => set({ project: value(event) || null })}>
              <option value="">{t(words.newProject)}</option>
              {places.projects.map((one) => (
                <option key={one.id} value={one.id}>
                  {told(one, places.projects)}
                </option>
              ))}
            </select>
          </Field>
          {!target.project && (kind === "table" || kind === "jira") && (
            <Field label={t(words.projectName)} wrong={wrong.name}>
              <input required value={target.name} onInput={(event) => set({ name: value(event) })} />
            </Field>
          )}
          {!target.project && (kind === "table" || kind === "jira") && (
            <Field label={t(words.start)} wrong={wrong.start_date}>
              <input type="date" required value={target.start} onInput={(event) => set({ start: value(event) })} />
            </Field>
          )}
          {!target.project && (
            <Field label={t(home.program)}>
              <select value={target.program} onChange={(event) => set({ program: value(event) })}>
                <option value="">{t(home.none)}</option>
                {places.programs.map((one) => (
                  <option key={one.id} value={one.id}>
                    {one.name}
                  </option>
                ))}
              </select>
            </Field>
          )}
        </div>
        {run.error && <Failure error={run.error} retry={() => void run.run()} />}
        <div>
          <button
            type="button"
            class="button primary"
            disabled={run.busy || preview.loading || plan.loading || (plan.error ?? preview.error) !== null}
            onClick={() => void run.run()}
          >
            {t(run.busy ? words.going : words.go)}
          </button>
        </div>
      </section>
      {kind !== "table" && <Shown read={plan}>{(found) => found && <PlanPreview found={found} alone={target.project === null} />}</Shown>}
      {kind === "table" && (
        <Shown read={preview}>
          {(found) =>
            found && (
              <TablePreview
                found={found}
                chosen={columns}
                order={order}
                choose={(index, field) => setColumns({ ...columns, [index]: field })}
                setOrder={setOrder}
              />
            )
          }
        </Shown>
      )}
    </>
  );
}

/** Reads a document; what is no JSON says so as a refusal of the server would. */
async function parsed(file: File): Promise<object> {
  try {
    return JSON.parse(await file.text()) as object;
  } catch {
    throw new CallError(400, { detail: t(words.noJson) }, null);
  }
}

function DocumentImport({ file, again }: { file: File; again: () => void }) {
  const check = useRead(async () => ok(api.POST("/api/v1/programs/import/validate/", { body: (await parsed(file)) as never })), [file]);
  const [replace, setReplace] = useState(false);
  const run = useAction(async (replaced: string | undefined) => {
    const body = { ...(await parsed(file)), ...(replaced ? { replace: true, expected_program_id: replaced } : {}) };
    await ok(api.POST("/api/v1/programs/import/", { body: body as never }));
    toast(t(words.queued));
    go("/");
  });
  return (
    <section class="card stack">
      <div class="row wrap">
        <b class="clip grow">{file.name}</b>
        <span class="chip info">{t(words.document)}</span>
        <button type="button" class="button small" onClick={again}>
          {t(words.another)}
        </button>
      </div>
      <Shown read={check}>
        {(found) => {
          const start = () => void run.run(found.replaces?.program_id);
          return (
            <>
              {found.valid ? (
                <p class="row">
                  <Icon name="check" /> {found.program_name}: {t(words.valid)}
                </p>
              ) : (
                <ul class="loss-list">
                  {found.errors.map((error) => (
                    <li key={error} class="is-bad">
                      {error}
                    </li>
                  ))}
                </ul>
              )}
              <Counts
                list={[
                  [t(words.projects), found.project_count],
                  [t(words.tasks), found.task_count],
                  [t(words.people), found.resource_count],
                ]}
              />
              {found.replaces && (
                <label class="check">
                  <input type="checkbox" checked={replace} onChange={(event) => setReplace(event.currentTarget.checked)} />{" "}
                  {t(words.replaces, { name: found.replaces.name, n: found.replaces.task_count })}
                </label>
              )}
              {run.error && <Failure error={run.error} retry={start} />}
              <div>
                <button
                  type="button"
                  class="button primary"
                  disabled={run.busy || !found.valid || (Boolean(found.replaces) && !replace)}
                  onClick={start}
                >
                  {t(words.go)}
                </button>
              </div>
            </>
          );
        }}
      </Shown>
    </section>
  );
}
