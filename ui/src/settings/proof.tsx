// Proving again who one is, where the server asks for it before a dangerous act.
import { useState } from "preact/hooks";
import { api, ok } from "../api/client";
import type { CallError } from "../api/errors";
import { canUsePasskeys, confirmWithPasskey } from "../api/passkeys";
import { useAction } from "../api/read";
import { Failure } from "../app/failure";
import { Field, value } from "../app/field";
import { factor } from "../words/factor";
import { t } from "../words/words";

/** How an action failed; if the server wants a proof first, the way to give one. What is wrong in one of `fields` is said there. */
export function Trouble({ error, again, fields = [] }: { error: CallError | null; again: () => void; fields?: string[] }) {
  if (!error || fields.some((name) => error.fields[name])) return null;
  if (error.code === "recent_sign_in_required") return <Proof done={again} />;
  return error.status === 0 ? (
    <p class="wrong" role="alert">
      {t(factor.failed)}
    </p>
  ) : (
    <Failure error={error} />
  );
}

function Proof({ done }: { done: () => void }) {
  const [text, setText] = useState("");
  const typed = useAction(async () => {
    const isCode = /^\d{6}$/.test(text.trim());
    await ok(api.POST("/api/v1/auth/confirm/", { body: isCode ? { code: text.trim() } : { current_password: text } }));
    done();
  });
  const passkey = useAction(async () => {
    await confirmWithPasskey();
    done();
  });
  const refused = typed.error?.fields.non_field_errors;
  return (
    <form class="stack" onSubmit={(event) => (event.preventDefault(), void typed.run())}>
      <b>{t(factor.confirm)}</b>
      {typed.error && !refused && <Failure error={typed.error} />}
      <Field label={t(factor.proof)} wrong={refused}>
        <input type="password" autofocus required autocomplete="current-password" value={text} onInput={(event) => setText(value(event))} />
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
