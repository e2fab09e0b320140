// The sign-in page: password, providers of identities, and the way to a new password.
import { useEffect, useRef, useState } from "preact/hooks";
import { api, ok } from "../api/client";
import { CallError } from "../api/errors";
import { me, signIn as enter } from "../api/me";
import { useAction, useRead } from "../api/read";
import { ended } from "../api/session";
import { Banner } from "../app/banner";
import { Failure } from "../app/failure";
import { Field, value } from "../app/field";
import { useTitle } from "../app/title";
import { calls } from "../words/calls";
import { signIn } from "../words/shell";
import { t } from "../words/words";
import { PasskeyButton, SecondStep, type Step } from "./second_step";

/** A sign-in with a provider that waits for its second step comes back to this address. */
const waits = () => new URLSearchParams(location.search).has("second_factor");

export function SignIn() {
  useComeBack();
  useTitle(t(signIn.go));
  const [forgotten, setForgotten] = useState(false);
  const [step, setStep] = useState<Step | null>(waits() ? { challenge: "", methods: ["passkey"], remember: false } : null);
  return (
    <div class={ended.value === "elsewhere" ? "sign is-over" : "sign"}>
      <Banner />
      {step ? (
        <SecondStep step={step} back={() => setStep(null)} />
      ) : forgotten ? (
        <Reset back={() => setForgotten(false)} />
      ) : (
        <Enter forgot={() => setForgotten(true)} next={setStep} />
      )}
    </div>
  );
}

/** The page that waits behind gets its title and its focus back. */
function useComeBack(): void {
  const focus = useRef(ended.peek() ? document.activeElement : null);
  useEffect(() => {
    const before = document.title;
    return () => {
      document.title = before;
      requestAnimationFrame(() => (focus.current as HTMLElement | null)?.focus?.());
    };
  }, []);
}

/** Why the sign-in page is here, if the person did not sign out in this tab. */
function Why() {
  if (!ended.value) return null;
  return (
    <p class="why" role="status">
      {t(ended.value === "tab" ? signIn.endedTab : signIn.ended)}
    </p>
  );
}

function Enter({ forgot, next }: { forgot: () => void; next: (step: Step) => void }) {
  const form = useRef<HTMLFormElement>(null);
  const [name, setName] = useState((ended.peek() && me.peek()?.username) || "");
  const [password, setPassword] = useState("");
  const [remember, setRemember] = useState(false);
  const [shown, setShown] = useState(false);
  const action = useAction(() =>
    enter(name.trim(), password, remember).catch((error: unknown) => {
      if (!(error instanceof CallError) || error.code !== "second_factor_required") throw error;
      next({ challenge: String(error.body.challenge), methods: error.body.methods as string[], remember });
    }),
  );
  useEffect(() => {
    if (ended.peek()) form.current?.querySelector<HTMLInputElement>(name ? "[name=password]" : "[name=username]")?.focus();
  }, []);
  const wrong = action.error?.status === 401 || action.error?.status === 400;
  const submit = (event: Event) => {
    event.preventDefault();
    void action.run();
  };
  return (
    <form ref={form} class="card stack" onSubmit={submit}>
      <img class="mark" src="/favicon.svg" alt="" width="40" height="40" />
      <h1>{t(signIn.title)}</h1>
      <Why />
      {action.error && !wrong && <Failure error={action.error} retry={() => void action.run()} />}
      <Field label={t(signIn.user)}>
        <input name="username" autocomplete="username" autofocus required value={name} onInput={(event) => setName(value(event))} />
      </Field>
      <Field label={t(signIn.password)} wrong={wrong ? t(signIn.wrong) : undefined}>
        <input
          name="password"
          type={(shown ? "text" : "password") as "password"}
          autocomplete="current-password"
          required
          aria-invalid={wrong}
          value={password}
          onInput={(event) => setPassword(value(event))}
        />
      </Field>
      <label class="check">
        <input type="checkbox" checked={shown} onChange={() => setShown(!shown)} /> {t(signIn.show)}
      </label>
      <label class="check">
        <input type="checkbox" checked={remember} onChange={() => setRemember(!remember)} /> {t(signIn.remember)}
      </label>
      <button type="submit" class="button primary" disabled={action.busy}>
        {t(signIn.go)}
      </button>
      <button type="button" class="button plain" onClick={forgot}>
        {t(signIn.forgot)}
      </button>
      <PasskeyButton remember={remember} />
      <Providers />
    </form>
  );
}

/** Buttons of the providers that this installation knows; nothing if there are none or the list cannot be read. */
function Providers() {
  const read = useRead(() => ok(api.GET("/api/v1/auth/oidc/discover/", {})), []);
  const found = read.data?.providers ?? [];
  if (!found.length) return null;
  return (
    <>
      <div class="or">{t(signIn.or)}</div>
      {found.map((one) => (
        <a key={one.slug} class="button" href={`/api/v1/auth/oidc/login/?provider=${encodeURIComponent(one.slug)}`}>
          {t(signIn.with, { name: one.display_name })}
        </a>
      ))}
    </>
  );
}

function Reset({ back }: { back: () => void }) {
  const [email, setEmail] = useState("");
  const [sent, setSent] = useState(false);
  const action = useAction(async () => {
    await ok(api.POST("/api/v1/auth/password/reset/", { body: { email: email.trim() } }));
    setSent(true);
  });
  const submit = (event: Event) => {
    event.preventDefault();
    void action.run();
  };
  return (
    <form class="card stack" onSubmit={submit}>
      <h1>{t(signIn.resetTitle)}</h1>
      <p class="quiet">{t(sent ? signIn.sent : signIn.resetText)}</p>
      {action.error && <Failure error={action.error} retry={() => void action.run()} />}
      {!sent && (
        <>
          <Field label={t(signIn.email)}>
            <input type="email" autocomplete="email" autofocus required value={email} onInput={(event) => setEmail(value(event))} />
          </Field>
          <button type="submit" class="button primary" disabled={action.busy}>
            {t(action.running ? calls.saving : signIn.send)}
          </button>
        </>
      )}
      <button type="button" class="button plain" onClick={back}>
        {t(signIn.back)}
      </button>
    </form>
  );
}
