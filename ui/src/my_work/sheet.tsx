// The timesheet of a week: a cell for each task and day, saved when it is left.
import { useState } from "preact/hooks";
import { api, ok, patiently, type Schemas } from "../api/client";
import { asCallError } from "../api/errors";
import { useAction, useRead } from "../api/read";
import { Failure, Shown } from "../app/failure";
import { Icon } from "../app/icons";
import { refuse } from "../app/toast";
import { isoOf, isoWeek, today } from "../dates/days";
import { longDay, moment, weekdayLetter } from "../dates/format";
import { work } from "../words/work";
import { t } from "../words/words";
import { clock, mondayOf, sheetOf, type SheetRow, type Step, stepsTo, sum, typedMinutes } from "./time";

export function Sheet({ tasks }: { tasks: Schemas["MeWorkTask"][] }) {
  const [monday, setMonday] = useState(mondayOf(today()));
  const [added, setAdded] = useState<string[]>([]);
  const read = useRead(() => ok(api.GET("/api/v1/me/time-entries/", { params: { query: { from: isoOf(monday), to: isoOf(monday + 6) } } })), [monday]);
  const submit = useAction(async (yes: boolean) => {
    const params = { path: { week_start: isoOf(monday) } };
    if (yes) await ok(api.POST("/api/v1/me/timesheets/{week_start}/submit", { params } as never));
    else await ok(api.DELETE("/api/v1/me/timesheets/{week_start}/submit", { params } as never));
    read.retry();
  });
  const { week, year } = isoWeek(monday);
  const extra = tasks.filter((task) => added.includes(task.id)).map((task) => ({ id: task.id, name: task.name, project: task.project_name }));
  const days = Array.from({ length: 7 }, (_, at) => monday + at);
  return (
    <section class="card stack">
      <div class="row wrap">
        <h2 class="grow">{t(work.week, { week, year: String(year) })}</h2>
        <span class="row">
          <button type="button" class="icon" aria-label={t(work.before)} title={t(work.before)} onClick={() => setMonday(monday - 7)}><Icon name="left" /></button>
          <button type="button" class="button small" onClick={() => setMonday(mondayOf(today()))}>{t(work.thisWeek)}</button>
          <button type="button" class="icon" aria-label={t(work.after)} title={t(work.after)} onClick={() => setMonday(monday + 7)}><Icon name="right" /></button>
        </span>
      </div>
      {submit.error && <Failure error={submit.error} />}
      <Shown read={read}>
        {(data) => {
          const rows = sheetOf(data.results, monday, extra);
          return (
            <>
              {rows.length === 0 && <p class="quiet">{t(work.noTime)}</p>}
              {rows.length > 0 && <SheetTable rows={rows} days={days} saved={read.retry} />}
              <div class="row wrap">
                <select class="input sheet-add" aria-label={t(work.addRow)} value="" onChange={(event) => setAdded([...added, event.currentTarget.value])}>
                  <option value="">{t(work.addRow)}</option>
                  {tasks.filter((task) => !rows.some((row) => row.task === task.id)).map((task) => <option key={task.id} value={task.id}>{task.project_name}: {task.name}</option>)}
                </select>
                <span class="small quiet grow">{t(work.hint)}</span>
                {data.submission.submitted ? (
                  <>
                    <span class="chip good">{t(work.submitted, { when: data.submission.submitted_at ? moment(data.submission.submitted_at) : "" })}</span>
                    <button type="button" class="button small" disabled={submit.busy} onClick={() => void submit.run(false)}>{t(work.unsubmit)}</button>
                  </>
                ) : (
                  <button type="button" class="button primary" disabled={submit.busy || data.totals.week_minutes === 0} onClick={() => void submit.run(true)}>{t(work.submit)}</button>
                )}
              </div>
            </>
          );
        }}
      </Shown>
    </section>
  );
}

const dayShort = (day: number): string => `${weekdayLetter(day)} ${new Date(day * 86400000).getUTCDate()}`;

