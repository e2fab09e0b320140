// The gallery of templates: what there is to begin with, for whom it is, and what it holds.
import { useEffect, useState } from "preact/hooks";
import { useRead } from "../api/read";
import { type Places, readPlaces } from "../api/places";
import { Failure, Shown } from "../app/failure";
import { Icon } from "../app/icons";
import { value } from "../app/field";
import { place, setQuery } from "../app/router";
import type { PageProps } from "../app/routes";
import { useTitle } from "../app/title";
import { may } from "../projects/rights";
import { home } from "../words/shell";
import { templates as words } from "../words/templates";
import { t } from "../words/words";
import { readTemplates, readUses } from "./calls";
import { TemplateCard } from "./card";
import { shownOf, type Template } from "./model";
import { PublishTemplate } from "./publish";
import { UseTemplate } from "./use";
import { Uses } from "./uses";
import "./templates.css";

/** How long a person stops typing before the server is asked. */
const WAIT = 200;

const NOWHERE: Places = { projects: [], programs: [] };

export default function Gallery(_: PageProps) {
  useTitle(t(words.title));
  const { query } = place.value;
  const find = query.get("find") ?? "";
  const program = query.get("program") ?? "";
  const read = useRead(() => readTemplates(find, program), [find, program]);
  const places = useRead(readPlaces, []);
  const uses = useRead(readUses, []);
  const [using, setUsing] = useState<Template | null>(null);
  const { projects, programs } = places.data ?? NOWHERE;
  const mayPublish = projects.some((one) => may(one, "useTemplates"));
  return (
    <div class="page">
      <div class="page-in">
        <header class="row wrap template-head">
          <div class="stack grow">
            <h1>{t(words.title)}</h1>
            <p class="quiet">{t(words.text)}</p>
          </div>
          {mayPublish && (
            <button type="button" class="button" onClick={() => setQuery({ publish: "" })}>
              <Icon name="upload" /> {t(words.publish)}
            </button>
          )}
        </header>
        <Filter programs={programs} some={(read.data ?? []).some((one) => one.is_superseded)} />
        {places.error && <Failure error={places.error} retry={places.retry} stale={places.data !== null} />}
        <Shown read={read}>
          {(list) => (
            <Cards
              list={shownOf(list, query.has("older"))}
              filtered={Boolean(find || program)}
              programs={programs}
              use={setUsing}
              ready={places.data !== null}
            />
          )}
        </Shown>
        {uses.error && <Failure error={uses.error} retry={uses.retry} stale={uses.data !== null} />}
        <Uses list={uses.data ?? []} projects={projects} changed={uses.retry} />
        {using && places.data && (
          <UseTemplate
            template={using}
            places={places.data}
            into={query.get("into")}
            close={() => setUsing(null)}
            changed={() => (read.retry(), uses.retry(), places.retry())}
          />
        )}
        {query.has("publish") && places.data && (
          <PublishTemplate
            places={places.data}
            wish={query.get("publish")!}
            close={() => setQuery({ publish: null })}
            published={read.retry}
          />
        )}
      </div>
    </div>
  );
}

/** What is looked for stands in the address. Older versions can be shown if there are any. */
function Filter({ programs, some }: { programs: Places["programs"]; some: boolean }) {
  const { query } = place.value;
  const [typed, setTyped] = useState(query.get("find") ?? "");
  useEffect(() => {
    const waiting = setTimeout(() => setQuery({ find: typed.trim() || null }), WAIT);
    return () => clearTimeout(waiting);
  }, [typed]);
  const older = query.has("older");
  return (
    <div class="row wrap template-filter" role="search">
      <input
        type="search"
        class="input"
        placeholder={t(words.search)}
        aria-label={t(words.search)}
        value={typed}
        onInput={(event) => setTyped(value(event))}
      />
      {programs.length > 0 && (
        <select
          class="input"
          aria-label={t(home.program)}
          value={query.get("program") ?? ""}
          onChange={(event) => setQuery({ program: value(event) || null })}
        >
          <option value="">{t(words.every)}</option>
          {programs.map((one) => (
            <option key={one.id} value={one.id}>
              {one.name}
            </option>
          ))}
        </select>
      )}
      {(some || older) && (
        <label class="check">
          <input type="checkbox" checked={older} onChange={() => setQuery({ older: older ? null : "1" })} /> {t(words.older)}
        </label>
      )}
    </div>
  );
}

function Cards({
  list,
  filtered,
  programs,
  use,
  ready,
}: {
  list: Template[];
  filtered: boolean;
  programs: Places["programs"];
  use: (one: Template) => void;
  ready: boolean;
}) {
  if (list.length === 0 && filtered)
    return (
      <p class="quiet" role="status">
        {t(words.noneFits)}
      </p>
    );
  if (list.length === 0)
    return (
      <section class="card stack note-card">
        <h2>{t(words.emptyTitle)}</h2>
        <p class="quiet">{t(words.emptyText)}</p>
      </section>
    );
  return (
    <div class="cards">
      {list.map((one) => (
        <TemplateCard key={one.id} template={one} programs={programs} use={() => use(one)} ready={ready} />
      ))}
    </div>
  );
}
