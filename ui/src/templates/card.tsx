// A template as a card: its name, for whom it is, what it holds, where it comes from, and how often it was used.
import { Fragment } from "preact";
import { dayOf } from "../dates/days";
import { shortDay } from "../dates/format";
import { templates as words } from "../words/templates";
import { t } from "../words/words";
import { forWhom, holds, type Template } from "./model";

export function TemplateCard({
  template,
  programs,
  use,
  ready,
}: {
  template: Template;
  programs: { id: string; name: string }[];
  use: () => void;
  ready: boolean;
}) {
  const { name, usage_count: n } = template;
  return (
    <article class="card template-card" aria-label={`${name}, ${t(words.version, { n: template.version })}`}>
      <div class="row">
        <h2 class="grow">{name}</h2>
        <span class="chip num">{t(words.version, { n: template.version })}</span>
      </div>
      <div class="row wrap">
        <span class="chip info template-for">{forWhom(template, programs)}</span>
        {template.is_superseded && <span class="chip warn">{t(words.superseded)}</span>}
      </div>
      {template.description && <p class="small">{template.description}</p>}
      <p class="small num">
        <Listed list={holds(template.counts)} />
      </p>
      <Origin template={template} />
      <div class="row wrap template-end">
        <span class="small quiet grow num">{n === 0 ? t(words.unused) : t(words.used, { n })}</span>
        <button type="button" class="button small" disabled={!ready} aria-label={`${t(words.use)}: ${name}`} onClick={use}>
          {t(words.use)}
        </button>
      </div>
    </article>
  );
}

/** `21 rows · 4 phases`: a line ends after a point, not after a number. */
export function Listed({ list }: { list: string[] }) {
  return (
    <>
      {list.map((one, at) => (
        <Fragment key={one}>
          {at > 0 && " · "}
          <span class="nowrap">{one}</span>
        </Fragment>
      ))}
    </>
  );
}

/** Who published it and of which project. What comes with the product needs no such line. */
function Origin({ template }: { template: Template }) {
  if (template.source_kind === "community") return null;
  return (
    <div class="small quiet template-origin">
      <span>{t(words.by, { name: template.published_by_name, day: shortDay(dayOf(template.published_at)) })}</span>
      {template.source_project && (
        <a href={`/projects/${template.source_project}/schedule`}>{t(words.madeOf, { name: template.source_project_name })}</a>
      )}
    </div>
  );
}
