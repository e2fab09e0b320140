// The details of the row with the focus: its figures, why its dates are what they are, what if, links and promises.
import { useEffect, useRef } from "preact/hooks";
import { Icon } from "../../app/icons";
import { chord } from "../../app/keys";
import { NO_DAY } from "../../dates/days";
import { longDay, shortDay } from "../../dates/format";
import { calls } from "../../words/calls";
import { inspect } from "../../words/inspect";
import { schedule } from "../../words/schedule";
import { t } from "../../words/words";
import type { Desk } from "../desk";
import { undoKeys } from "../grid/grid_keys";
import { isGroup } from "../plan/layout";
import { CRITICAL, DONE, LATE, MILESTONE, NEAR, SUMMARY } from "../plan/flags";
import { isDraft } from "../plan/row";
import { LinkList } from "./link_list";
import { Promises } from "./promises";
import { Responsible } from "./responsible";
import { WhatIf } from "./what_if";
import { Why } from "./why";
import { WorkingTime } from "./working_time";

export function Inspector({ desk }: { desk: Desk }) {
  const plan = desk.plan.watch();
  const { id } = desk.focus.value;
  const task = id ? plan.task(id) : -1;
  const row = plan.rows[task];
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    desk.enterDetails = () => box.current?.focus();
    return () => {
      desk.enterDetails = null;
    };
  }, []);
  const close = () => {
    desk.inspector.value = false;
    desk.enter?.(desk.pane.peek());
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const key = chord(event);
    if (key === "Shift+F2") close();
    else if (key === "Escape") desk.enter?.(desk.pane.peek());
    else if (key === "F6") desk.enter?.("grid");
    // A text field has an undo of its own.
    else if ((event.target as Element).matches("input, textarea") || !undoKeys(desk, key)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <aside ref={box} class="inspector" tabIndex={-1} aria-label={t(schedule.inspector)} onKeyDown={onKeyDown}>
      <div class="row">
        <h2 class="grow">{row?.name ?? t(schedule.inspector)}</h2>
        <button type="button" class="icon" aria-label={t(calls.close)} onClick={close}>
          <Icon name="close" />
        </button>
      </div>
      {!row || isDraft(row) || isGroup(row) ? (
        <p class="quiet">{t(inspect.choose)}</p>
      ) : (
        <>
          <Marks desk={desk} task={task} />
          <Figures desk={desk} task={task} />
          {desk.canAuthor.value && !row.can_edit && <p class="quiet small">{t(schedule.notYours)}</p>}
          {row.schedule_issue && <p class="chip bad">{t(inspect.issue, { text: row.schedule_issue })}</p>}
          <Why key={`why-${row.id}`} desk={desk} id={row.id} version={`${row.server_version}.${plan.start[task]}.${plan.finish[task]}`} />
          {!(plan.flags[task]! & (SUMMARY | MILESTONE | DONE)) && <WhatIf key={`if-${row.id}`} desk={desk} row={row} />}
          {!(plan.flags[task]! & SUMMARY) && <Responsible desk={desk} row={row} />}
          <LinkList desk={desk} task={task} />
          <Promises key={`promises-${row.id}`} desk={desk} row={row} />
          {!(plan.flags[task]! & SUMMARY) && <WorkingTime key={`time-${row.id}`} desk={desk} row={row} />}
        </>
      )}
    </aside>
  );
}

function Marks({ desk, task }: { desk: Desk; task: number }) {
  const plan = desk.plan.watch();
  const flags = plan.flags[task]!;
  const row = plan.rows[task]!;
  return (
    <div class="row wrap">
      <span class="chip num">{row.qualified_id}</span>
      {flags & SUMMARY ? <span class="chip">{t(schedule.phase)}</span> : null}
      {flags & MILESTONE ? <span class="chip">{t(schedule.milestone)}</span> : null}
      {flags & DONE ? <span class="chip good">{t(schedule.done)}</span> : null}
      {flags & CRITICAL && !(flags & DONE) ? <span class="chip bad">{t(schedule.critical)}</span> : null}
      {flags & NEAR ? <span class="chip warn">{t(schedule.near)}</span> : null}
      {flags & LATE ? <span class="chip bad">{t(schedule.barLate)}</span> : null}
    </div>
  );
}

function Figures({ desk, task }: { desk: Desk; task: number }) {
  const plan = desk.plan.watch();
  const row = plan.rows[task]!;
  const base = plan.baseFinish[task]! !== NO_DAY ? plan.finish[task]! - plan.baseFinish[task]! : null;
  return (
    <dl>
      <dt>{t(inspect.start)}</dt>
      <dd>{longDay(plan.start[task]!)}</dd>
      <dt>{t(inspect.finish)}</dt>
      <dd>{longDay(plan.finish[task]!)}</dd>
      {!(plan.flags[task]! & MILESTONE) && row.duration !== null && (
        <>
          <dt>{t(inspect.duration)}</dt>
          <dd>{t(schedule.days, { n: row.duration })}</dd>
        </>
      )}
      <dt>{t(inspect.progress)}</dt>
      <dd>{Math.round(plan.percent[task]!)} %</dd>
      {plan.float[task] !== NO_DAY && (
        <>
          <dt>{t(inspect.float)}</dt>
          <dd>
            {t(schedule.days, { n: plan.float[task]! })}
            {row.free_float !== null && row.free_float !== plan.float[task] ? ` (${t(inspect.freeFloat)} ${row.free_float})` : ""}
          </dd>
        </>
      )}
      {base !== null && (
        <>
          <dt>{t(inspect.baseline)}</dt>
          <dd>
            {shortDay(plan.baseFinish[task]!)}{" "}
            {base !== 0 && <span class={base > 0 ? "chip bad" : "chip good"}>{base > 0 ? `+${base}` : base}</span>}
          </dd>
        </>
      )}
      {row.assignments.length > 0 && (
        <>
          <dt>{t(inspect.people)}</dt>
          <dd>{row.assignments.map((one) => one.resource_name).join(", ")}</dd>
        </>
      )}
    </dl>
  );
}
