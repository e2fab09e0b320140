// Settings of the workspace, its members and its invites.
import { useState } from "preact/hooks";
import { readOnly } from "../api/connection";
import { api, ok, type Schemas } from "../api/client";
import { useKept } from "../api/kept";
import { me } from "../api/me";
import { useAction, useRead } from "../api/read";
import { Shown } from "../app/failure";
import { Field, value } from "../app/field";
import { toast } from "../app/toast";
import { dayOf } from "../dates/days";
import { moment, shortDay } from "../dates/format";
import { board } from "../words/board";
import { calls } from "../words/calls";
import { settings as words } from "../words/settings";
import { t } from "../words/words";
import { ChoiceSetting, Part, SwitchSetting, TextSetting, useSave, zones } from "./form";

const METHODS = ["WATERFALL", "AGILE", "HYBRID"] as const;
/** The roles of a workspace. */
const ROLES = [
  [100, words.w100],
  [300, words.w300],
  [400, words.r400],
] as const;
const STATUSES = ["active", "guest", "deactivated"] as const;

export function Workspace() {
  const read = useRead(() => ok(api.GET("/api/v1/workspace/", {})), []);
  const { save, error } = useSave(async (body) => read.set(await ok(api.PATCH("/api/v1/workspace/", { body: body as never }))));
  return (
    <Part title={t(words.workspace)} error={error}>
      <Shown read={read}>
        {(one) => (
          <>
            <div class="pair">
              <TextSetting label={t(words.name)} name="name" value={one.name} save={save} wrong={error?.fields.name} />
              <ChoiceSetting
                label={t(words.timezone)}
                name="timezone"
                value={one.timezone}
                save={save}
                options={zones().map((zone) => [zone, zone.replace(/_/g, " ")])}
              />
              <ChoiceSetting
                label={t(words.method)}
                name="methodology"
                value={one.methodology}
                save={save}
                options={METHODS.map((method) => [method, t(words[method])])}
              />
              <TextSetting
                label={t(words.sprintName)}
                name="iteration_label"
                value={one.iteration_label}
                save={save}
                wrong={error?.fields.iteration_label}
              />
            </div>
            <SwitchSetting label={t(words.guests)} name="allow_guests" value={one.allow_guests} save={save} />
            <SwitchSetting label={t(words.sharing)} name="public_sharing" value={one.public_sharing} save={save} />
            <SwitchSetting label={t(words.agents)} name="mcp_enabled" value={one.mcp_enabled} save={save} />
          </>
        )}
      </Shown>
    </Part>
  );
}

/** The roles that this person may give: those below their own. */
const given = () => ROLES.filter(([role]) => role < (me.value?.workspace_role ?? 0));

const roleName = (value: number) => ROLES.find(([role]) => role === value)?.[1] ?? words.w100;

