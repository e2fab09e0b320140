// Personal tokens: make one, see it once, revoke it. The server may ask for the password again.
import { useState } from "preact/hooks";
import { api, ok, type Schemas } from "../api/client";
import { useAction, useRead } from "../api/read";
import { ask } from "../app/dialog";
import { Failure, Shown } from "../app/failure";
import { Field, value } from "../app/field";
import { toast } from "../app/toast";
import { moment } from "../dates/format";
import { calls } from "../words/calls";
import { settings as words } from "../words/settings";
import { t } from "../words/words";
import { Part } from "./form";

const SCOPES = ["legacy:full", "mcp:read"] as const;

export function Tokens() {
  const read = useRead(() => ok(api.GET("/api/v1/me/api-tokens/", {})), []);
  const [made, setMade] = useState<Schemas["MintedApiToken"] | null>(null);
  const revoke = useAction(async (one: Schemas["MyApiToken"]) => {
    if (!(await ask(t(words.revoke), t(words.revokeAsk, { name: one.name }), t(words.revoke), true))) return;
    await ok(api.DELETE("/api/v1/me/api-tokens/{id}/", { params: { path: { id: one.id } } }));
    read.retry();
  });
  return (
    <Part title={t(words.tokens)}>
      {made && (
        <div class="token-new stack" role="status">
          <b>{t(words.tokenShown)}</b>
          <div class="row">
            <code class="grow clip">{made.token}</code>
            <button
              type="button"
              class="button small"
              onClick={() => void navigator.clipboard?.writeText(made.token).then(() => toast(t(words.copied)))}
            >
              {t(words.copy)}
            </button>
          </div>
        </div>
      )}
      <NewToken made={(token) => (setMade(token), read.retry())} />
      {revoke.error && <Failure error={revoke.error} />}
      <Shown read={read}>
        {(list) => {
          const open = list.results.filter((one) => !one.is_revoked);
          if (open.length === 0) return <p class="quiet">{t(words.noTokens)}</p>;
          return (
            <ul class="setting-list">
              {open.map((one) => (
                <li key={one.id} class="row wrap">
                  <span class="grow">
                    <b>{one.name}</b> <code class="small quiet">{one.token_prefix}…</code>
                    <br />
                    <span class="small quiet">
                      {one.scopes.map((scope) => t(words[scope])).join(", ")} ·{" "}
                      {one.last_used_at ? t(words.lastUsed, { when: moment(one.last_used_at) }) : t(words.never)}
                      {one.expires_at && ` · ${t(words.expires)} ${moment(one.expires_at)}`}
                    </span>
                  </span>
                  <button type="button" class="button small danger" disabled={revoke.busy} onClick={() => void revoke.run(one)}>
                    {t(words.revoke)}
                  </button>
                </li>
              ))}
            </ul>
          );
        }}
      </Shown>
    </Part>
  );
}

function NewToken({ made }: { made: (token: Schemas["MintedApiToken"]) => void }) {
  const [form, setForm] = useState({ name: "", scope: "legacy:full", expires: "", password: "" });
  const set = (name: keyof typeof form) => (event: Event) => setForm({ ...form, [name]: value(event) });
  const save = useAction(async () => {
    const body = {
      name: form.name,
      scopes: [form.scope as (typeof SCOPES)[number]],
      ...(form.expires ? { expires_at: `${form.expires}T23:59:59Z` } : {}),
      ...(form.password ? { current_password: form.password } : {}),
    };
    made(await ok(api.POST("/api/v1/me/api-tokens/", { body })));
    setForm({ name: "", scope: form.scope, expires: "", password: "" });
  });
  const wrong = save.error?.fields ?? {};
  const asksPassword = save.error?.code === "recent_sign_in_required" || form.password !== "" || Boolean(wrong.current_password);
  return (
    <form class="stack" onSubmit={(event) => (event.preventDefault(), void save.run())}>
      {save.error && save.error.status !== 400 && <Failure error={save.error} />}
      <div class="pair">
        <Field label={t(words.tokenName)} wrong={wrong.name ?? wrong.non_field_errors}>
          <input required maxLength={100} value={form.name} onInput={set("name")} />
        </Field>
        <Field label={t(words.scope)}>
          <select value={form.scope} onChange={set("scope")}>
            {SCOPES.map((one) => (
              <option key={one} value={one}>
                {t(words[one])}
              </option>
            ))}
          </select>
        </Field>
        <Field label={t(words.expires)} wrong={wrong.expires_at}>
          <input type="date" value={form.expires} onInput={set("expires")} />
        </Field>
        {asksPassword && (
          <Field label={t(words.oldPassword)} wrong={wrong.current_password}>
            <input type="password" autocomplete="current-password" value={form.password} onInput={set("password")} />
          </Field>
        )}
      </div>
      <div>
        <button type="submit" class="button primary" disabled={save.busy}>
          {t(calls.add)}
        </button>
      </div>
    </form>
  );
}
