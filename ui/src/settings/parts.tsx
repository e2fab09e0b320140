// Settings in parts: a list at the side, one part at a time, and the part stands in the address.
import type { ComponentChildren } from "preact";
import { useCurrentInSight } from "../app/in_sight";
import { place } from "../app/router";
import { type Message, t } from "../words/words";

export interface SettingPart {
  path: string;
  name: Message;
  view: () => ComponentChildren;
}

export function Parts({ title, base, parts }: { title: string; base: string; parts: SettingPart[] }) {
  const chosen = parts.find((one) => one.path === place.value.query.get("part")) ?? parts[0]!;
  const list = useCurrentInSight<HTMLElement>(chosen.path);
  return (
    <div class="page">
      <div class="page-in">
        <h1>{title}</h1>
        <div class="setting-two">
          <nav ref={list} class="setting-nav" aria-label={title}>
            {parts.map((one) => (
              <a key={one.path} href={`${base}?part=${one.path}`} aria-current={one === chosen ? "page" : undefined}>
                {t(one.name)}
              </a>
            ))}
          </nav>
          <div key={chosen.path} class="stack">
            {chosen.view()}
          </div>
        </div>
      </div>
    </div>
  );
}
