// The preview of a file of Microsoft Project, Primavera or Jira: what it brings, its first rows, and whose dates would differ.
import type { Schemas } from "../api/client";
import { dayOf } from "../dates/days";
import { fullDay } from "../dates/format";
import { imports as words } from "../words/imports";
import { t } from "../words/words";
import { Counts, Losses, span } from "./report";

const MOST = 100;

export function PlanPreview({ found, alone }: { found: Schemas["PlanPreview"]; alone: boolean }) {
  const first =
    found.start && found.finish
      ? t(words.spans, { name: found.name, from: fullDay(dayOf(found.start)), to: fullDay(dayOf(found.finish)) })
      : found.name;
  return (
    <section class="card stack">
      <h2>{t(words.preview)}</h2>
      <p>{first}</p>
      <Counts
        list={[
          [t(words.tasks), found.task_count],
          [t(words.milestones), found.milestone_count],
          [t(words.links), found.dependency_count],
          [t(words.people), found.resource_count],
          [t(words.calendars), found.calendar_count],
          [t(words.baselines), found.baseline_count],
        ]}
      />
      <div class="scroll-x import-sheet">
        <table class="table">
          <thead>
            <tr>
              <th>{t(words.wbs)}</th>
              <th>{t(words.task)}</th>
              <th>{t(words.here)}</th>
            </tr>
          </thead>
          <tbody>
            {found.first_rows.map((row) => (
              <tr key={row.wbs}>
                <td class="tabular nowrap">{row.wbs}</td>
                <td class="clip import-cell">
                  {row.is_milestone ? "◆ " : ""}
                  {row.name}
                </td>
                <td class="tabular nowrap">{span(row.start, row.finish)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {found.task_count > found.first_rows.length && (
        <p class="small quiet">{t(words.more, { n: found.task_count - found.first_rows.length })}</p>
      )}
      <Losses losses={found.losses} />
      {alone && found.date_difference_count > 0 && <Differences found={found} />}
    </section>
  );
}

/** They are those of a new project: in another project its calendar and its status date count. */
function Differences({ found }: { found: Schemas["PlanPreview"] }) {
  return (
    <section class="stack">
      <h3>{t(words.differences, { n: found.date_difference_count })}</h3>
      <p class="small quiet">{t(words.whyLater)}</p>
      <div class="scroll-x">
        <table class="table">
          <thead>
            <tr>
              <th>{t(words.wbs)}</th>
              <th>{t(words.task)}</th>
              <th>{t(words.inFile)}</th>
              <th>{t(words.here)}</th>
            </tr>
          </thead>
          <tbody>
            {found.date_differences.slice(0, MOST).map((one) => (
              <tr key={one.wbs}>
                <td class="tabular nowrap">{one.wbs}</td>
                <td class="strong-name">{one.name}</td>
                <td class="tabular nowrap">{span(one.file_start, one.file_finish)}</td>
                <td class="tabular nowrap">{span(one.start, one.finish)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
