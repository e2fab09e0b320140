// An empty plan: the first row, a file, or a sample.
import { Icon } from "../app/icons";
import { home } from "../words/shell";
import { schedule } from "../words/schedule";
import { t } from "../words/words";
import type { Desk } from "./desk";
import { newRow } from "./edit/actions";

export function Empty({ desk }: { desk: Desk }) {
  desk.plan.version.value;
  if (desk.plan.count > 0) return null;
  return (
    <div class="empty-plan card stack">
      <h2>{t(schedule.emptyTitle)}</h2>
      <p class="quiet">{t(schedule.emptyText)}</p>
      <div class="row wrap">
        {desk.canAuthor.value && (
          <button type="button" class="button primary" onClick={() => newRow(desk)}>
            <Icon name="plus" /> {t(schedule.newRow)}
          </button>
        )}
        <a class="button" href={`/import?project=${desk.projectId}`}>
          <Icon name="upload" /> {t(home.importFile)}
        </a>
        <a class="button" href="/">
          {t(home.samples)}
        </a>
      </div>
    </div>
  );
}