export function Members() {
  // Only people below one's own role can be changed.
  const mine = me.value?.workspace_role ?? 0;
  const read = useRead(() => ok(api.GET("/api/v1/workspace/members/", { params: { query: { page_size: 200 } } })), []);
  const change = useAction(async (id: string, body: object) => {
    const saved = await ok(api.PATCH("/api/v1/workspace/members/{user_id}/", { params: { path: { user_id: id } }, body }));
    read.set({ ...read.data!, results: read.data!.results.map((one) => (one.id === id ? saved : one)) });
  });
  const turn = async (id: string, body: object) => {
    if (!(await change.run(id, body))) read.retry();
  };
  return (
    <>
      <Invites />
      <Part title={t(words.members)} error={change.error}>
        <Shown read={read}>
          {(list) => (
            <div class="scroll-x">
              <table class="table">
                <thead>
                  <tr>
                    <th>{t(words.name)}</th>
                    <th>{t(words.role)}</th>
                    <th>{t(board.status)}</th>
                    <th>{t(words.lastSeen)}</th>
                  </tr>
                </thead>
                <tbody>
                  {list.results.map((one) => (
                    <tr key={one.id}>
                      <td>
                        <b>{one.name}</b> <span class="small quiet">{one.email}</span>
                      </td>
                      <td>
                        {one.role_value >= mine ? (
                          t(roleName(one.role_value))
                        ) : (
                          <RoleSelect
                            label={`${t(words.role)}: ${one.name}`}
                            value={one.role_value}
                            choose={(role) => void turn(one.id, { role })}
                            roles={given()}
                          />
                        )}
                      </td>
                      <td>
                        <select
                          class="input setting-small"
                          disabled={readOnly.value || one.role_value >= mine}
                          aria-label={`${t(board.status)}: ${one.name}`}
                          value={one.status}
                          onChange={(event) => void turn(one.id, { status: event.currentTarget.value })}
                        >
                          {STATUSES.map((status) => (
                            <option key={status} value={status}>
                              {t(words[status])}
                            </option>
                          ))}
                        </select>
                      </td>
                      <td class="nowrap quiet">{one.last_active ? moment(one.last_active) : "–"}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )}
        </Shown>
      </Part>
    </>
  );
}

function RoleSelect({
  label,
  value: now,
  choose,
  roles = ROLES,
}: {
  label: string;
  value: number;
  choose: (role: Schemas["Role"]) => void;
  roles?: readonly (typeof ROLES)[number][];
}) {
  return (
    <select
      class="input setting-small"
      disabled={readOnly.value}
      aria-label={label}
      value={String(now)}
      onChange={(event) => choose(Number(event.currentTarget.value) as Schemas["Role"])}
    >
      {roles.map(([role, name]) => (
        <option key={role} value={String(role)}>
          {t(name)}
        </option>
      ))}
    </select>
  );
}

function Invites() {
  const read = useRead(() => ok(api.GET("/api/v1/workspace/invites/", {})), []);
  const [email, setEmail] = useKept("invite.email");
  const [role, setRole] = useState<Schemas["Role"]>(100);
  const act = useAction(async (work: () => Promise<unknown>, done?: string) => {
    await work();
    if (done) toast(done);
    read.retry();
  });
  const send = async (event: Event) => {
    event.preventDefault();
    if (await act.run(() => ok(api.POST("/api/v1/workspace/invites/", { body: { email, role } })), t(words.inviteSent, { email })))
      setEmail("");
  };
  const wrong = act.error?.fields.email;
  return (
    <Part title={t(words.inviteTitle)} error={wrong ? null : act.error}>
      <form class="row wrap setting-invite" onSubmit={(event) => void send(event)}>
        <Field label={t(words.email)} wrong={wrong}>
          <input type="email" required value={email} onInput={(event) => setEmail(value(event))} />
        </Field>
        <Field label={t(words.role)}>
          <RoleSelect label={t(words.role)} value={role} choose={setRole} roles={given()} />
        </Field>
        <button type="submit" class="button primary" disabled={act.busy}>
          {t(words.invite)}
        </button>
      </form>
      <Shown read={read} lines={2}>
        {(list) =>
          list.results.length === 0 ? (
            <p class="quiet small">{t(words.noInvites)}</p>
          ) : (
            <ul class="setting-list">
              {list.results.map((one) => (
                <li key={one.id} class="row wrap">
                  <span class="grow">
                    <b>{one.email}</b>{" "}
                    <span class="small quiet">
                      {one.role} · {one.expires_at && t(words.until, { day: shortDay(dayOf(one.expires_at)) })}
                    </span>
                  </span>
                  <button
                    type="button"
                    class="button small"
                    disabled={act.busy}
                    onClick={() =>
                      void act.run(
                        () =>
                          ok(
                            api.POST("/api/v1/workspace/invites/{invite_id}/resend/", { params: { path: { invite_id: one.id } } } as never),
                          ),
                        t(words.inviteSent, { email: one.email }),
                      )
                    }
                  >
                    {t(words.resend)}
                  </button>
                  <button
                    type="button"
                    class="button small danger"
                    disabled={act.busy}
                    onClick={() =>
                      void act.run(() =>
                        ok(api.DELETE("/api/v1/workspace/invites/{invite_id}/", { params: { path: { invite_id: one.id } } })),
                      )
                    }
                  >
                    {t(calls.remove)}
                  </button>
                </li>
              ))}
            </ul>
          )
        }
      </Shown>
    </Part>
  );
}
