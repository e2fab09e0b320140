// The settings, from the person to the workspace.
import { me } from "../api/me";
import type { PageProps } from "../app/routes";
import { useTitle } from "../app/title";
import { admin as adminWords } from "../words/admin";
import { calendarFeeds } from "../words/calendar_feeds";
import { factor } from "../words/factor";
import { settings as words } from "../words/settings";
import { shell } from "../words/shell";
import { t } from "../words/words";
import { CalendarFeeds } from "./calendar_feeds";
import { Calendars } from "./calendars";
import { Notices } from "./notices";
import { type SettingPart, Parts } from "./parts";
import { Profile, Security } from "./personal";
import { SignInPolicy } from "./sign_in_policy";
import { SingleSignOn } from "./sso";
import { Tokens } from "./tokens";
import { ProjectTrash } from "./trash";
import { Members, Workspace } from "./workspace";
import "./settings.css";

const PERSONAL: SettingPart[] = [
  { path: "profile", name: words.profile, view: () => <Profile /> },
  { path: "security", name: words.security, view: () => <Security /> },
  { path: "tokens", name: words.tokens, view: () => <Tokens /> },
  { path: "calendar-feeds", name: calendarFeeds.title, view: () => <CalendarFeeds /> },
  { path: "notifications", name: words.notifications, view: () => <Notices /> },
  { path: "trash", name: adminWords.trashProjects, view: () => <ProjectTrash /> },
];
const CALENDARS: SettingPart = { path: "calendars", name: adminWords.calendars, view: () => <Calendars /> };
const WORKSPACE: SettingPart[] = [
  { path: "workspace", name: words.workspace, view: () => <Workspace /> },
  { path: "members", name: words.members, view: () => <Members /> },
  CALENDARS,
  { path: "sign-in", name: factor.policy, view: () => <SignInPolicy /> },
  { path: "sso", name: adminWords.sso, view: () => <SingleSignOn /> },
];

/** The rank from which somebody administers the workspace. */
const ADMIN = 300;

export default function Settings(_: PageProps) {
  useTitle(t(shell.settings));
  const admin = (me.value?.workspace_role ?? 0) >= ADMIN;
  const more = admin ? WORKSPACE : me.value?.can_access_admin_settings ? [CALENDARS] : [];
  return <Parts title={t(shell.settings)} base="/settings" parts={[...PERSONAL, ...more]} />;
}
