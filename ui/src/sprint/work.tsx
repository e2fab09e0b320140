// The tasks of a sprint and the work without one, side by side; a button moves a row from one to the other.
import { useState } from "preact/hooks";
import type { Schemas } from "../api/client";
import { readOnly } from "../api/connection";
import { value } from "../app/field";
import { Icon } from "../app/icons";
import { withStatus } from "../app/task_status";
import { initials } from "../board/card";
import { byRank, isCard, stopped, type Task } from "../board/model";
import { isoOf, today } from "../dates/days";
import { useMay } from "../projects/rights";
import { board } from "../words/board";
import { sprint as words } from "../words/sprint";
import { t } from "../words/words";
import type { Sprint } from "./model";

const STATUSES = ["BACKLOG", "NOT_STARTED", "IN_PROGRESS", "REVIEW", "ON_HOLD", "COMPLETE"] as const;
const OPEN_ROWS = 40;

interface WorkProps {
  sprint: Sprint;
  tasks: Task[];
  change: (task: Task, body: Schemas["PatchedTaskRequest"]) => void;
}

export function Work({ sprint, tasks, change }: WorkProps) {
  const inside = tasks
    .filter((task) => isCard(task) && task.sprint === sprint.id)
    .sort((a, b) => (a.sprint_rank ?? 1e9) - (b.sprint_rank ?? 1e9) || byRank(a, b));
  const open = sprint.state === "ACTIVE" || sprint.state === "PLANNED";
  const may = useMay("runSprints");
  return (
    <section class="card stack">
      <h2>{t(words.tasks)}</h2>
      {inside.length === 0 && <p class="quiet">{t(words.noTasks)}</p>}
      <ul class="sprint-list">
        {inside.map((task) => (
          <li key={task.id} class="sprint-row">
            <span class="small quiet num sprint-id">{task.qualified_id}</span>
            <a class="plain-link grow sprint-name" href={`/projects/${task.project}/board?task=${task.id}`}>
              {task.name}
            </a>
            {stopped(task) && <span class="chip bad">{t(board.blockedOne)}</span>}
            {task.sprint_pending && <span class="chip warn">{t(words.pending)}</span>}
            {task.story_points !== null && <span class="chip num">{task.story_points}</span>}
            <Faces task={task} />
            <select
              class="input sprint-status"
              disabled={!open || readOnly.value || !task.can_edit}
              aria-label={`${t(board.status)}: ${task.name}`}
              value={task.status}
              onChange={(event) => change(task, withStatus(task, event.currentTarget.value as Task["status"], isoOf(today())))}
            >
              {STATUSES.map((status) => (
                <option key={status} value={status}>
                  {t(board[status])}
                </option>
              ))}
            </select>
            {open && may && task.can_edit && (
              <button
                type="button"
                class="icon"
                title={t(words.takeOut, { name: task.name })}
                aria-label={t(words.takeOut, { name: task.name })}
                onClick={() => change(task, { sprint: null })}
              >
                <Icon name="close" />
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Faces({ task }: { task: Task }) {
  return (
    <span class="faces">
      {task.assignments.slice(0, 2).map((one) => (
        <span key={one.resource_id} class="face small" title={one.resource_name}>
          {initials(one.resource_name)}
        </span>
      ))}
    </span>
  );
}

export function Backlog({ sprint, tasks, change }: WorkProps) {
  const [text, setText] = useState("");
  const may = useMay("runSprints");
  const loose = tasks
    .filter(
      (task) =>
        isCard(task) &&
        !task.sprint &&
        task.status !== "COMPLETE" &&
        !task.is_milestone &&
        task.name.toLowerCase().includes(text.trim().toLowerCase()),
    )
    .sort(byRank);
  return (
    <section class="card stack">
      <h2>{t(words.backlog)}</h2>
      <p class="quiet small">{t(words.backlogText)}</p>
      <input
        type="search"
        class="input"
        placeholder={t(board.filter)}
        aria-label={t(board.filter)}
        value={text}
        onInput={(event) => setText(value(event))}
      />
      <ul class="sprint-list sprint-backlog">
        {loose.slice(0, OPEN_ROWS).map((task) => (
          <li key={task.id} class="sprint-row">
            {may && task.can_edit && (
              <button
                type="button"
                class="icon"
                disabled={readOnly.value}
                title={t(words.addTo, { name: task.name })}
                aria-label={t(words.addTo, { name: task.name })}
                onClick={() => change(task, { sprint: sprint.id })}
              >
                <Icon name="plus" />
              </button>
            )}
            <span class="grow sprint-name">{task.name}</span>
            {task.story_points !== null && <span class="chip num">{task.story_points}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}
