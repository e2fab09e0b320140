// Settings of one project: what it is, who works in it, files to take away, and the parts that few people open.
import { api, ok } from "../api/client";
import { useLiveRefresh } from "../api/live_refresh";
import { type Read, useAction } from "../api/read";
import { ask } from "../app/dialog";
import { Failure, Shown } from "../app/failure";
import { Icon } from "../app/icons";
import { go } from "../app/router";
import type { PageProps } from "../app/routes";
import { type ProjectDetail, ProjectFrame, useProject } from "../projects/project_frame";
import { readOnly } from "../api/connection";
import { seen, SharedText } from "../app/shared_text";
import { Allowed, may } from "../projects/rights";
import { admin } from "../words/admin";
import { settings as words } from "../words/settings";
import { templates } from "../words/templates";
import { t } from "../words/words";
import { ChoiceSetting, Part, TextSetting, useSave } from "./form";
import { Archives } from "./archives";
import { Exports } from "./exports";
import { Parts } from "./parts";
import { PeopleOf } from "./people_of";
import { ProjectCalendar } from "./project_calendar";
import { ShareLinks } from "./share_links";
import { TaskTrash } from "./trash";
import { Webhooks } from "./webhooks";
import "./settings.css";

export default function ProjectSettings({ params }: PageProps) {
  const id = params.id!;
  const owner = { kind: "projects", id } as const;
  const project = useProject(id);
  return (
    <ProjectFrame id={id} project={project}>
      <Parts
        title={t(words.projectTitle)}
        base={`/projects/${id}/settings`}
        parts={[
          { path: "general", name: admin.general, view: () => <General id={id} project={project} /> },
          {
            path: "calendar",
            name: admin.calendar,
            view: () => (
              <Allowed right="keepCalendars" told>
                <ProjectCalendar project={id} />
              </Allowed>
            ),
          },
          {
            path: "webhooks",
            name: admin.webhooks,
            view: () => (
              <Allowed right="manage" told>
                <Webhooks owner={owner} />
              </Allowed>
            ),
          },
          {
            path: "sharing",
            name: admin.sharing,
            view: () => (
              <Allowed right="keepLinks" told>
                {may(project.data, "keepLinks") && <ShareLinks project={project} />}
              </Allowed>
            ),
          },
          {
            path: "trash",
            name: admin.trash,
            view: () => (
              <Allowed right="author" told>
                <TaskTrash project={id} />
              </Allowed>
            ),
          },
        ]}
      />
    </ProjectFrame>
  );
}

function General({ id, project }: { id: string; project: Read<ProjectDetail> }) {
  const path = { id };
  const { save, error } = useSave(
    (body) => ok(api.PATCH("/api/v1/projects/{id}/", { params: { path }, body: body as never })),
    project.retry,
  );
  useLiveRefresh(id, project.retry, { heard: /^(project_updated|resync)/ });
  const write = (field: "name" | "description") => async (text: string, base: number | null) => {
    const after = await ok(api.PATCH("/api/v1/projects/{id}/", { params: { path, header: seen(base) }, body: { [field]: text } }));
    project.retry();
    return after;
  };
  const act = useAction(async (work: () => Promise<unknown>) => void (await work()));
  const archive = async (yes: boolean) => {
    if (yes && !(await ask(t(words.archive), t(words.archiveAsk), t(words.archive)))) return;
    await act.run(() =>
      ok(
        yes
          ? api.POST("/api/v1/projects/{id}/archive/", { params: { path }, body: {} } as never)
          : api.POST("/api/v1/projects/{id}/unarchive/", { params: { path }, body: {} } as never),
      ),
    );
    project.retry();
  };
  const remove = async (name: string) => {
    if (!(await ask(t(words.remove), t(words.removeAsk, { name }), t(words.remove), true))) return;
    if (await act.run(() => ok(api.DELETE("/api/v1/projects/{id}/", { params: { path } })))) go("/");
  };
  return (
    <>
      <Shown read={project}>
        {(one) => (
          <Part title={one.name} error={error}>
            <Allowed right="manage" told>
              <div class="pair">
                <SharedText
                  kept={`project.${id}.name`}
                  line="labelled"
                  label={t(words.name)}
                  value={one.name}
                  version={one.server_version}
                  locked={readOnly.value}
                  write={write("name")}
                />
                <TextSetting label={t(words.code)} name="code" value={one.code ?? ""} save={save} wrong={error?.fields.code} />
                <TextSetting
                  label={t(words.start)}
                  name="start_date"
                  type="date"
                  value={one.start_date ?? ""}
                  save={save}
                  wrong={error?.fields.start_date}
                />
                <TextSetting
                  label={t(words.status)}
                  name="status_date"
                  type="date"
                  empty="null"
                  value={one.status_date ?? ""}
                  save={save}
                  wrong={error?.fields.status_date}
                />
                <ChoiceSetting
                  label={t(words.visibility)}
                  name="visibility"
                  value={one.visibility}
                  save={save}
                  options={(["WORKSPACE", "PRIVATE"] as const).map((kind) => [kind, t(words[kind])])}
                />
                <ChoiceSetting
                  label={t(words.health)}
                  name="health"
                  value={one.health}
                  save={save}
                  options={(["AUTO", "ON_TRACK", "AT_RISK", "CRITICAL"] as const).map((kind) => [kind, t(words[kind])])}
                />
              </div>
              <SharedText
                kept={`project.${id}.description`}
                label={t(words.description)}
                value={one.description ?? ""}
                version={one.server_version}
                locked={readOnly.value}
                write={write("description")}
              />
            </Allowed>
            <Allowed right="editProject">
              <ChoiceSetting
                label={t(words.method)}
                name="methodology"
                value={one.methodology ?? "HYBRID"}
                save={save}
                options={(["WATERFALL", "AGILE", "HYBRID"] as const).map((method) => [method, t(words[method])])}
              />
            </Allowed>
          </Part>
        )}
      </Shown>
      <PeopleOf owner={{ kind: "projects", id }} />
      {project.data && (
        <>
          <Exports project={id} name={project.data.name} />
          <Archives owner={{ kind: "projects", id }} name={project.data.name} />
        </>
      )}
      <Part title={t(templates.title)} text={t(templates.publishText)}>
        <Allowed right="useTemplates" told>
          <div>
            <button type="button" class="button" onClick={() => go(`/templates?publish=${id}`)}>
              <Icon name="template" /> {t(templates.publish)}
            </button>
          </div>
        </Allowed>
      </Part>
      <section class="card stack">
        {act.error && <Failure error={act.error} />}
        <Allowed right="own" told>
          <div class="row wrap">
            <button type="button" class="button" disabled={act.busy} onClick={() => void archive(!project.data?.is_archived)}>
              {t(project.data?.is_archived ? words.unarchive : words.archive)}
            </button>
            <button type="button" class="button danger" disabled={act.busy} onClick={() => void remove(project.data?.name ?? "")}>
              {t(words.remove)}
            </button>
          </div>
        </Allowed>
      </section>
    </>
  );
}
