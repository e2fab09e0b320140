// Providers of single sign-on: add one, register planwright there, save what it gives, try it, switch it on.
import { useState } from "preact/hooks";
import { api, ok, type Schemas } from "../api/client";
import { asCallError } from "../api/errors";
import { useAction, useRead } from "../api/read";
import { ask } from "../app/dialog";
import { Shown } from "../app/failure";
import { Field, value } from "../app/field";
import { admin as words } from "../words/admin";
import { calls } from "../words/calls";
import { t } from "../words/words";
import { Part, SwitchSetting, TextSetting, useSave } from "./form";

type Provider = Schemas["SsoProviderRead"];
const KINDS = ["generic", "keycloak", "authentik", "zitadel", "gitlab", "google", "entra", "okta", "auth0", "github"] as const;

export function SingleSignOn() {
  const read = useRead(() => ok(api.GET("/api/v1/workspace/sso/providers/", {})), []);
  return (
    <>
      <Part title={t(words.sso)} text={t(words.ssoText)}>
        <Shown read={read}>{(list) => (list.length === 0 ? <p class="quiet">{t(words.noProviders)}</p> : null)}</Shown>
        <NewProvider made={read.retry} />
      </Part>
      {(read.data ?? []).map((one) => (
        <ProviderPart key={one.slug} provider={one} changed={read.retry} />
      ))}
    </>
  );
}

function NewProvider({ made }: { made: () => void }) {
  const [form, setForm] = useState({ slug: "", server_url: "" });
  const save = useAction(async () => {
    await ok(
      api.POST("/api/v1/workspace/sso/providers/", {
        body: { slug: form.slug.trim(), ...(form.server_url ? { server_url: form.server_url.trim() } : {}) },
      }),
    );
    setForm({ slug: "", server_url: "" });
    made();
  });
  const wrong = save.error?.fields ?? {};
  return (
    <form class="stack" onSubmit={(event) => (event.preventDefault(), void save.run())}>
      <div class="pair">
        <Field
          label={t(words.slug)}
          wrong={wrong.slug ?? wrong.non_field_errors ?? (save.error && !Object.keys(wrong).length ? save.error.message : undefined)}
        >
          <input
            required
            list="sso-kinds"
            autocomplete="off"
            value={form.slug}
            onInput={(event) => setForm({ ...form, slug: value(event) })}
          />
        </Field>
        <Field label={t(words.serverUrl)} wrong={wrong.server_url}>
          <input value={form.server_url} onInput={(event) => setForm({ ...form, server_url: value(event) })} />
        </Field>
      </div>
      <datalist id="sso-kinds">
        {KINDS.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
      <div>
        <button type="submit" class="button primary" disabled={save.busy}>
          {t(words.addProvider)}
        </button>
      </div>
    </form>
  );
}

function ProviderPart({ provider, changed }: { provider: Provider; changed: () => void }) {
  const path = { slug: provider.slug };
  const { save, error } = useSave(
    (body) => ok(api.PUT("/api/v1/workspace/sso/providers/{slug}/", { params: { path }, body: body as never })),
    changed,
  );
  const [tried, setTried] = useState<Schemas["SsoTestConnectionResponse"] | null>(null);
  const test = useAction(async () =>
    setTried(await ok(api.POST("/api/v1/workspace/sso/providers/{slug}/test-connection/", { params: { path }, body: {} } as never))),
  );
  const remove = useAction(async () => {
    if (!(await ask(t(calls.remove), provider.display_name || provider.slug, t(calls.remove), true))) return;
    const call = (confirmed: boolean) =>
      ok(
        api.DELETE("/api/v1/workspace/sso/providers/{slug}/", {
          params: { path, query: confirmed ? { confirm_lockout: true } : {} } as never,
        }),
      );
    try {
      await call(false);
    } catch (thrown) {
      const refused = asCallError(thrown);
      if (refused.code !== "sso_removal_locks_out_members") throw thrown;
      if (!(await ask(t(calls.remove), t(words.lockout, { n: provider.locked_out_account_count }), t(calls.remove), true))) return;
      await call(true);
    }
    changed();
  });
  const wrong = error?.fields ?? {};
  const failed = test.error ?? remove.error ?? (error && Object.keys(wrong).length === 0 ? error : null);
  const domains = (body: Record<string, unknown>) =>
    save({
      allowed_email_domains: String(body.allowed_email_domains)
        .split(/[\s,]+/)
        .filter(Boolean),
    });
  return (
    <Part title={provider.display_name || provider.slug} error={failed}>
      <p class="small">
        {t(words.redirect)}: <code class="setting-code">{provider.redirect_uri}</code>
      </p>
      <div class="pair">
        <TextSetting label={t(words.shownName)} name="display_name" value={provider.display_name} save={save} wrong={wrong.display_name} />
        <TextSetting label={t(words.serverUrl)} name="server_url" value={provider.server_url ?? ""} save={save} wrong={wrong.server_url} />
        <TextSetting label={t(words.clientId)} name="client_id" value={provider.client_id} save={save} wrong={wrong.client_id} />
        <Secret set={provider.secret_set} save={save} wrong={wrong.client_secret} />
        <TextSetting
          label={t(words.domains)}
          name="allowed_email_domains"
          value={(provider.allowed_email_domains ?? []).join(", ")}
          save={domains}
          wrong={Object.entries(wrong).find(([name]) => name.startsWith("allowed_email_domains"))?.[1]}
        />
      </div>
      <SwitchSetting label={t(words.autoCreate)} name="auto_create_members" value={provider.auto_create_members} save={save} />
      <SwitchSetting label={t(words.enabled)} name="enabled" value={provider.enabled} save={save} />
      {tried && (
        <p class={tried.ok ? "chip good" : "is-bad"} role="status">
          {tried.ok ? t(words.works, { issuer: tried.issuer ?? "" }) : t(words.fails, { reason: tried.detail ?? tried.error ?? "" })}
        </p>
      )}
      <div class="row wrap">
        <button type="button" class="button small" disabled={test.busy} onClick={() => void test.run()}>
          {t(words.tryIt)}
        </button>
        <span class="small quiet grow">{t(words.linked, { n: provider.linked_account_count })}</span>
        <button type="button" class="button small danger" disabled={remove.busy} onClick={() => void remove.run()}>
          {t(calls.remove)}
        </button>
      </div>
    </Part>
  );
}

/** The secret is never shown again; what is typed is sent once and taken out of the page. */
function Secret({
  set,
  save,
  wrong,
}: {
  set: boolean;
  save: (body: Record<string, unknown>) => Promise<boolean>;
  wrong?: string | undefined;
}) {
  const [text, setText] = useState("");
  const keep = async () => {
    if (text && (await save({ client_secret: text }))) setText("");
  };
  return (
    <Field label={t(words.clientSecret)} wrong={wrong}>
      <input
        type="password"
        autocomplete="off"
        placeholder={set ? t(words.secretSet) : ""}
        value={text}
        onInput={(event) => setText(value(event))}
        onChange={() => void keep()}
      />
    </Field>
  );
}
