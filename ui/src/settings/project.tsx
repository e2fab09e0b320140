// Settings of one project: what it is, who works in it, files to take away, archive and trash.
import { useState } from "preact/hooks";
import { api, ok, type Schemas } from "../api/client";
import { useAction, useRead } from "../api/read";
import { ask } from "../app/dialog";
import { Failure, Shown } from "../app/failure";
import { value } from "../app/field";
import { Icon } from "../app/icons";
import { go } from "../app/router";
import type { PageProps } from "../app/routes";
import { ProjectFrame, useProject } from "../projects/project_frame";
import { calls } from "../words/calls";
import { settings as words } from "../words/settings";
import { t } from "../words/words";
import { ChoiceSetting, Part, TextSetting, useSave } from "./form";
import { Exports } from "./exports";
import "./settings.css";

const ROLES = [[1, words.r1], [100, words.r100], [200, words.r200], [300, words.r300], [400, words.r400]] as const;
const roles = () => ROLES.map(([role, name]) => <option key={role} value={String(role)}>{t(name)}</option>);

export default function ProjectSettings({ params }: PageProps) {
  const id = params.id!;
  const path = { id };
  const project = useProject(id);
  const { save, error } = useSave((body) => ok(api.PATCH("/api/v1/projects/{id}/", { params: { path }, body: body as never })), project.retry);
  const act = useAction(async (work: () => Promise<unknown>) => void (await work()));
  const archive = async (yes: boolean) => {
    if (yes && !(await ask(t(words.archive), t(words.archiveAsk), t(words.archive)))) return;
    await act.run(() => ok(yes ? api.POST("/api/v1/projects/{id}/archive/", { params: { path }, body: {} } as never) : api.POST("/api/v1/projects/{id}/unarchive/", { params: { path }, body: {} } as never)));
    project.retry();
  };
  const remove = async (name: string) => {
    if (!(await ask(t(words.remove), t(words.removeAsk, { name }), t(words.remove), true))) return;
    if (await act.run(() => ok(api.DELETE("/api/v1/projects/{id}/", { params: { path } })))) go("/");
  };
  return (
    <ProjectFrame id={id} project={project}>
      <div class="page">
        <div class="page-in">
          <h1>{t(words.projectTitle)}</h1>
          <Shown read={project}>
            {(one) => (
              <Part title={one.name} error={error}>
                <div class="pair">
                  <TextSetting label={t(words.name)} name="name" value={one.name} save={save} wrong={error?.fields.name} />
                  <TextSetting label={t(words.code)} name="code" value={one.code ?? ""} save={save} wrong={error?.fields.code} />
                  <TextSetting label={t(words.start)} name="start_date" type="date" value={one.start_date ?? ""} save={save} wrong={error?.fields.start_date} />
                  <TextSetting label={t(words.status)} name="status_date" type="date" empty="null" value={one.status_date ?? ""} save={save} wrong={error?.fields.status_date} />
                  <ChoiceSetting label={t(words.method)} name="methodology" value={one.methodology ?? "HYBRID"} save={save} options={(["WATERFALL", "AGILE", "HYBRID"] as const).map((method) => [method, t(words[method])])} />
                  <ChoiceSetting label={t(words.visibility)} name="visibility" value={one.visibility} save={save} options={(["WORKSPACE", "PRIVATE"] as const).map((kind) => [kind, t(words[kind])])} />
                  <ChoiceSetting label={t(words.health)} name="health" value={one.health} save={save} options={(["AUTO", "ON_TRACK", "AT_RISK", "CRITICAL"] as const).map((kind) => [kind, t(words[kind])])} />
                </div>
                <TextSetting label={t(words.description)} name="description" type="area" value={one.description ?? ""} save={save} />
              </Part>
            )}
          </Shown>
          <Members project={id} />
          <Exports project={id} name={project.data?.name ?? "plan"} />
          <section class="card stack">
            {act.error && <Failure error={act.error} />}
            <div class="row wrap">
              <button type="button" class="button" disabled={act.busy} onClick={() => void archive(!project.data?.is_archived)}>{t(project.data?.is_archived ? words.unarchive : words.archive)}</button>
              <button type="button" class="button danger" disabled={act.busy} onClick={() => void remove(project.data?.name ?? "")}>{t(words.remove)}</button>
            </div>
          </section>
        </div>
      </div>
    </ProjectFrame>
  );
}

function Members({ project }: { project: string }) {
  const path = { project_pk: project };
  const read = useRead(() => ok(api.GET("/api/v1/projects/{project_pk}/members/", { params: { path } })), [project]);
  const [typed, setTyped] = useState("");
  const found = useRead(async () => (typed.trim().length < 2 ? [] : await ok(api.GET("/api/v1/users/search/", { params: { query: { q: typed.trim() } } }))), [typed]);
  const act = useAction(async (work: () => Promise<unknown>) => {
    await work();
    read.retry();
  });
  const add = (user: string) => act.run(() => ok(api.POST("/api/v1/projects/{project_pk}/members/", { params: { path }, body: { user, role: 100 } }))).then((done) => done && setTyped(""));
  const set = (id: string, role: number) => act.run(() => ok(api.PATCH("/api/v1/projects/{project_pk}/members/{id}/", { params: { path: { ...path, id } }, body: { role: role as Schemas["Role"] } })));
  const remove = (id: string) => act.run(() => ok(api.DELETE("/api/v1/projects/{project_pk}/members/{id}/", { params: { path: { ...path, id } } })));
  return (
    <Part title={t(words.projectMembers)} error={act.error}>
      <input type="search" class="input" placeholder={t(words.addMember)} aria-label={t(words.addMember)} value={typed} onInput={(event) => setTyped(value(event))} />
      {found.error && <Failure error={found.error} retry={found.retry} />}
      {(found.data ?? []).length > 0 && <div class="row wrap">{found.data!.filter((user) => !read.data?.some((one) => one.user === user.id)).map((user) => <button key={user.id} type="button" class="button small" onClick={() => void add(user.id)}><Icon name="plus" size={12} /> {user.display_name}</button>)}</div>}
      <Shown read={read}>
        {(list) => (
          <ul class="setting-list">
            {list.map((one) => {
              const name = one.user_detail?.username ?? "";
              return (
                <li key={one.id} class="row wrap">
                  <b class="grow">{name}</b>
                  <select class="input setting-small" aria-label={`${t(words.role)}: ${name}`} value={String(one.role)} onChange={(event) => void set(one.id, Number(event.currentTarget.value))}>{roles()}</select>
                  <button type="button" class="icon" aria-label={`${t(calls.remove)}: ${name}`} onClick={() => void remove(one.id)}><Icon name="close" /></button>
                </li>
              );
            })}
          </ul>
        )}
      </Shown>
    </Part>
  );
}
