// Public links of a project: make one, see its address once, see how often it was opened, revoke it.
import { useState } from "preact/hooks";
import { api, ok, type Schemas } from "../api/client";
import { type Read, useAction, useRead } from "../api/read";
import { ask } from "../app/dialog";
import { Failure, Shown } from "../app/failure";
import { Field, value } from "../app/field";
import { dayOf } from "../dates/days";
import { moment, shortDay } from "../dates/format";
import type { ProjectDetail } from "../projects/project_frame";
import { admin as words } from "../words/admin";
import { settings } from "../words/settings";
import { t } from "../words/words";
import { Part, SwitchSetting, useSave } from "./form";
import { ShownOnce } from "./shown_once";

export function ShareLinks({ project }: { project: Read<ProjectDetail> }) {
  const id = project.data?.id ?? "";
  const path = { project_pk: id };
  const read = useRead(async () => (id ? await ok(api.GET("/api/v1/projects/{project_pk}/share-links/", { params: { path } })) : []), [id]);
  const [made, setMade] = useState("");
  const { save, error } = useSave(
    (body) => ok(api.PATCH("/api/v1/projects/{id}/", { params: { path: { id } }, body: body as never })),
    project.retry,
  );
  const revoke = useAction(async (link: Schemas["ShareLink"]) => {
    if (!(await ask(t(settings.revoke), link.label || t(words[link.content_kind]), t(settings.revoke), true))) return;
    await ok(api.POST("/api/v1/projects/{project_pk}/share-links/{link_id}/revoke/", { params: { path: { ...path, link_id: link.id } } }));
    read.retry();
  });
  const allowed = project.data?.effective_public_sharing ?? false;
  return (
    <>
      <Part title={t(words.sharing)} text={t(words.sharingText)} error={error}>
        <SwitchSetting label={t(words.sharingOn)} name="public_sharing" value={allowed} save={save} />
        {!allowed && <p class="quiet small">{t(words.sharingOff)}</p>}
        {made && <ShownOnce text={t(words.linkShown)} value={made} />}
        {revoke.error && <Failure error={revoke.error} />}
        <Shown read={read} lines={2}>
          {(list) =>
            list.length === 0 ? (
              <p class="quiet">{t(words.noLinks)}</p>
            ) : (
              <ul class="setting-list">
                {list.map((link) => (
                  <li key={link.id} class="row wrap">
                    <span class="grow">
                      <b>{link.label || t(words[link.content_kind])}</b> <code class="small quiet">{link.token_prefix}…</code>
                      <br />
                      <span class="small quiet">
                        {[
                          t(words[link.content_kind]),
                          t(words.opened, { n: link.access_count }),
                          link.last_accessed_at && moment(link.last_accessed_at),
                          link.expires_at && `${t(words.ends)} ${shortDay(dayOf(link.expires_at))}`,
                        ]
                          .filter(Boolean)
                          .join(" · ")}
                      </span>
                    </span>
                    {link.is_expired && <span class="chip warn">{t(words.expired)}</span>}
                    <button
                      type="button"
                      class="button small danger"
                      disabled={revoke.busy}
                      aria-label={`${t(settings.revoke)}: ${link.label || link.token_prefix}`}
                      onClick={() => void revoke.run(link)}
                    >
                      {t(settings.revoke)}
                    </button>
                  </li>
                ))}
              </ul>
            )
          }
        </Shown>
      </Part>
      {allowed && id && <NewLink project={id} made={(link) => (setMade(`${location.origin}${link.share_path}`), read.retry())} />}
    </>
  );
}

function NewLink({ project, made }: { project: string; made: (link: Schemas["ShareLinkCreateResponse"]) => void }) {
  const [form, setForm] = useState({ kind: "schedule" as Schemas["SharedContent"], label: "", ends: "", people: false, milestones: true });
  const set = (change: Partial<typeof form>) => setForm({ ...form, ...change });
  const save = useAction(async () => {
    const body = {
      content_kind: form.kind,
      label: form.label,
      show_assignees: form.people,
      show_milestone_dates: form.milestones,
      ...(form.ends ? { expires_at: `${form.ends}T23:59:59Z` } : {}),
    };
    made(await ok(api.POST("/api/v1/projects/{project_pk}/share-links/", { params: { path: { project_pk: project } }, body })));
    set({ label: "" });
  });
  const wrong = save.error?.fields ?? {};
  return (
    <Part title={t(words.makeLink)} error={save.error && Object.keys(wrong).length === 0 ? save.error : null}>
      <form class="stack" onSubmit={(event) => (event.preventDefault(), void save.run())}>
        <div class="pair">
          <Field label={t(words.shows)}>
            <select value={form.kind} onChange={(event) => set({ kind: value(event) as typeof form.kind })}>
              <option value="schedule">{t(words.schedule)}</option>
              <option value="board">{t(words.board)}</option>
            </select>
          </Field>
          <Field label={t(words.label)} wrong={wrong.label}>
            <input maxLength={120} value={form.label} onInput={(event) => set({ label: value(event) })} />
          </Field>
          <Field label={t(words.ends)} wrong={wrong.expires_at}>
            <input type="date" value={form.ends} onInput={(event) => set({ ends: value(event) })} />
          </Field>
        </div>
        <label class="check">
          <input type="checkbox" checked={form.people} onChange={(event) => set({ people: event.currentTarget.checked })} />{" "}
          {t(words.names)}
        </label>
        <label class="check">
          <input type="checkbox" checked={form.milestones} onChange={(event) => set({ milestones: event.currentTarget.checked })} />{" "}
          {t(words.milestones)}
        </label>
        <div>
          <button type="submit" class="button primary" disabled={save.busy}>
            {t(words.makeLink)}
          </button>
        </div>
      </form>
    </Part>
  );
}
