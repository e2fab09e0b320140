// The settings, from the person to the workspace: a list of parts at the side, one part at a time.
import type { ComponentType } from "preact";
import { me } from "../api/me";
import { place } from "../app/router";
import type { PageProps } from "../app/routes";
import { settings as words } from "../words/settings";
import { shell } from "../words/shell";
import { type Message, t } from "../words/words";
import { Notices } from "./notices";
import { Profile, Security } from "./personal";
import { Tokens } from "./tokens";
import { Members, Workspace } from "./workspace";
import "./settings.css";

const PARTS: [path: string, name: Message, part: ComponentType, admin: boolean][] = [
  ["profile", words.profile, Profile, false],
  ["security", words.security, Security, false],
  ["tokens", words.tokens, Tokens, false],
  ["notifications", words.notifications, Notices, false],
  ["workspace", words.workspace, Workspace, true],
  ["members", words.members, Members, true],
];

export default function Settings(_: PageProps) {
  const admin = me.value?.can_access_admin_settings ?? false;
  const parts = PARTS.filter(([, , , forAdmin]) => admin || !forAdmin);
  const chosen = parts.find(([path]) => path === place.value.query.get("part")) ?? parts[0]!;
  const View = chosen[2];
  return (
    <div class="page">
      <div class="page-in">
        <h1>{t(shell.settings)}</h1>
        <div class="setting-two">
          <nav class="setting-nav" aria-label={t(shell.settings)}>
            {parts.map(([path, name]) => <a key={path} href={`/settings?part=${path}`} aria-current={path === chosen[0] ? "page" : undefined}>{t(name)}</a>)}
          </nav>
          <div class="stack"><View /></div>
        </div>
      </div>
    </div>
  );
}
