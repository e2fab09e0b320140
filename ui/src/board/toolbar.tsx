// The line above the board: words to filter by, quick filters, the sprint, lanes and columns. All of it is in the address.
import { MenuButton } from "../app/menu";
import { Icon } from "../app/icons";
import { value } from "../app/field";
import { place, setQuery } from "../app/router";
import { SavedViews } from "../app/saved_views";
import type { Schemas } from "../api/client";
import { useMay } from "../projects/rights";
import { board } from "../words/board";
import { t } from "../words/words";
import type { Filter, LaneKind } from "./model";

const LANES = [
  ["none", board.lanesNone],
  ["phase", board.lanesPhase],
  ["person", board.lanesPerson],
] as const;
const QUICK = ["mine", "blocked", "critical"] as const;

const PARTS = ["q", "show", "sprint", "lanes"];

/** What the board shows, as a query; the opened card does not belong to it. */
function boardQuery(): string {
  const { query } = place.peek();
  return new URLSearchParams(PARTS.flatMap((name) => (query.has(name) ? [[name, query.get(name)!]] : []))).toString();
}

function showBoard(text: string): void {
  const query = new URLSearchParams(text);
  setQuery(Object.fromEntries(PARTS.map((name) => [name, query.get(name)])));
}

export function Toolbar({
  project,
  filter,
  kind,
  sprints,
  setColumns,
}: {
  project: string;
  filter: Filter;
  kind: LaneKind;
  sprints: Schemas["Sprint"][];
  setColumns: () => void;
}) {
  const mayArrange = useMay("arrangeBoard");
  const press = (name: (typeof QUICK)[number]) => {
    const on = QUICK.filter((one) => (one === name ? !filter[one] : filter[one]));
    setQuery({ show: on.length ? on.join(",") : null });
  };
  const lanes = t(LANES.find(([code]) => code === kind)?.[1] ?? board.lanesNone);
  return (
    <div class="board-tools">
      <span class="board-filter">
        <Icon name="filter" size={14} />
        <input
          type="search"
          class="input"
          placeholder={t(board.filter)}
          aria-label={t(board.filter)}
          value={filter.text}
          onInput={(event) => setQuery({ q: value(event) || null })}
        />
      </span>
      {QUICK.map((name) => (
        <button key={name} type="button" class="button small plain" aria-pressed={filter[name]} onClick={() => press(name)}>
          {t(board[name])}
        </button>
      ))}
      {sprints.length > 0 && (
        <select
          class="input board-sprint"
          aria-label={t(board.allWork)}
          value={filter.sprint ?? ""}
          onChange={(event) => setQuery({ sprint: event.currentTarget.value || null })}
        >
          <option value="">{t(board.allWork)}</option>
          {sprints.map((one) => (
            <option key={one.id} value={one.id}>
              {one.state === "ACTIVE" ? `${one.name} · ${t(board.sprintRunning)}` : one.name}
            </option>
          ))}
        </select>
      )}
      <SavedViews kept={`planwright.board_views.${project}`} path={`/projects/${project}/board`} query={boardQuery} show={showBoard} />
      <span class="grow" />
      <MenuButton label={`${t(board.lanes)}: ${lanes}`} icon="list" text={lanes}>
        {(close) =>
          LANES.map(([code, name]) => (
            <button
              key={code}
              type="button"
              aria-pressed={code === kind}
              onClick={() => (close(), setQuery({ lanes: code === "none" ? null : code }))}
            >
              <span class="choice-mark">{code === kind && <Icon name="check" />}</span> {t(name)}
            </button>
          ))
        }
      </MenuButton>
      {mayArrange && (
        <button type="button" class="icon" aria-label={t(board.columns)} title={t(board.columns)} onClick={setColumns}>
          <Icon name="columns" />
        </button>
      )}
    </div>
  );
}
