// An address that no page has: it says so and shows ways on.
import { sessionState } from "../api/session";
import { calls } from "../words/calls";
import { shell, signIn } from "../words/shell";
import { t } from "../words/words";
import { openPalette } from "./palette_state";
import { place } from "./router";
import { useTitle } from "./title";

export function Lost() {
  useTitle(t(calls.lost));
  const inside = sessionState.value === "in";
  return (
    <div class="sign">
      <section class="card stack sign-box lost">
        <img class="mark" src="/favicon.svg" alt="" width="40" height="40" />
        <h1>{t(calls.lost)}</h1>
        <p class="quiet">{t(calls.lostText, { address: place.value.path })}</p>
        <a class="button primary" href="/">
          {t(inside ? shell.home : signIn.go)}
        </a>
        {inside && (
          <a class="button" href="/my-work">
            {t(shell.myWork)}
          </a>
        )}
        {inside && (
          <button type="button" class="button" onClick={openPalette}>
            {t(shell.search)}
          </button>
        )}
      </section>
    </div>
  );
}
