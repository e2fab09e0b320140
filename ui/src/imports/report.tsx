// What an import brought, what it did not carry over, and which dates differ from the file.
import type { Schemas } from "../api/client";
import { removeEmpty } from "../api/places";
import { useAction } from "../api/read";
import { Failure } from "../app/failure";
import { Icon } from "../app/icons";
import { toast } from "../app/toast";
import { dayOf } from "../dates/days";
import { fullDay } from "../dates/format";
import { LossList } from "../projects/losses";
import { imports as words } from "../words/imports";
import { t } from "../words/words";
import { type Import, undoImport } from "./calls";
import { reasonText } from "../projects/reasons";

const MOST = 100;

export const Losses = ({ losses }: { losses: Schemas["Loss"][] }) => (
  <LossList title={t(words.losses)} none={t(words.noLosses)} losses={losses} />
);

export function Counts({ list }: { list: [name: string, n: number | null | undefined][] }) {
  return (
    <div class="figures">
      {list
        .filter(([, n]) => n !== null && n !== undefined)
        .map(([name, n]) => (
          <div key={name} class="card figure">
            <span class="small quiet">{name}</span>
            <b>{n}</b>
          </div>
        ))}
    </div>
  );
}

/** `fresh` says that the project was made for this import: it goes with its rows, unless somebody has put others in. */
export function Report({ done, fresh, again }: { done: Import; fresh: boolean; again: () => void }) {
  const undo = useAction(async () => {
    await undoImport(done.project, done.id);
    if (fresh) await removeEmpty(done.project);
    toast(t(words.undone));
    again();
  });
  const summary = done.summary;
  if (done.status === "dead" || !summary) {
    return (
      <section class="card stack">
        <h2>{t(words.failed)}</h2>
        <p class="is-bad">{reasonText(done.error_detail)}</p>
        <div>
          <button type="button" class="button" onClick={again}>
            {t(words.another)}
          </button>
        </div>
      </section>
    );
  }
  return (
    <section class="card stack">
      <div class="row wrap">
        <h2 class="grow">{t(words.done)}</h2>
        <button type="button" class="button" disabled={undo.busy} onClick={() => void undo.run()}>
          <Icon name="undo" /> {t(words.undo)}
        </button>
        <button type="button" class="button" onClick={again}>
          {t(words.another)}
        </button>
        <a class="button primary" href={`/projects/${done.project}/schedule`}>
          {t(words.open)}
        </a>
      </div>
      {undo.error && <Failure error={undo.error} retry={() => void undo.run()} />}
      <Counts
        list={[
          [t(words.tasks), summary.tasks_created],
          [t(words.links), summary.dependencies_created],
          [t(words.people), summary.resources_assigned],
          [t(words.parked), summary.parked_row_count],
        ]}
      />
      <Losses losses={summary.losses ?? []} />
      {(summary.date_difference_count ?? 0) > 0 && (
        <section class="stack">
          <h3>{t(words.differences, { n: summary.date_difference_count! })}</h3>
          <div class="scroll-x">
            <table class="table">
              <thead>
                <tr>
                  <th>{t(words.task)}</th>
                  <th>{t(words.inFile)}</th>
                  <th>{t(words.here)}</th>
                  <th>{t(words.why)}</th>
                </tr>
              </thead>
              <tbody>
                {summary.date_differences!.slice(0, MOST).map((one, at) => (
                  <Difference key={at} one={one} />
                ))}
              </tbody>
            </table>
          </div>
        </section>
      )}
    </section>
  );
}

/** A start and a finish, as far as they are there. */
export function span(from: string | null | undefined, to: string | null | undefined): string {
  return from || to ? `${from ? fullDay(dayOf(from)) : ""} – ${to ? fullDay(dayOf(to)) : ""}` : "–";
}

function Difference({ one }: { one: Schemas["DateDifference"] }) {
  return (
    <tr>
      <td class="strong-name">{one.name}</td>
      <td class="tabular nowrap">{span(one.file_start, one.file_finish)}</td>
      <td class="tabular nowrap">{span(one.start, one.finish)}</td>
      <td>{reasonText(one.reason)}</td>
    </tr>
  );
}
