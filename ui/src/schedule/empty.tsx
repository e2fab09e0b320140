// An empty plan: the first row, a file, a template, or a sample.
import { useEffect, useRef } from "preact/hooks";
import { Icon } from "../app/icons";
import { chord } from "../app/keys";
import { useMay } from "../projects/rights";
import { home } from "../words/shell";
import { schedule } from "../words/schedule";
import { templates } from "../words/templates";
import { t } from "../words/words";
import type { Desk } from "./desk";
import { focusOn, newRow } from "./edit/actions";
import { EVERYTHING, filterBy } from "./filter";
import { planKeys } from "./grid/grid_keys";

export function Empty({ desk }: { desk: Desk }) {
  const plan = desk.plan.watch();
  if (plan.count === 0) return <Card desk={desk} />;
  return plan.visible.length === 0 ? <NoRow desk={desk} /> : null;
}

/** No row fits the filter: the way back to all of them. */
export function NoRow({ desk }: { desk: Desk }) {
  return (
    <div class="empty-plan card stack" role="status">
      <h2>{t(schedule.noRow)}</h2>
      <div>
        <button type="button" class="button" onClick={() => filterBy(desk, EVERYTHING)}>
          {t(schedule.allRows)}
        </button>
      </div>
    </div>
  );
}

/** A letter is the first of the name of the first row, as a letter on a cell begins its text. */
function beginsName(desk: Desk, event: KeyboardEvent): boolean {
  if (event.key.length !== 1 || event.key === " " || event.ctrlKey || event.metaKey || event.altKey) return false;
  newRow(desk, false, event.key);
  return true;
}

/** Takes the focus that no row can have now, and the keys of the grid. */
function Card({ desk }: { desk: Desk }) {
  const first = useRef<HTMLButtonElement>(null);
  const mayUse = useMay("useTemplates");
  useEffect(() => {
    if (document.activeElement === document.body) first.current?.focus({ preventScroll: true });
    // With the first row the focus goes to the grid, unless the row is being named.
    return () =>
      void requestAnimationFrame(() => {
        if (document.activeElement !== document.body || desk.plan.count === 0) return;
        if (desk.focusTask() < 0) focusOn(desk, 0, desk.nameColumn());
        desk.enter?.("grid");
      });
  }, []);
  return (
    <div
      class="empty-plan card stack"
      onKeyDown={(event) => (planKeys(desk, chord(event)) || beginsName(desk, event)) && event.preventDefault()}
    >
      <h2>{t(schedule.emptyTitle)}</h2>
      <p class="quiet">{t(schedule.emptyText)}</p>
      <div class="row wrap">
        {desk.canAuthor.value && (
          <button ref={first} type="button" class="button primary" onClick={() => newRow(desk)}>
            <Icon name="plus" /> {t(schedule.newRow)}
          </button>
        )}
        <a class="button" href={`/import?project=${desk.projectId}`}>
          <Icon name="upload" /> {t(home.importFile)}
        </a>
        {mayUse && (
          <a class="button" href={`/templates?into=${desk.projectId}`}>
            <Icon name="template" /> {t(templates.fromOne)}
          </a>
        )}
        <a class="button" href="/">
          {t(home.samples)}
        </a>
      </div>
    </div>
  );
}
