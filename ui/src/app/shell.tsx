// The frame of every page after sign-in: rail, banner, page, status bar, palette, dialogs.
import { useEffect } from "preact/hooks";
import { lazy } from "./lazy";
import { ended } from "../api/session";
import { lostSince, trouble, writing } from "../api/connection";
import { slow } from "../api/live";
import { gate } from "../api/gate";
import { calls } from "../words/calls";
import { shell } from "../words/shell";
import { t } from "../words/words";
import { Banner } from "./banner";
import { Questions } from "./dialog";
import { Page } from "./page";
import { closePalette, openings, paletteOpen } from "./palette_state";
import { Rail } from "./rail";
import { footText } from "./status";
import { refuse } from "./toast";

const Palette = lazy(() =>
  import("../search/palette").catch((error: unknown) => {
    closePalette();
    refuse(t(calls.notLoaded));
    throw error;
  }),
);

export function Shell() {
  useEffect(() => closePalette, []);
  return (
    <div class={ended.value ? "shell is-away" : "shell"} inert={gate.value !== "open" || ended.value !== null}>
      {/* biome-ignore lint/a11y/useValidAnchor: it leads to a place of this page, and the address stays */}
      <a class="skip button" href="#content" onClick={(event) => (event.preventDefault(), document.getElementById("content")?.focus())}>
        {t(shell.skip)}
      </a>
      <Rail />
      <main class="shell-main" id="content" tabIndex={-1}>
        <Banner />
        <div class="shell-content">
          <Page />
        </div>
      </main>
      <Foot />
      {paletteOpen.value && <Palette key={openings.value} />}
      {gate.value === "open" && <Questions />}
    </div>
  );
}

function Foot() {
  const lost = trouble.value !== "none";
  const word = lost ? calls.reconnecting : writing.value > 0 ? calls.saving : slow.value ? calls.everyMinute : calls.online;
  return (
    <footer class="foot">
      <span>
        <span class={lostSince.value !== null && lost ? "dot off" : "dot"} />
        {t(word)}
      </span>
      <span class="grow clip">{footText.value}</span>
    </footer>
  );
}
