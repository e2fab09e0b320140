// The same field was changed here and by somebody else: both values, and the choice. What was typed waits as chips at its
// cell (`kept_notes.tsx`), on a phone below the plan; an undo asks in a dialog.
import { Dialog } from "../../app/dialog";
import { dayOf, NO_DAY } from "../../dates/days";
import { shortDay } from "../../dates/format";
import { useMembers } from "../../projects/members";
import { fieldLabel } from "../../words/field_name";
import { schedule } from "../../words/schedule";
import { type Message, t } from "../../words/words";
import type { Desk } from "../desk";
import { statusText } from "../arrange";
import { focusOn } from "./actions";
import { conflict, type Conflict, type Kept, kept, settle } from "./patch";

const NAMES: Record<string, Message> = {
  name: schedule.name,
  duration: schedule.duration,
  planned_start: schedule.start,
  planned_finish: schedule.finish,
  percent_complete: schedule.percent,
  deadline: schedule.deadline,
};

const nameOf = (field: string): string => (NAMES[field] ? t(NAMES[field]!) : fieldLabel(field));

/** A value of the server as people read it. */
export function shownValue(field: string, value: unknown): string {
  if (value === null || value === undefined || value === "") return "–";
  if (field === "duration") return t(schedule.dayUnit, { n: Number(value) });
  if (field === "status") return statusText(String(value));
  const day = typeof value === "string" && /^\d{4}-\d{2}-\d{2}$/.test(value) ? dayOf(value) : NO_DAY;
  return day === NO_DAY ? String(value) : shortDay(day);
}

/** On a phone: all of them below the plan. */
export function KeptChips({ desk }: { desk: Desk }) {
  if (!kept.value.length) return null;
  return (
    <ul class="kept" role="alert" aria-label={t(schedule.conflictTitle)}>
      {kept.value.map((one) => (
        <li key={`${one.id} ${one.field}`} class="kept-line">
          <KeptField desk={desk} one={one} />
        </li>
      ))}
    </ul>
  );
}

export function KeptField({ desk, one }: { desk: Desk; one: Kept }) {
  return (
    <>
      <button type="button" class="link-button" onClick={() => focusOn(desk, desk.plan.task(one.id))}>
        {one.name}
      </button>
      <span class="quiet">{nameOf(one.field)}</span>
      <span>
        {t(schedule.theirs)}: <b>{shownValue(one.field, one.theirs)}</b>
      </span>
      <span class="chip info">
        {t(schedule.mine)}: <b>{shownValue(one.field, one.mine)}</b>
      </span>
      <button type="button" class="button small" aria-label={`${t(schedule.keepMine)}: ${one.name}`} onClick={one.keepMine}>
        {t(schedule.keepMine)}
      </button>
      <button
        type="button"
        class="button small plain"
        aria-label={`${t(schedule.useTheirs)}: ${one.name}`}
        onClick={() => settle(one.id, one.field)}
      >
        {t(schedule.useTheirs)}
      </button>
    </>
  );
}

export function Conflicts({ project }: { project: string }) {
  return conflict.value && <ConflictDialog open={conflict.value} project={project} />;
}

function ConflictDialog({ open, project }: { open: Conflict; project: string }) {
  const members = useMembers(project).data;
  const shown = (field: string, value: unknown) => members?.find((one) => one.id === value)?.name ?? shownValue(field, value);
  const end = (keep: boolean) => {
    conflict.value = null;
    if (keep) open.keepMine();
  };
  return (
    <Dialog title={t(schedule.conflictTitle)} close={() => end(false)}>
      <p>{open.name}</p>
      <table class="table">
        <thead>
          <tr>
            <th />
            <th>{t(schedule.theirs)}</th>
            <th>{t(schedule.mine)}</th>
          </tr>
        </thead>
        <tbody>
          {open.fields.map((field) => (
            <tr key={field}>
              <td class="quiet">{nameOf(field)}</td>
              <td>{shown(field, open.theirs[field])}</td>
              <td>{shown(field, open.mine[field])}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <div class="ends">
        <button type="button" class="button" onClick={() => end(false)}>
          {t(schedule.useTheirs)}
        </button>
        <button type="button" class="button primary" onClick={() => end(true)}>
          {t(schedule.keepMine)}
        </button>
      </div>
    </Dialog>
  );
}
