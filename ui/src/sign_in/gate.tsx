// The gate of a workspace that wants a second factor: it is set up or shown here, and the page behind goes on where it was.
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { api, ok } from "../api/client";
import { gate, leftAt } from "../api/gate";
import { me, signOut } from "../api/me";
import { canUsePasskeys, confirmWithPasskey } from "../api/passkeys";
import { useAction } from "../api/read";
import { Banner } from "../app/banner";
import { Questions } from "../app/dialog";
import { Failure } from "../app/failure";
import { Field, value } from "../app/field";
import { SecondFactor } from "../settings/second_factor";
import "../settings/settings.css";
import { factor } from "../words/factor";
import { shell } from "../words/shell";
import { t } from "../words/words";

const open = () => {
  gate.value = "open";
};

export default function Gate() {
  const box = useRef<HTMLDivElement>(null);
  // What had the focus, perhaps a field of a dialog, gets it again: its text has stayed.
  useLayoutEffect(() => {
    const before = leftAt();
    (box.current?.querySelector<HTMLElement>("input") ?? box.current)?.focus();
    return () => setTimeout(() => before?.focus?.());
  }, []);
  return (
    <div ref={box} class="gate" role="dialog" aria-modal="true" aria-label={t(factor.gate)} tabIndex={-1}>
      <Banner />
      <div class="gate-in stack">
        <h1>{t(factor.gate)}</h1>
        {gate.value === "set_up" ? <SetUp /> : <Show />}
        <div class="row wrap">
          <span class="grow quiet small">{me.value?.display_name || me.value?.username}</span>
          <button type="button" class="button plain" onClick={() => void signOut()}>
            {t(shell.signOut)}
          </button>
        </div>
      </div>
      <Questions />
    </div>
  );
}

function SetUp() {
  const [secured, setSecured] = useState(false);
  return (
    <>
      <p class="quiet">{t(factor.gateSetUp)}</p>
      <SecondFactor report={setSecured} />
      {secured && (
        <div>
          <button type="button" class="button primary" onClick={open}>
            {t(factor.gateOn)}
          </button>
        </div>
      )}
    </>
  );
}

function Show() {
  const [code, setCode] = useState("");
  const typed = useAction(async () => {
    await ok(api.POST("/api/v1/auth/confirm/", { body: { code } }));
    open();
  });
  const passkey = useAction(async () => {
    await confirmWithPasskey();
    open();
  });
  const wrong = typed.error?.status === 400;
  return (
    <form class="card stack" onSubmit={(event) => (event.preventDefault(), void typed.run())}>
      <p class="quiet">{t(factor.gateShow)}</p>
      {typed.error && !wrong && <Failure error={typed.error} />}
      {passkey.error && passkey.error.status !== 0 && <Failure error={passkey.error} />}
      <Field label={t(factor.code)} wrong={wrong ? t(factor.wrong) : undefined}>
        <input
          name="code"
          autocomplete="one-time-code"
          autofocus
          required
          maxLength={64}
          aria-invalid={wrong}
          value={code}
          onInput={(event) => setCode(value(event))}
        />
      </Field>
      <div class="row wrap">
        <button type="submit" class="button primary" disabled={typed.busy}>
          {t(factor.go)}
        </button>
        {canUsePasskeys() && (
          <button type="button" class="button" disabled={passkey.busy} onClick={() => void passkey.run()}>
            {t(factor.usePasskey)}
          </button>
        )}
      </div>
    </form>
  );
}
