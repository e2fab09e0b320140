// The dialog that uses a template: into which project, what came in, and a way to take it back.
import { useEffect, useRef, useState } from "preact/hooks";
import { useAction } from "../api/read";
import { makeProject, type Places, removeEmpty } from "../api/places";
import { Dialog } from "../app/dialog";
import { Failure } from "../app/failure";
import { Field, value } from "../app/field";
import { Icon } from "../app/icons";
import { say } from "../app/toast";
import { isoOf, today } from "../dates/days";
import { may } from "../projects/rights";
import { calls } from "../words/calls";
import { imports } from "../words/imports";
import { home } from "../words/shell";
import { templates as words } from "../words/templates";
import { t } from "../words/words";
import { bringIn, takeBack, type Undone, type Use } from "./calls";
import { Listed } from "./card";
import { holds, type Template } from "./model";

interface Props {
  template: Template;
  places: Places;
  /** The project that the person came from. */
  into: string | null;
  close: () => void;
  changed: () => void;
}

export function UseTemplate({ template, places, into, close, changed }: Props) {
  const open = places.projects.filter((one) => may(one, "useTemplates"));
  const [project, setProject] = useState(open.find((one) => one.id === into)?.id ?? "");
  const [name, setName] = useState(template.name);
  const [start, setStart] = useState(isoOf(today()));
  const [done, setDone] = useState<Use | null>(null);
  // A second try after a failure goes into the project that the first one made.
  const made = useRef<string | null>(null);
  const run = useAction(async () => {
    say(t(words.going));
    if (!project) made.current ??= await makeProject(name, start);
    const end = await bringIn(template.id, project || made.current!);
    setDone(end);
    changed();
  });
  const submit = (event: Event) => {
    event.preventDefault();
    void run.run();
  };
  const wrong = run.error?.fields ?? {};
  return (
    <Dialog title={t(words.useTitle, { name: template.name })} close={close}>
      {done ? (
        <End
          use={done}
          name={open.find((one) => one.id === project)?.name ?? name}
          fresh={made.current !== null && project === ""}
          close={close}
          changed={changed}
        />
      ) : (
        <form class="stack" onSubmit={submit}>
          <p class="small quiet num">
            <Listed list={holds(template.counts)} />
          </p>
          {run.error && <Failure error={run.error} />}
          <Field label={t(imports.into)} wrong={wrong.project}>
            <select value={project} disabled={run.running} onChange={(event) => setProject(value(event))}>
              <option value="">{t(imports.newProject)}</option>
              {open.map((one) => (
                <option key={one.id} value={one.id}>
                  {one.name}
                </option>
              ))}
            </select>
          </Field>
          {project ? (
            <p class="small quiet">{t(words.below)}</p>
          ) : (
            <div class="pair">
              <Field label={t(home.name)} wrong={wrong.name}>
                <input required maxLength={255} value={name} disabled={run.running} onInput={(event) => setName(value(event))} />
              </Field>
              <Field label={t(home.start)} wrong={wrong.start_date}>
                <input type="date" required value={start} disabled={run.running} onInput={(event) => setStart(value(event))} />
              </Field>
            </div>
          )}
          <div class="ends">
            <button type="button" class="button" onClick={close}>
              {t(calls.cancel)}
            </button>
            <button type="submit" class="button primary" disabled={run.busy}>
              {t(run.running ? words.going : words.use)}
            </button>
          </div>
        </form>
      )}
    </Dialog>
  );
}

/** How it ended. The button that was pressed is gone, so the heading takes the focus. */
function End({ use, name, fresh, close, changed }: { use: Use; name: string; fresh: boolean; close: () => void; changed: () => void }) {
  const [undone, setUndone] = useState<Undone | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), [undone]);
  const undo = useAction(async () => {
    setUndone(await takeBack(use.id));
    // A project that was made for the template goes with its rows, unless people have kept some.
    if (fresh) await removeEmpty(use.project!);
    changed();
  });
  if (use.status !== "success") {
    return (
      <>
        <h3 ref={heading} tabIndex={-1}>
          {t(words.failed)}
        </h3>
        {use.error_detail && <p class="is-bad">{use.error_detail}</p>}
        <div class="ends">
          <button type="button" class="button" onClick={close}>
            {t(calls.close)}
          </button>
        </div>
      </>
    );
  }
  return (
    <>
      <h3 ref={heading} tabIndex={-1}>
        {undone ? sentence(undone) : t(words.done, { name })}
      </h3>
      {!undone && <CameIn summary={use.result_summary as Summary} />}
      {!undone && <p class="small quiet">{t(words.undoHint)}</p>}
      {undo.error && <Failure error={undo.error} retry={() => void undo.run()} />}
      <div class="ends">
        {!undone && (
          <button type="button" class="button" disabled={undo.busy} onClick={() => void undo.run()}>
            <Icon name="undo" /> {t(words.undo)}
          </button>
        )}
        <button type="button" class="button" onClick={close}>
          {t(calls.close)}
        </button>
        {!(undone && fresh && undone.kept === 0) && (
          <a class="button primary" href={`/projects/${use.project}/schedule`}>
            {t(imports.open)}
          </a>
        )}
      </div>
    </>
  );
}

type Summary = Partial<Record<"tasks_created" | "milestones_created" | "dependencies_created", number>>;

function CameIn({ summary }: { summary: Summary }) {
  const list = [
    [t(imports.tasks), summary.tasks_created],
    [t(imports.milestones), summary.milestones_created],
    [t(imports.links), summary.dependencies_created],
  ] as const;
  return (
    <div class="figures template-figures">
      {list.map(([name, n]) => (
        <div key={name} class="figure">
          <span class="small quiet">{name}</span>
          <b>{n ?? 0}</b>
        </div>
      ))}
    </div>
  );
}

/** What became of the rows: those that somebody changed stay. */
export function sentence({ deleted, kept }: Undone): string {
  const gone = t(words.deleted, { n: deleted });
  return kept > 0 ? `${gone} ${t(words.kept, { n: kept })}` : gone;
}
