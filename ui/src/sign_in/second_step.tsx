// The second step of a sign-in: a code of an app, a recovery code, or a passkey.
import { useState } from "preact/hooks";
import { api, ok } from "../api/client";
import { enter } from "../api/me";
import { canUsePasskeys, signInWithPasskey } from "../api/passkeys";
import { useAction } from "../api/read";
import { Failure } from "../app/failure";
import { Field, value } from "../app/field";
import { factor } from "../words/factor";
import { signIn } from "../words/shell";
import { t } from "../words/words";

export interface Step {
  /** Blank after a sign-in with a provider: a cookie has it then. */
  challenge: string;
  methods: string[];
  remember: boolean;
}

export function SecondStep({ step, back }: { step: Step; back: () => void }) {
  const [code, setCode] = useState("");
  const action = useAction(() =>
    enter(ok(api.POST("/api/v1/auth/token/second-factor/", { body: { ...(step.challenge ? { challenge: step.challenge } : {}), code } }))),
  );
  const wrong = action.error?.code === "second_factor_refused";
  const ended = action.error?.code === "challenge_ended";
  return (
    <form class="card stack" onSubmit={(event) => (event.preventDefault(), void action.run())}>
      <h1>{t(factor.step)}</h1>
      <p class="quiet">{t(ended ? factor.ended : factor.stepText)}</p>
      {action.error && !wrong && !ended && <Failure error={action.error} retry={() => void action.run()} />}
      {!ended && (
        <>
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
          <button type="submit" class="button primary" disabled={action.busy}>
            {t(factor.go)}
          </button>
        </>
      )}
      {step.methods.includes("passkey") && <PasskeyButton remember={step.remember} />}
      <button type="button" class="button plain" onClick={back}>
        {t(signIn.back)}
      </button>
    </form>
  );
}

/** Signs in with a passkey alone; nothing where the browser has none. */
export function PasskeyButton({ remember }: { remember: boolean }) {
  const action = useAction(() => signInWithPasskey(remember));
  if (!canUsePasskeys()) return null;
  const cancelled = action.error?.status === 0;
  return (
    <>
      {action.error && !cancelled && <Failure error={action.error} />}
      <button type="button" class="button" disabled={action.busy} onClick={() => void action.run()}>
        {t(factor.withPasskey)}
      </button>
    </>
  );
}
