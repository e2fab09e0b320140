// The second factor of a person: an app, passkeys, recovery codes. Changes ask for a proof if the last one is long ago.
import { useEffect, useRef, useState } from "preact/hooks";
import { api, ok, type Schemas } from "../api/client";
import { addPasskey, canUsePasskeys } from "../api/passkeys";
import { useAction, useRead } from "../api/read";
import { ask } from "../app/dialog";
import { Shown } from "../app/failure";
import { Field, value } from "../app/field";
import { moment } from "../dates/format";
import { refuse, toast } from "../app/toast";
import { factor } from "../words/factor";
import { settings as words } from "../words/settings";
import { t } from "../words/words";
import { Part } from "./form";
import { Trouble } from "./proof";

type Factors = Schemas["SecondFactor"];
type Setup = Schemas["TotpSetup"];

/** `report` hears whether the person has a second factor. */
export function SecondFactor({ report }: { report?: (secured: boolean) => void }) {
  const read = useRead(() => ok(api.GET("/api/v1/me/second-factor/", {})), []);
  const since = read.data?.since;
  useEffect(() => report?.(Boolean(since)), [since]);
  const [codes, setCodes] = useState<string[]>([]);
  const changed = (fresh?: string[]) => {
    if (fresh?.length) setCodes(fresh);
    read.retry();
  };
  return (
    <Part title={t(factor.title)} text={t(factor.text)}>
      {codes.length > 0 && <Codes codes={codes} />}
      <Shown read={read}>
        {(mine) => (
          <>
            {mine.is_required && !mine.since && !report && (
              <p role="status">
                <b>{t(factor.required)}</b>
              </p>
            )}
            <App mine={mine} changed={changed} />
            <Passkeys mine={mine} changed={changed} />
            {mine.since && <Recovery mine={mine} changed={changed} />}
          </>
        )}
      </Shown>
    </Part>
  );
}

interface Props {
  mine: Factors;
  changed: (codes?: string[]) => void;
}

/** The codes come into view and get the focus: they are shown only now. */
function Codes({ codes }: { codes: string[] }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    box.current?.focus();
    box.current?.scrollIntoView({ block: "center" });
  }, [codes]);
  const copy = () =>
    void (navigator.clipboard?.writeText(codes.join("\n")) ?? Promise.reject()).then(
      () => toast(t(words.copied)),
      () => refuse(t(factor.noCopy)),
    );
  return (
    <div ref={box} class="token-new stack" role="group" aria-label={t(factor.keep)} tabIndex={-1}>
      <b>{t(factor.keep)}</b>
      <ul class="factor-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div>
        <button type="button" class="button small" onClick={copy}>
          {t(words.copy)}
        </button>
      </div>
    </div>
  );
}

function App({ mine, changed }: Props) {
  const [setup, setSetup] = useState<Setup | null>(null);
  const begin = useAction(async () => setSetup(await ok(api.POST("/api/v1/me/second-factor/totp/", {}))));
  const remove = useAction(async () => {
    await ok(api.DELETE("/api/v1/me/second-factor/totp/", {}));
    changed();
  });
  const sure = async () => (await ask(t(factor.remove), t(factor.app), t(factor.remove), true)) && remove.run();
  const finished = (codes: string[]) => {
    setSetup(null);
    changed(codes);
  };
  return (
    <>
      <div class="row wrap">
        <span class="grow">
          <b>{t(factor.app)}</b>
          {mine.totp_since && <span class="small quiet"> {t(factor.appOn, { when: moment(mine.totp_since) })}</span>}
        </span>
        {mine.totp_since ? (
          <button type="button" class="button small danger" disabled={remove.busy} onClick={() => void sure()}>
            {t(factor.remove)}
          </button>
        ) : (
          !setup && (
            <button type="button" class="button small" disabled={begin.busy} onClick={() => void begin.run()}>
              {t(factor.setUp)}
            </button>
          )
        )}
      </div>
      <Trouble error={begin.error} again={() => void begin.run()} />
      <Trouble error={remove.error} again={() => void remove.run()} />
      {setup && <Scan setup={setup} done={finished} />}
    </>
  );
}