/** On a phone each task is a block with its days below the name, so the roles of the table are written out. */
function SheetTable({ rows, days, saved }: { rows: SheetRow[]; days: number[]; saved: () => void }) {
  return (
    <div class="scroll-x">
      <table class="table sheet" role="table">
        <thead role="rowgroup">
          <tr role="row">
            <th role="columnheader">{t(work.task)}</th>
            {days.map((day) => <th key={day} role="columnheader" class={day === today() ? "num is-today" : "num"} title={longDay(day)}>{dayShort(day)}</th>)}
            <th role="columnheader" class="num">{t(work.total)}</th>
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr key={row.task} role="row">
              <th role="rowheader" scope="row"><span class="sheet-task">{row.name}</span><span class="small quiet">{row.project}</span></th>
              {days.map((day, at) => <Cell key={day} row={row} day={day} at={at} saved={saved} />)}
              <td role="cell" class="num" data-day={t(work.total)}><b>{clock(row.days.reduce((all, day) => all + sum(day), 0))}</b></td>
            </tr>
          ))}
        </tbody>
        <tfoot role="rowgroup">
          <tr role="row">
            <th role="rowheader" scope="row">{t(work.total)}</th>
            {days.map((day, at) => { const all = rows.reduce((all, row) => all + sum(row.days[at]!), 0); return <td key={day} role="cell" class="num" data-day={dayShort(day)}>{all ? clock(all) : "–"}</td>; })}
            <td role="cell" class="num" data-day={t(work.total)}><b>{clock(rows.reduce((all, row) => all + row.days.reduce((part, day) => part + sum(day), 0), 0))}</b></td>
          </tr>
        </tfoot>
      </table>
    </div>
  );
}

async function write(step: Step, task: string, day: number): Promise<void> {
  if (step.kind === "add") await ok(api.POST("/api/v1/tasks/{task_pk}/time-entries/", { params: { path: { task_pk: task } }, body: { minutes: step.minutes, entry_date: isoOf(day) } }));
  else if (step.kind === "set") await ok(api.PATCH("/api/v1/me/time-entries/{id}/", { params: { path: { id: step.id } }, body: { minutes: step.minutes } }));
  else await ok(api.DELETE("/api/v1/me/time-entries/{id}/", { params: { path: { id: step.id } } }));
}

function Cell({ row, day, at, saved }: { row: SheetRow; day: number; at: number; saved: () => void }) {
  const entries = row.days[at]!;
  const now = sum(entries) ? clock(sum(entries)) : "";
  const [text, setText] = useState<string | null>(null);
  const [bad, setBad] = useState(false);
  const save = async () => {
    if (text === null || text === now) return setText(null);
    const minutes = typedMinutes(text);
    if (minutes === null || minutes > 1440) {
      setBad(true);
      return refuse(t(work.wrong, { text }));
    }
    try {
      for (const step of stepsTo(entries, minutes)) await patiently(() => write(step, row.task, day));
      setBad(false);
      setText(null);
      saved();
    } catch (error) {
      setBad(true);
      refuse(asCallError(error).message);
    }
  };
  const move = (event: KeyboardEvent) => {
    const cell = (event.target as HTMLElement).closest("td")!;
    const tr = cell.parentElement as HTMLTableRowElement;
    if (event.key === "Escape") return (setBad(false), setText(null));
    const next = event.key === "Enter" || event.key === "ArrowDown" ? tr.nextElementSibling : event.key === "ArrowUp" ? tr.previousElementSibling : null;
    const input = (next as HTMLTableRowElement | null)?.cells[cell.cellIndex]?.querySelector("input");
    if (input) input.focus();
    else if (event.key === "Enter") void save();
  };
  return (
    <td role="cell" class={day === today() ? "num is-today" : "num"} data-day={dayShort(day)}>
      <input class="sheet-cell num" inputMode="text" disabled={day > today()} aria-invalid={bad} aria-label={t(work.cell, { name: row.name, day: longDay(day) })} title={entries.map((entry) => entry.note).filter(Boolean).join("\n")} value={text ?? now} onInput={(event) => setText(event.currentTarget.value)} onBlur={() => void save()} onKeyDown={move} />
    </td>
  );
}
