// Settings of one person: profile, password and sessions.
import { useState } from "preact/hooks";
import { api, ok } from "../api/client";
import { useAction, useRead } from "../api/read";
import { Failure, Shown } from "../app/failure";
import { Field, value } from "../app/field";
import { toast } from "../app/toast";
import { moment } from "../dates/format";
import { calls } from "../words/calls";
import { settings as words } from "../words/settings";
import { t } from "../words/words";
import { deviceName } from "./device";
import { ChoiceSetting, Part, useSave, zones } from "./form";
import { SecondFactor } from "./second_factor";

const LANDINGS = ["auto", "my_work", "project_overview", "portfolio"] as const;
const FORMATS = ["auto", "iso", "us", "eu"] as const;

export function Profile() {
  const read = useRead(() => ok(api.GET("/api/v1/auth/me/profile/", {})), []);
  const { save, error } = useSave(async (body) => read.set(await ok(api.PATCH("/api/v1/auth/me/profile/", { body: body as never }))));
  return (
    <Part title={t(words.profile)} error={error}>
      <Shown read={read}>
        {(profile) => (
          <div class="pair">
            <ChoiceSetting
              label={t(words.landing)}
              name="default_landing"
              value={profile.default_landing}
              save={save}
              options={LANDINGS.map((one) => [one, t(words[one])])}
            />
            <ChoiceSetting
              label={t(words.timezone)}
              name="timezone"
              value={profile.timezone}
              save={save}
              options={[["auto", t(words.auto)], ...zones().map((zone): [string, string] => [zone, zone.replace(/_/g, " ")])]}
            />
            <ChoiceSetting
              label={t(words.dateFormat)}
              name="date_format"
              value={profile.date_format}
              save={save}
              options={FORMATS.map((one) => [one, t(words[one])])}
            />
          </div>
        )}
      </Shown>
    </Part>
  );
}

export function Security() {
  return (
    <>
      <Password />
      <SecondFactor />
      <Sessions />
    </>
  );
}

function Password() {
  const [form, setForm] = useState({ old_password: "", new_password: "" });
  const save = useAction(async () => {
    await ok(api.POST("/api/v1/auth/password/change/", { body: form }));
    setForm({ old_password: "", new_password: "" });
    toast(t(words.passwordDone));
  });
  const wrong = save.error?.fields ?? {};
  return (
    <Part title={t(words.password)} error={save.error?.status === 400 ? null : save.error}>
      <form class="stack" onSubmit={(event) => (event.preventDefault(), void save.run())}>
        <div class="pair">
          <Field label={t(words.oldPassword)} wrong={wrong.old_password}>
            <input
              type="password"
              required
              autocomplete="current-password"
              value={form.old_password}
              onInput={(event) => setForm({ ...form, old_password: value(event) })}
            />
          </Field>
          <Field label={t(words.newPassword)} wrong={wrong.new_password ?? wrong.non_field_errors}>
            <input
              type="password"
              required
              autocomplete="new-password"
              value={form.new_password}
              onInput={(event) => setForm({ ...form, new_password: value(event) })}
            />
          </Field>
        </div>
        <div>
          <button type="submit" class="button" disabled={save.busy}>
            {t(calls.save)}
          </button>
        </div>
      </form>
    </Part>
  );
}

function Sessions() {
  const read = useRead(() => ok(api.GET("/api/v1/me/sessions/", {})), []);
  const end = useAction(async (id: string) => {
    await ok(api.DELETE("/api/v1/me/sessions/{id}/", { params: { path: { id } } }));
    read.retry();
  });
  return (
    <Part title={t(words.sessions)}>
      {end.error && <Failure error={end.error} />}
      <Shown read={read}>
        {(list) => (
          <ul class="setting-list">
            {list.map((one) => (
              <li key={one.id} class="row">
                <span class="grow">
                  <b class="clip setting-agent" title={one.user_agent}>
                    {deviceName(one.user_agent)}
                  </b>
                  <span class="small quiet">
                    {one.source_ip} · {t(words.lastUsed, { when: moment(one.last_used_at) })}
                  </span>
                </span>
                {one.is_current ? (
                  <span class="chip good">{t(words.thisOne)}</span>
                ) : (
                  <button type="button" class="button small" disabled={end.busy} onClick={() => void end.run(one.id)}>
                    {t(words.end)}
                  </button>
                )}
              </li>
            ))}
          </ul>
        )}
      </Shown>
    </Part>
  );
}
