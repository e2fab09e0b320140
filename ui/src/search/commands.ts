// The commands that are there on every page, and those of the project that is open.
import { signOut } from "../api/me";
import type { IconName } from "../app/icons";
import { go, match, place } from "../app/router";
import { theme } from "../app/theme";
import { tabsOf } from "../projects/tabs";
import { home, shell } from "../words/shell";
import { palette } from "../words/palette";
import { templates } from "../words/templates";
import { chooseLanguage, languages, type Message, t } from "../words/words";

export interface Item {
  id: string;
  icon: IconName;
  name: string;
  note?: string | undefined;
  keys?: string | undefined;
  run: () => void;
}

const PAGES: [to: string, icon: IconName, name: Message][] = [
  ["/", "home", shell.home],
  ["/my-work", "work", shell.myWork],
  ["/notifications", "bell", shell.notifications],
  ["/import", "upload", home.importFile],
  ["/templates", "template", templates.title],
  ["/settings", "gear", shell.settings],
];

export function commands(): Item[] {
  const here = match("/projects/:id/:page", place.value.path);
  const link = (to: string, icon: IconName, name: Message): Item => ({ id: `go ${to}`, icon, name: t(palette.goTo, { page: t(name) }), run: () => go(to) });
  return [
    ...(here ? tabsOf(null).map(([page, icon, name]) => link(`/projects/${here.id}/${page}`, icon, name)) : []),
    ...PAGES.map(([to, icon, name]) => link(to, icon, name)),
    { id: "light", icon: "info", name: t(palette.light), run: () => (theme.value = "light") },
    { id: "dark", icon: "info", name: t(palette.dark), run: () => (theme.value = "dark") },
    ...languages().map(({ code, name }): Item => ({ id: `speak ${code}`, icon: "info", name: `${t(shell.language)}: ${name}`, run: () => chooseLanguage(code) })),
    { id: "out", icon: "out", name: t(shell.signOut), run: () => void signOut() },
  ];
}
