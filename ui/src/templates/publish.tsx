// The dialog that makes a template of a project: what it holds, what is left out, its name, and who may use it.
import { useState } from "preact/hooks";
import type { Schemas } from "../api/client";
import { CallError } from "../api/errors";
import { type Read, useAction, useRead } from "../api/read";
import type { Places } from "../api/places";
import { Dialog } from "../app/dialog";
import { Failure, Shown } from "../app/failure";
import { Field, value } from "../app/field";
import { say, toast } from "../app/toast";
import { may } from "../projects/rights";
import { calls } from "../words/calls";
import { settings } from "../words/settings";
import { home } from "../words/shell";
import { templates as words } from "../words/templates";
import { t } from "../words/words";
import { previewOf, publish } from "./calls";
import { Listed } from "./card";
import { carries, holds } from "./model";

type Preview = Schemas["TemplatePreview"];
type Audience = "workspace" | "program" | "personal";

interface Props {
  places: Places;
  /** The project that the person came from, or nothing. */
  wish: string;
  close: () => void;
  published: () => void;
}

export function PublishTemplate({ places, wish, close, published }: Props) {
  const mine = places.projects.filter((one) => may(one, "useTemplates"));
  const [id, setId] = useState(mine.find((one) => one.id === wish)?.id ?? "");
  const [typed, setTyped] = useState<string | null>(null);
  const [about, setAbout] = useState("");
  const [audience, setAudience] = useState<Audience>("workspace");
  /** The version that has this name already. */
  const [taken, setTaken] = useState<number | null>(null);
  const project = mine.find((one) => one.id === id);
  const program = places.programs.find((one) => one.id === project?.program);
  const name = typed ?? project?.name ?? "";
  const preview = useRead(async () => (id ? previewOf(id) : null), [id]);
  // The answer for another project is not shown for this one.
  const found = preview.data?.project === id ? preview.data : null;
  const send = useAction(async () => {
    const kind = {
      source_kind: audience === "personal" ? "personal" : "workspace",
      program: audience === "program" ? program!.id : null,
    } as const;
    try {
      const made = await publish({ project: id, name, description: about, ...kind, ...(taken === null ? {} : { new_version: true }) });
      const text = t(words.published, { name: made.name, n: made.version });
      say(text);
      toast(text);
      published();
      close();
    } catch (thrown) {
      if (!(thrown instanceof CallError) || thrown.code !== "name_taken") throw thrown;
      setTaken(Number(thrown.body.version));
    }
  });
  const change = (act: () => void) => {
    act();
    setTaken(null);
    send.clear();
  };
  const submit = (event: Event) => {
    event.preventDefault();
    void send.run();
  };
  const wrong = send.error?.fields ?? {};
  if (mine.length === 0)
    return (
      <Dialog title={t(words.publish)} close={close}>
        <p>{t(settings.neededRole, { role: t(settings.r300) })}</p>
      </Dialog>
    );
  return (
    <Dialog title={t(words.publish)} close={close}>
      <form class="stack" onSubmit={submit}>
        {send.error && <Failure error={send.error} />}
        <Field label={t(words.project)} wrong={wrong.project}>
          <select required value={id} onChange={(event) => change(() => (setId(value(event)), setAudience("workspace")))}>
            <option value="">{t(words.choose)}</option>
            {mine.map((one) => (
              <option key={one.id} value={one.id}>
                {one.name}
              </option>
            ))}
          </select>
        </Field>
        {id && <Holds read={preview} found={found} />}
        <Field label={t(home.name)} wrong={wrong.name}>
          <input required maxLength={200} value={name} onInput={(event) => change(() => setTyped(value(event)))} />
        </Field>
        <Field label={t(words.about)} wrong={wrong.description}>
          <textarea rows={2} maxLength={2000} value={about} onInput={(event) => setAbout(value(event))} />
        </Field>
        <Field label={t(words.audience)} wrong={wrong.source_kind ?? wrong.program}>
          <select value={audience} onChange={(event) => change(() => setAudience(value(event) as Audience))}>
            <option value="workspace">{t(settings.WORKSPACE)}</option>
            {program && <option value="program">{t(words.members, { name: program.name })}</option>}
            <option value="personal">{t(words.myself)}</option>
          </select>
        </Field>
        {taken !== null && (
          <p class="template-taken" role="alert">
            {t(words.taken, { n: taken })}
          </p>
        )}
        <div class="ends">
          <button type="button" class="button" onClick={close}>
            {t(calls.cancel)}
          </button>
          <button type="submit" class="button primary" disabled={send.busy || !found}>
            {taken === null ? t(words.go) : t(words.publishNext, { n: taken + 1 })}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** What the template would hold. A project that cannot be one says why. */
function Holds({ read, found }: { read: Read<Preview | null>; found: Preview | null }) {
  const unfit = read.loading ? null : read.error?.fields.project;
  if (unfit)
    return (
      <p class="is-bad" role="alert">
        {unfit}
      </p>
    );
  return (
    <Shown read={{ ...read, data: found, error: read.loading ? null : read.error }} lines={2}>
      {(preview) =>
        preview && (
          <dl class="template-holds">
            <dt>{t(words.holds)}</dt>
            <dd class="num">
              <Listed list={[...holds(preview), ...carries(preview)]} />
            </dd>
            <dt>{t(words.leftOut)}</dt>
            <dd>
              {t(words.leftOutText)} {preview.excluded_recurring_count > 0 && t(words.recurring, { n: preview.excluded_recurring_count })}
            </dd>
          </dl>
        )
      }
    </Shown>
  );
}
