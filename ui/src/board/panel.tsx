// A card in full at the right side: each field is saved when it is left; what was typed stays if the save fails.
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { readOnly } from "../api/connection";
import { Icon } from "../app/icons";
import { useKept } from "../api/kept";
import { SharedText } from "../app/shared_text";
import { withStatus } from "../app/task_status";
import { dayOf, isoOf, today } from "../dates/days";
import { shortDay } from "../dates/format";
import { type Member, MemberChoices } from "../projects/members";
import { board } from "../words/board";
import { calls } from "../words/calls";
import { t } from "../words/words";
import type { Board, Change } from "./data";
import { stopped, type Task } from "./model";

const STATUSES = ["BACKLOG", "NOT_STARTED", "IN_PROGRESS", "REVIEW", "ON_HOLD", "COMPLETE"] as const;
const CAUSES = ["dependency", "resource", "vendor", "decision", "other"] as const;

/** What of a card is opened; a new object for each time that somebody asks for it. */
export interface Part {
  block: boolean;
}

interface PanelProps {
  task: Task;
  part: Part | undefined;
  desk: Board;
  members: Member[] | null;
  close: () => void;
}

export function Panel({ task, part, desk, members, close }: PanelProps) {
  const box = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    box.current?.querySelector<HTMLElement>(part?.block ? "[data-block]" : "textarea")?.focus();
  }, [task.id, part]);
  const save = (body: Change) => desk.change(task, body);
  const fixed = !task.can_edit;
  const locked = fixed || readOnly.value;
  const kept = (name: string) => ({
    key: `${task.id}${name}`,
    kept: `task.${task.id}.${name}`,
    version: task.server_version,
    locked: fixed,
  });
  const field = (name: string) => ({ ...kept(name), line: "labelled" as const });
  return (
    <aside
      ref={box}
      class="board-panel stack"
      aria-label={t(board.details)}
      onKeyDown={(event) => event.key === "Escape" && (event.stopPropagation(), close())}
    >
      <div class="row">
        <span class="small quiet num grow">{task.qualified_id}</span>
        <a class="button small plain" href={`/projects/${task.project}/schedule?task=${task.id}`}>
          <Icon name="gantt" /> {t(board.openSchedule)}
        </a>
        <button type="button" class="icon" aria-label={t(calls.close)} onClick={close}>
          <Icon name="close" />
        </button>
      </div>
      <SharedText
        {...kept("name")}
        class="board-title"
        label={t(board.label)}
        value={task.name}
        write={(name, base) => desk.write(task, { name }, base)}
        rows={2}
      />
      <div class="pair">
        <label class="field">
          <span>{t(board.status)}</span>
          <select
            disabled={locked}
            value={task.status}
            onChange={(event) => void save(withStatus(task, event.currentTarget.value as Task["status"], isoOf(today())))}
          >
            {STATUSES.map((status) => (
              <option key={status} value={status}>
                {t(board[status])}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          <span>{t(board.person)}</span>
          <select
            disabled={locked}
            value={task.assignee ?? ""}
            onChange={(event) => void save({ assignee: event.currentTarget.value || null })}
          >
            <MemberChoices members={members} chosen={task.assignee} />
          </select>
        </label>
        <SharedText
          {...field("story_points")}
          input={{ type: "number", min: 0 }}
          label={t(board.pointsField)}
          value={String(task.story_points ?? "")}
          write={(points, base) => desk.write(task, { story_points: points === "" ? null : Number(points) }, base)}
        />
        <SharedText
          {...field("percent_complete")}
          input={{ type: "number", min: 0, max: 100 }}
          label={t(board.percent)}
          value={String(Math.round(task.percent_complete ?? 0))}
          write={(percent, base) => desk.write(task, { percent_complete: Number(percent) }, base)}
        />
        <SharedText
          {...field("deadline")}
          input={{ type: "date" }}
          label={t(board.deadline)}
          value={task.deadline ?? ""}
          write={(day, base) => desk.write(task, { deadline: day || null }, base)}
        />
        <div class="field">
          <span>{t(board.dates)}</span>
          <span class="num board-fact">
            {shortDay(dayOf(task.scheduled_start ?? task.early_start))} – {shortDay(dayOf(task.early_finish))}
          </span>
        </div>
      </div>
      {task.assignments.length > 0 && (
        <div class="field">
          <span>{t(board.people)}</span>
          <span>{task.assignments.map((one) => one.resource_name).join(", ")}</span>
        </div>
      )}
      <Block key={`${task.id}block`} task={task} save={save} locked={locked} />
      <SharedText
        {...kept("notes")}
        label={t(board.notes)}
        value={task.notes}
        write={(notes, base) => desk.write(task, { notes }, base)}
        rows={8}
      />
    </aside>
  );
}

function Block({ task, save, locked }: { task: Task; save: (body: Change) => Promise<boolean>; locked: boolean }) {
  const [typed, setReason] = useKept(`blocked.${task.id}`);
  const reason = typed || task.blocked_reason;
  const block = async () => {
    if (await save({ blocked_reason: reason, blocker_type: cause } as Change)) setReason("");
  };
  const [cause, setCause] = useState(task.blocker_type || "other");
  const box = useRef<HTMLDivElement>(null);
  // The button that was pressed is gone: the keys stay with what takes its place.
  const isStopped = stopped(task);
  const was = useRef(isStopped);
  useLayoutEffect(() => {
    if (was.current !== isStopped && document.activeElement === document.body)
      box.current?.querySelector<HTMLElement>("[data-block]")?.focus();
    was.current = isStopped;
  }, [isStopped]);
  if (isStopped) {
    return (
      <div ref={box} class="board-block is-on stack">
        <b class="row">
          <Icon name="stop" /> {t(board.blockedOne)}: {t(board[(task.blocker_type || "other") as (typeof CAUSES)[number]])}
        </b>
        {task.blocked_reason && <p>{task.blocked_reason}</p>}
        <div>
          <button
            type="button"
            data-block
            class="button small"
            disabled={locked}
            onClick={() => void save({ blocked_reason: "", blocker_type: "" } as Change)}
          >
            {t(board.unblock)}
          </button>
        </div>
      </div>
    );
  }
  return (
    <div ref={box}>
      <form class="board-block stack" onSubmit={(event) => (event.preventDefault(), void block())}>
        <label class="field">
          <span>{t(board.reason)}</span>
          <input
            data-block
            required
            maxLength={500}
            disabled={locked}
            value={reason}
            onInput={(event) => setReason(event.currentTarget.value)}
          />
        </label>
        <div class="row wrap">
          <select
            class="input grow"
            aria-label={t(board.cause)}
            disabled={locked}
            value={cause}
            onChange={(event) => setCause(event.currentTarget.value as never)}
          >
            {CAUSES.map((one) => (
              <option key={one} value={one}>
                {t(board[one])}
              </option>
            ))}
          </select>
          <button type="submit" class="button" disabled={locked || !reason.trim()}>
            {t(board.block)}
          </button>
        </div>
        <p class="small quiet">{t(board.reasonSeen)}</p>
      </form>
    </div>
  );
}
