// One card: its name, where it belongs, and only those signs that need a hand.
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { Icon } from "../app/icons";
import { isoOf, dayOf, today } from "../dates/days";
import { shortDay } from "../dates/format";
import { board } from "../words/board";
import { t } from "../words/words";
import { daysLate, stopped, type Task } from "./model";

/** The names of the members of the project by their ids. */
export const People = createContext<ReadonlyMap<string, string>>(new Map());

export const initials = (name: string): string =>
  name
    .split(/\s+/)
    .map((word) => word[0] ?? "")
    .slice(0, 2)
    .join("")
    .toUpperCase();

interface CardProps {
  task: Task;
  focus: boolean;
  lifted: boolean;
  open: () => void;
  onPointerDown: (event: PointerEvent) => void;
  onFocus: () => void;
}

export function Card({ task, focus, lifted, open, onPointerDown, onFocus }: CardProps) {
  const late = daysLate(task, isoOf(today()));
  const names = [
    "board-card",
    stopped(task) && "is-blocked",
    task.is_critical && task.status !== "COMPLETE" && "is-critical",
    lifted && "is-lifted",
    task.status === "COMPLETE" && "is-done",
  ];
  return (
    <li
      role="option"
      aria-selected={focus}
      data-task={task.id}
      tabIndex={focus ? 0 : -1}
      class={names.filter(Boolean).join(" ")}
      onClick={open}
      onPointerDown={onPointerDown}
      onFocus={onFocus}
    >
      <span class="board-card-top">
        <span class="small quiet num">{task.qualified_id}</span>
        {task.is_milestone && <Icon name="flag" size={12} />}
        <span class="grow" />
        <Responsible id={task.assignee} />
        <Faces people={task.assignments} />
        {task.story_points !== null && (
          <span class="board-points num" title={t(board.points, { n: task.story_points })}>
            {task.story_points}
          </span>
        )}
      </span>
      <span class="board-card-name">{task.name}</span>
      <Signs task={task} late={late} />
    </li>
  );
}

/** The person who answers for the card; those who are allocated to it stand beside. */
function Responsible({ id }: { id: string | null }) {
  const name = useContext(People).get(id ?? "");
  if (!name) return null;
  const said = `${t(board.person)}: ${name}`;
  return (
    <span class="face small is-responsible" title={said}>
      <span aria-hidden="true">{initials(name)}</span>
      <span class="hidden-text">{said}</span>
    </span>
  );
}

function Faces({ people }: { people: Task["assignments"] }) {
  return (
    <span class="faces" title={people.map((one) => one.resource_name).join(", ")}>
      {people.slice(0, 3).map((one) => (
        <span key={one.resource_id} class="face small" aria-hidden="true">
          {initials(one.resource_name)}
        </span>
      ))}
    </span>
  );
}

function Signs({ task, late }: { task: Task; late: number }) {
  const end = dayOf(task.early_finish);
  return (
    <span class="board-signs">
      {stopped(task) ? (
        <span class="chip bad">
          <Icon name="stop" size={10} /> {t(board.blockedOne)}
        </span>
      ) : (
        task.is_blocked &&
        task.status !== "COMPLETE" && (
          <span class="chip" title={t(board.waitsLong)}>
            <Icon name="link" size={11} /> {t(board.waits)}
          </span>
        )
      )}
      {late > 0 && <span class="chip bad num">{t(board.late, { n: late })}</span>}
      {task.is_stalled && <span class="chip warn num">{t(board.stalled, { n: task.dwell_days ?? 0 })}</span>}
      {task.labels.slice(0, 2).map((label) => (
        <span key={label.id} class="chip">
          {label.name}
        </span>
      ))}
      <span class="grow small quiet num">{late === 0 && shortDay(end)}</span>
      {(task.percent_complete ?? 0) > 0 && task.percent_complete! < 100 && (
        <span class="bar-fill board-progress" aria-hidden="true">
          <span style={{ width: `${task.percent_complete ?? 0}%` }} />
        </span>
      )}
    </span>
  );
}
