// Settings of one program: what it is, who works in it, webhooks, its end.
import { readOnly } from "../api/connection";
import { api, ok, type Schemas } from "../api/client";
import { isMissing, type Read, useAction, useRead } from "../api/read";
import { ask } from "../app/dialog";
import { Failure, Shown } from "../app/failure";
import { value } from "../app/field";
import { seen, SharedText } from "../app/shared_text";
import { Lost } from "../app/lost";
import { go } from "../app/router";
import type { PageProps } from "../app/routes";
import { useTitle } from "../app/title";
import { Allowed, Here } from "../projects/rights";
import { admin as words } from "../words/admin";
import { settings } from "../words/settings";
import { t } from "../words/words";
import { Archives } from "./archives";
import { ChoiceSetting, Part, TextSetting, useSave } from "./form";
import { Parts } from "./parts";
import { PeopleOf } from "./people_of";
import { Webhooks } from "./webhooks";
import "./settings.css";

export default function ProgramSettings({ params }: PageProps) {
  const owner = { kind: "programs", id: params.id! } as const;
  const read = useRead(() => ok(api.GET("/api/v1/programs/{id}/", { params: { path: { id: owner.id } } })), [owner.id]);
  const missing = isMissing(read);
  useTitle(missing ? null : t(words.programTitle), read.data?.name);
  if (missing) return <Lost />;
  return (
    <Here.Provider value={read.data}>
      <Parts
        title={t(words.programTitle)}
        base={`/programs/${owner.id}/settings`}
        parts={[
          { path: "general", name: words.general, view: () => <General read={read} id={owner.id} /> },
          { path: "members", name: settings.projectMembers, view: () => <PeopleOf owner={owner} /> },
          {
            path: "webhooks",
            name: words.webhooks,
            view: () => (
              <Allowed right="manage" told>
                <Webhooks owner={owner} />
              </Allowed>
            ),
          },
        ]}
      />
    </Here.Provider>
  );
}

function General({ read, id }: { read: Read<Schemas["Program"]>; id: string }) {
  const path = { id };
  const { save, error } = useSave(async (body) =>
    read.set(await ok(api.PATCH("/api/v1/programs/{id}/", { params: { path }, body: body as never }))),
  );
  const write = (field: "name" | "description") => async (text: string, base: number | null) => {
    const after = await ok(api.PATCH("/api/v1/programs/{id}/", { params: { path, header: seen(base) }, body: { [field]: text } }));
    read.set(after);
    return after;
  };
  const act = useAction(async (work: () => Promise<unknown>) => void (await work()));
  const close = async (yes: boolean) => {
    const done = await act.run(() =>
      ok(
        yes
          ? api.POST("/api/v1/programs/{id}/close/", { params: { path }, body: {} } as never)
          : api.POST("/api/v1/programs/{id}/reopen/", { params: { path }, body: {} } as never),
      ),
    );
    if (done) read.retry();
  };
  const remove = async (name: string) => {
    if (!(await ask(t(words.removeProgram), t(words.removeProgramAsk, { name }), t(words.removeProgram), true))) return;
    if (await act.run(() => ok(api.DELETE("/api/v1/programs/{id}/", { params: { path } })))) go("/");
  };
  return (
    <Shown read={read}>
      {(one) => (
        <>
          <Part title={one.name} error={error && Object.keys(error.fields).length === 0 ? error : null}>
            <Allowed right="manage" told>
              <div class="pair">
                <SharedText
                  kept={`program.${id}.name`}
                  line="labelled"
                  label={t(settings.name)}
                  value={one.name}
                  version={one.server_version}
                  locked={readOnly.value}
                  write={write("name")}
                />
                <TextSetting label={t(settings.code)} name="code" value={one.code ?? ""} save={save} wrong={error?.fields.code} />
                <TextSetting
                  label={t(words.target)}
                  name="target_date"
                  type="date"
                  empty="null"
                  value={one.target_date ?? ""}
                  save={save}
                  wrong={error?.fields.target_date}
                />
                <label class="field">
                  <span>{t(words.colour)}</span>
                  <input
                    type="color"
                    disabled={readOnly.value}
                    value={one.color || "#0b62b8"}
                    onChange={(event) => void save({ color: value(event) })}
                  />
                </label>
                <ChoiceSetting
                  label={t(settings.method)}
                  name="methodology"
                  value={one.effective_methodology}
                  save={save}
                  options={(["WATERFALL", "AGILE", "HYBRID"] as const).map((method) => [method, t(settings[method])])}
                />
                <ChoiceSetting
                  label={t(settings.visibility)}
                  name="visibility"
                  value={one.visibility}
                  save={save}
                  options={(["WORKSPACE", "PRIVATE"] as const).map((kind) => [kind, t(settings[kind])])}
                />
                <ChoiceSetting
                  label={t(settings.health)}
                  name="health"
                  value={one.health}
                  save={save}
                  options={(["AUTO", "ON_TRACK", "AT_RISK", "CRITICAL"] as const).map((kind) => [kind, t(settings[kind])])}
                />
              </div>
              <SharedText
                kept={`program.${id}.description`}
                label={t(settings.description)}
                value={one.description ?? ""}
                version={one.server_version}
                locked={readOnly.value}
                write={write("description")}
              />
            </Allowed>
          </Part>
          <Archives owner={{ kind: "programs", id }} name={one.name} />
          <section class="card stack">
            {act.error && <Failure error={act.error} />}
            <div class="row wrap">
              <a class="button" href={`/programs/${id}`}>
                {one.name}
              </a>
              <Allowed right="own">
                <button type="button" class="button" disabled={act.busy} onClick={() => void close(!one.is_closed)}>
                  {t(one.is_closed ? words.reopenProgram : words.closeProgram)}
                </button>
                <button type="button" class="button danger" disabled={act.busy} onClick={() => void remove(one.name)}>
                  {t(words.removeProgram)}
                </button>
              </Allowed>
            </div>
          </section>
        </>
      )}
    </Shown>
  );
}
