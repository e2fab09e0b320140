// The rail at the left, tabs below on a phone: main pages, search, and the account.
import { hasTexts } from "../api/kept";
import { me, signOut } from "../api/me";
import { unread } from "../notifications/unread";
import { calls } from "../words/calls";
import { shell } from "../words/shell";
import { chooseLanguage, language, languages, type Message, t } from "../words/words";
import { ask } from "./dialog";
import { Icon, type IconName } from "./icons";
import { MenuButton } from "./menu";
import { openPalette } from "./palette_state";
import { go, place } from "./router";
import { density, type Density, theme, type Theme } from "./theme";

const LINKS: [to: string, icon: IconName, name: Message][] = [
  ["/", "home", shell.home],
  ["/my-work", "work", shell.myWork],
  ["/notifications", "bell", shell.notifications],
];

export function Rail() {
  const at = place.value.path;
  return (
    <nav class="rail" aria-label={t(shell.main)}>
      <img class="mark" src="/favicon.svg" alt="planwright" width="32" height="32" />
      {LINKS.map(([to, icon, name]) => (
        <a key={to} href={to} title={t(name)} aria-label={t(name)} aria-current={at === to ? "page" : undefined}>
          <Icon name={icon} size={18} />
          <span class="tab-name">{t(name)}</span>
          {icon === "bell" && unread.value > 0 && <span class="dot">{Math.min(99, unread.value)}</span>}
        </a>
      ))}
      <button type="button" title={`${t(shell.search)} (Ctrl+K)`} aria-label={t(shell.search)} onClick={openPalette}>
        <Icon name="search" size={18} />
        <span class="tab-name">{t(shell.searchShort)}</span>
      </button>
      <span class="space" />
      <AccountMenu />
    </nav>
  );
}

const THEMES: [Theme, Message][] = [
  ["system", shell.system],
  ["light", shell.light],
  ["dark", shell.dark],
];
const DENSITIES: [Density, Message][] = [
  ["compact", shell.compact],
  ["normal", shell.normal],
  ["roomy", shell.roomy],
];

function AccountMenu() {
  const person = me.value;
  return (
    <MenuButton
      label={`${person?.initials ?? ""} ${t(shell.account)}`.trim()}
      class="icon"
      text={
        <span class="face" aria-hidden="true">
          {person?.initials || "·"}
        </span>
      }
    >
      {(close) => (
        <>
          <h3>{person?.display_name || person?.username}</h3>
          <button type="button" onClick={() => (close(), go("/settings"))}>
            <Icon name="gear" /> {t(shell.settings)}
          </button>
          <hr />
          <h3>{t(shell.theme)}</h3>
          {THEMES.map(([code, name]) => (
            <Choice key={code} chosen={theme.value === code} text={t(name)} choose={() => (theme.value = code)} />
          ))}
          <h3>{t(shell.density)}</h3>
          {DENSITIES.map(([code, name]) => (
            <Choice key={code} chosen={density.value === code} text={t(name)} choose={() => (density.value = code)} />
          ))}
          <h3>{t(shell.language)}</h3>
          {languages().map(({ code, name }) => (
            <Choice key={code} chosen={language.value === code} text={name} choose={() => chooseLanguage(code)} />
          ))}
          <hr />
          <button type="button" onClick={() => void leave()}>
            <Icon name="out" /> {t(shell.signOut)}
          </button>
        </>
      )}
    </MenuButton>
  );
}

function Choice({ chosen, text, choose }: { chosen: boolean; text: string; choose: () => void }) {
  return (
    <button type="button" aria-pressed={chosen} onClick={choose}>
      <span class="choice-mark">{chosen && <Icon name="check" />}</span> {text}
    </button>
  );
}

/** Texts that are not saved go with the person, so this asks before it signs out. */
async function leave(): Promise<void> {
  if (!hasTexts() || (await ask(t(shell.signOut), t(calls.outText), t(shell.signOut), true))) await signOut();
}