function Scan({ setup, done }: { setup: Setup; done: (codes: string[]) => void }) {
  const [code, setCode] = useState("");
  const field = useRef<HTMLInputElement>(null);
  // The button that was pressed is gone.
  useEffect(() => field.current?.focus(), []);
  const save = useAction(async () => {
    const answer = await ok(api.POST("/api/v1/me/second-factor/totp/confirm/", { body: { code } }));
    done(answer.recovery_codes);
  });
  const wrong = Boolean(save.error?.fields.code);
  return (
    <form class="stack" onSubmit={(event) => (event.preventDefault(), void save.run())}>
      <p>{t(factor.scan)}</p>
      <img width="200" height="200" alt={t(factor.picture)} src={`data:image/svg+xml;base64,${btoa(setup.qr_svg)}`} />
      <p class="small quiet">{t(factor.byHand, { secret: setup.secret })}</p>
      <Trouble error={save.error} again={() => void save.run()} fields={["code"]} />
      <Field label={t(factor.code)} wrong={wrong ? t(factor.notCurrent) : undefined}>
        <input
          ref={field}
          aria-invalid={wrong}
          required
          inputMode="numeric"
          autocomplete="one-time-code"
          maxLength={64}
          value={code}
          onInput={(event) => setCode(value(event))}
        />
      </Field>
      <div>
        <button type="submit" class="button primary" disabled={save.busy}>
          {t(factor.go)}
        </button>
      </div>
    </form>
  );
}

function Passkeys({ mine, changed }: Props) {
  const [name, setName] = useState("");
  const add = useAction(async () => {
    const codes = await addPasskey(name);
    setName("");
    changed(codes);
  });
  const [last, setLast] = useState<Schemas["Passkey"] | null>(null);
  const remove = useAction(async (one: Schemas["Passkey"]) => {
    setLast(one);
    await ok(api.DELETE("/api/v1/me/second-factor/passkeys/{id}/", { params: { path: { id: one.id } } }));
    changed();
  });
  const sure = async (one: Schemas["Passkey"]) => (await ask(t(factor.remove), one.name, t(factor.remove), true)) && remove.run(one);
  return (
    <>
      <b>{t(factor.passkeys)}</b>
      {mine.passkeys.length > 0 && (
        <ul class="setting-list">
          {mine.passkeys.map((one) => (
            <li key={one.id} class="row wrap">
              <span class="grow">
                <b>{one.name}</b> <span class="small quiet">{moment(one.last_used_at ?? one.created_at)}</span>
              </span>
              <button type="button" class="button small danger" disabled={remove.busy} onClick={() => void sure(one)}>
                {t(factor.remove)}
              </button>
            </li>
          ))}
        </ul>
      )}
      <Trouble error={remove.error} again={() => last && void remove.run(last)} />
      {!mine.passkeys_available && <p class="quiet small">{t(factor.noPasskeys)}</p>}
      {mine.passkeys_available && canUsePasskeys() && (
        <form class="row wrap setting-invite" onSubmit={(event) => (event.preventDefault(), void add.run())}>
          <Field label={t(factor.passkeyName)} wrong={add.error?.fields.name ?? add.error?.fields.credential}>
            <input required maxLength={80} value={name} onInput={(event) => setName(value(event))} />
          </Field>
          <button type="submit" class="button" disabled={add.busy}>
            {t(factor.addPasskey)}
          </button>
        </form>
      )}
      <Trouble error={add.error} again={() => void add.run()} fields={["name", "credential"]} />
    </>
  );
}

function Recovery({ mine, changed }: Props) {
  const renew = useAction(async () => changed((await ok(api.POST("/api/v1/me/second-factor/recovery-codes/", {}))).recovery_codes));
  return (
    <>
      <div class="row wrap">
        <span class="grow quiet">{t(factor.left, { n: mine.recovery_codes_left })}</span>
        <button type="button" class="button small" disabled={renew.busy} onClick={() => void renew.run()}>
          {t(factor.newCodes)}
        </button>
      </div>
      <Trouble error={renew.error} again={() => void renew.run()} />
    </>
  );
}
