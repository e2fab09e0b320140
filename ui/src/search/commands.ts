// The commands that are there on every page, and those of the project that is open. Each is also found by other words for it.
import type { Schemas } from "../api/client";
import { asCallError } from "../api/errors";
import { signOut } from "../api/me";
import type { IconName } from "../app/icons";
import { go, match, place } from "../app/router";
import { theme } from "../app/theme";
import { refuse } from "../app/toast";
import { may } from "../projects/rights";
import { tabsOf } from "../projects/tabs";
import { type FileKind, FILES, saveFile } from "../projects/export_file";
import { arrange } from "../words/arrange";
import { alike, palette } from "../words/palette";
import { schedule } from "../words/schedule";
import { settings } from "../words/settings";
import { home, shell } from "../words/shell";
import { templates } from "../words/templates";
import { chooseLanguage, languages, type Message, t } from "../words/words";

type Project = Schemas["Project"];

export interface Item {
  id: string;
  icon: IconName;
  name: string;
  note?: string | undefined;
  keys?: string | undefined;
  /** Other words by which it is found. */
  alike?: string | undefined;
  /** The palette stays open. */
  stays?: boolean;
  run: () => void;
}

/** The page of the project that is open, and its id. */
export const projectHere = (): { id: string; page: string } | null =>
  match("/projects/:id/:page", place.value.path) as { id: string; page: string } | null;

const PAGES: [to: string, icon: IconName, name: Message, alike: Message][] = [
  ["/", "home", shell.home, alike.home],
  ["/my-work", "work", shell.myWork, alike.myWork],
  ["/notifications", "bell", shell.notifications, alike.notifications],
  ["/import", "upload", home.importFile, alike.import],
  ["/templates", "template", templates.title, alike.templates],
  ["/settings", "gear", shell.settings, alike.settings],
];

/** Other words in the language of the person; English ones are known to many who chose another. */
const wordsOf = (name: Message, other: Message): string => `${t(other)} ${other[0]} ${name[0]}`;

const link = (to: string, icon: IconName, name: Message, other: Message): Item => ({
  id: `go ${to}`,
  icon,
  name: t(palette.goTo, { page: t(name) }),
  alike: wordsOf(name, other),
  run: () => go(to),
});

/** Projects whose pages are offered where no project is open. */
const MOST = 4;

export function commands(projects: Project[], typed: string): Item[] {
  const here = projectHere();
  const elsewhere =
    typed && !here
      ? projects
          .slice(0, MOST)
          .flatMap((one) => ofProject(one.id, one, "").map((item) => ({ ...item, id: `${one.id} ${item.id}`, note: one.name })))
      : [];
  return [
    ...(here ? ofProject(here.id, projects.find((one) => one.id === here.id) ?? null, here.page) : []),
    {
      id: "new",
      icon: "plus",
      name: t(home.newProject),
      alike: wordsOf(home.newProject, alike.newProject),
      run: () => go("/?new=project"),
    },
    ...PAGES.map((page) => link(...page)),
    { id: "light", icon: "info", name: t(palette.light), alike: wordsOf(palette.light, alike.theme), run: () => (theme.value = "light") },
    { id: "dark", icon: "info", name: t(palette.dark), alike: wordsOf(palette.dark, alike.theme), run: () => (theme.value = "dark") },
    ...languages().map(
      ({ code, name }): Item => ({
        id: `speak ${code}`,
        icon: "info",
        name: `${t(shell.language)}: ${name}`,
        run: () => chooseLanguage(code),
      }),
    ),
    { id: "out", icon: "out", name: t(shell.signOut), alike: wordsOf(shell.signOut, alike.signOut), run: () => void signOut() },
    ...elsewhere,
  ];
}

function ofProject(id: string, project: Project | null, page: string): Item[] {
  const base = `/projects/${id}`;
  // The schedule offers these by itself while it is open.
  const onSchedule: [act: string, name: Message, other: Message][] =
    page === "schedule"
      ? []
      : [
          ["print", arrange.print, alike.print],
          ["picture", schedule.picture, alike.picture],
          ["svg", arrange.svg, alike.picture],
        ];
  return [
    ...tabsOf(project).map(([path, icon, name]) => link(`${base}/${path}`, icon, name, alike[path as keyof typeof alike])),
    link(`${base}/settings`, "gear", settings.projectTitle, alike.projectSettings),
    ...onSchedule.map(
      ([act, name, other]): Item => ({
        id: act,
        icon: "download",
        name: t(name),
        alike: wordsOf(name, other),
        run: () => go(`${base}/schedule?do=${act}`),
      }),
    ),
    ...(project && may(project, "read")
      ? FILES.map(
          ([kind, text]): Item => ({
            id: kind,
            icon: "download",
            name: t(palette.export, { kind: text }),
            alike: wordsOf(palette.export, alike.export),
            run: () => void take(project, kind),
          }),
        )
      : []),
  ];
}

async function take(project: Project, kind: FileKind): Promise<void> {
  try {
    await saveFile(project.id, project.name, kind);
  } catch (error) {
    refuse(asCallError(error).message);
  }
}
