// The links of a row, to both sides: go there, change type and lag, remove.
import { Icon } from "../../app/icons";
import { value } from "../../app/field";
import { inspect } from "../../words/inspect";
import { t } from "../../words/words";
import type { Schemas } from "../../api/client";
import type { Desk } from "../desk";
import { focusOn } from "../edit/actions";
import { changeLink, removeLink } from "../edit/link_edits";
import { TYPES } from "../plan/links";
import type { LinkRow } from "../plan/row";

export function LinkList({ desk, task }: { desk: Desk; task: number }) {
  const plan = desk.plan.watch();
  const before: [LinkRow, number][] = [];
  const after: [LinkRow, number][] = [];
  plan.links.eachIn(task, (link, other) => before.push([plan.linkRows.get(plan.links.ids[link]!)!, other]));
  plan.links.eachOut(task, (link, other) => after.push([plan.linkRows.get(plan.links.ids[link]!)!, other]));
  if (!before.length && !after.length) return null;
  return (
    <section>
      <h3>{t(inspect.links)}</h3>
      {before.length > 0 && <Side title={t(inspect.before)} desk={desk} links={before} />}
      {after.length > 0 && <Side title={t(inspect.after)} desk={desk} links={after} />}
    </section>
  );
}

function Side({ title, desk, links }: { title: string; desk: Desk; links: [LinkRow, number][] }) {
  return (
    <div>
      <p class="quiet small">{title}</p>
      <ul>
        {links.map(([link, other]) => (
          <LinkLine key={link.id} desk={desk} link={link} other={other} />
        ))}
      </ul>
    </div>
  );
}

function LinkLine({ desk, link, other }: { desk: Desk; link: LinkRow; other: number }) {
  const name = desk.plan.watch().rows[other]!.name;
  const author = desk.canLink.value;
  const change = (type: string, lag: number) => void desk.edits.run(changeLink(desk, link, type as Schemas["DependencyType"], lag));
  return (
    <li class="row link-line">
      <button
        type="button"
        class={link.is_driving ? "link-button grow clip strong" : "link-button grow clip"}
        title={name}
        onClick={() => focusOn(desk, other)}
      >
        {name}
      </button>
      {author ? (
        <>
          <select class="input" aria-label={`${name}: FS`} value={link.dep_type} onChange={(event) => change(value(event), link.lag)}>
            {TYPES.map((type) => (
              <option key={type}>{type}</option>
            ))}
          </select>
          <input
            class="input num"
            type="number"
            aria-label={`${name}: +`}
            key={link.lag}
            defaultValue={String(link.lag)}
            onChange={(event) => change(link.dep_type, Number(value(event)))}
          />
          <button
            type="button"
            class="icon"
            aria-label={t(inspect.removeLink, { name })}
            onClick={() => void desk.edits.run(removeLink(desk, link))}
          >
            <Icon name="close" />
          </button>
        </>
      ) : (
        <span class="chip num">
          {link.dep_type}
          {link.lag ? (link.lag > 0 ? `+${link.lag}` : link.lag) : ""}
        </span>
      )}
    </li>
  );
}
