// The dialog for a new project: a name and a start are enough; the schedule opens at once. A template leads to another page.
import { useState } from "preact/hooks";
import { api, ok, type Schemas } from "../api/client";
import { useAction } from "../api/read";
import { Dialog } from "../app/dialog";
import { Failure } from "../app/failure";
import { Field, value } from "../app/field";
import { Icon } from "../app/icons";
import { go } from "../app/router";
import { isoOf, today } from "../dates/days";
import { calls } from "../words/calls";
import { home } from "../words/shell";
import { templates } from "../words/templates";
import { t } from "../words/words";

export function NewProject({ programs, close }: { programs: Schemas["Program"][]; close: () => void }) {
  const [name, setName] = useState("");
  const [start, setStart] = useState(isoOf(today()));
  const [program, setProgram] = useState("");
  const action = useAction(async () => {
    const body = { name, start_date: start, ...(program ? { program } : {}) };
    const project = await ok(api.POST("/api/v1/projects/", { body }));
    go(`/projects/${project.id}/schedule`);
  });
  const wrong = action.error?.fields ?? {};
  const submit = (event: Event) => {
    event.preventDefault();
    void action.run();
  };
  return (
    <Dialog title={t(home.newProject)} close={close}>
      <form class="stack" onSubmit={submit}>
        {action.error && action.error.status !== 400 && <Failure error={action.error} retry={() => void action.run()} />}
        <Field label={t(home.name)} wrong={wrong.name ?? wrong.non_field_errors}>
          <input required maxLength={255} value={name} onInput={(event) => setName(value(event))} />
        </Field>
        <Field label={t(home.start)} wrong={wrong.start_date}>
          <input type="date" required value={start} onInput={(event) => setStart(value(event))} />
        </Field>
        <Field label={t(home.program)} wrong={wrong.program}>
          <select value={program} onChange={(event) => setProgram(value(event))}>
            <option value="">{t(home.none)}</option>
            {programs.map((one) => (
              <option key={one.id} value={one.id}>
                {one.name}
              </option>
            ))}
          </select>
        </Field>
        <a class="row" href="/templates">
          <Icon name="template" /> {t(templates.fromOne)}
        </a>
        <div class="ends">
          <button type="button" class="button" onClick={close}>
            {t(calls.cancel)}
          </button>
          <button type="submit" class="button primary" disabled={action.busy}>
            {t(home.create)}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
