// The menus of the schedule that say which rows are shown and in which order: filter, group and sort, saved views.
import { value } from "../app/field";
import { Icon } from "../app/icons";
import { MenuButton } from "../app/menu";
import { SavedViews } from "../app/saved_views";
import { arrange as words } from "../words/arrange";
import { schedule } from "../words/schedule";
import { type Message, t } from "../words/words";
import { arrange, GROUPS, isArranged, SORTS, type SortKey } from "./arrange";
import type { Desk } from "./desk";
import { filterBy, FILTERS, type Filter, peopleOf, wanted } from "./filter";
import { currentView, showView, usualView, viewOfQuery, viewQuery } from "./saved_views";

const FILTER_NAMES: Record<Filter, Message> = {
  all: schedule.all,
  open: schedule.onlyOpen,
  critical: schedule.onlyCritical,
  late: schedule.onlyLate,
  soon: words.soon,
};
const SORT_NAMES: Record<SortKey, Message> = {
  name: schedule.name,
  start: schedule.start,
  finish: schedule.finish,
  duration: schedule.duration,
  float: schedule.float,
  percent: schedule.done,
  deadline: schedule.deadline,
  people: schedule.people,
  status: words.status,
};

function Choice({ chosen, text, choose }: { chosen: boolean; text: string; choose: () => void }) {
  return (
    <button type="button" aria-pressed={chosen} onClick={choose}>
      <span class="choice-mark">{chosen && <Icon name="check" />}</span> {text}
    </button>
  );
}

export function FilterTools({ desk }: { desk: Desk }) {
  const { kind, text, person } = wanted.value;
  desk.plan.watch();
  const people = peopleOf(desk);
  const who = people.find((one) => one.id === person)?.name;
  const active = [kind === "all" ? "" : t(FILTER_NAMES[kind]), who ?? ""].filter(Boolean).join(", ");
  return (
    <>
      <input
        type="search"
        class="input tool-search"
        placeholder={t(schedule.filterText)}
        aria-label={t(schedule.filterText)}
        value={text}
        onInput={(event) => filterBy(desk, { text: value(event) })}
      />
      <MenuButton
        label={active ? `${t(schedule.filter)}: ${active}` : t(schedule.filter)}
        icon="filter"
        text={active || undefined}
        {...(active ? { class: "button small tool-active" } : {})}
      >
        {(close) => (
          <>
            {FILTERS.map((one) => (
              <Choice key={one} chosen={one === kind} text={t(FILTER_NAMES[one])} choose={() => (filterBy(desk, { kind: one }), close())} />
            ))}
            {people.length > 0 && <h3>{t(words.people)}</h3>}
            {people.length > 0 && (
              <Choice chosen={person === null} text={t(words.everybody)} choose={() => (filterBy(desk, { person: null }), close())} />
            )}
            {people.map((one) => (
              <Choice
                key={one.id}
                chosen={one.id === person}
                text={one.name}
                choose={() => (filterBy(desk, { person: one.id }), close())}
              />
            ))}
          </>
        )}
      </MenuButton>
    </>
  );
}

export function ArrangeMenu({ desk }: { desk: Desk }) {
  const now = desk.arrangement.value;
  const set = (change: Partial<typeof now>, close: () => void) => (arrange(desk, { ...now, ...change }), close());
  return (
    <MenuButton label={t(words.title)} icon="list" class={isArranged(now) ? "icon tool-on" : "icon"}>
      {(close) => (
        <>
          <h3>{t(words.groupBy)}</h3>
          <Choice chosen={now.group === null} text={t(words.outline)} choose={() => set({ group: null }, close)} />
          {GROUPS.map((one) => (
            <Choice key={one} chosen={now.group === one} text={t(words[one])} choose={() => set({ group: one }, close)} />
          ))}
          <h3>{t(words.sortBy)}</h3>
          <Choice chosen={now.sort === null} text={t(words.outline)} choose={() => set({ sort: null, down: false }, close)} />
          {SORTS.map((one) => (
            <Choice key={one} chosen={now.sort === one} text={t(SORT_NAMES[one])} choose={() => set({ sort: one }, close)} />
          ))}
          <hr />
          <button type="button" aria-pressed={now.down} disabled={now.sort === null} onClick={() => set({ down: !now.down }, close)}>
            <span class="choice-mark">{now.down && <Icon name="check" />}</span> {t(words.down)}
          </button>
        </>
      )}
    </MenuButton>
  );
}

export function ViewsMenu({ desk }: { desk: Desk }) {
  return (
    <SavedViews
      kept={`planwright.views.${desk.projectId}`}
      path={`/projects/${desk.projectId}/schedule`}
      query={() => viewQuery(currentView(desk))}
      show={(query) => showView(desk, viewOfQuery(new URLSearchParams(query)) ?? usualView())}
    />
  );
}
