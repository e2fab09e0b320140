// The timesheet of a week: a cell for each task and day, saved when it is left.
import { useRef, useState } from "preact/hooks";
import { api, ok, type Schemas } from "../api/client";
import { useAction, useRead } from "../api/read";
import { Failure, Shown } from "../app/failure";
import { Icon } from "../app/icons";
import { keptText } from "../api/kept";
import { isoOf, isoWeek, today } from "../dates/days";
import { dayShort, longDay, moment } from "../dates/format";
import { work } from "../words/work";
import { t } from "../words/words";
import { Cell, cellKey, type Open } from "./cell";
import { clock, mondayOf, sheetOf, type SheetRow, sum } from "./time";

export function Sheet({ tasks }: { tasks: Schemas["MeWorkTask"][] }) {
  const [monday, setMonday] = useState(mondayOf(today()));
  const [added, setAdded] = useState<string[]>([]);
  const read = useRead(
    () => ok(api.GET("/api/v1/me/time-entries/", { params: { query: { from: isoOf(monday), to: isoOf(monday + 6) } } })),
    [monday],
  );
  const open = useRef<Open>({ saving: new Set(), wrong: new Set() }).current;
  const table = useRef<HTMLDivElement>(null);
  const [held, setHeld] = useState(0);
  const submit = useAction(async (yes: boolean) => {
    await Promise.all(open.saving);
    setHeld(open.wrong.size);
    if (yes && open.wrong.size > 0) {
      table.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
      return;
    }
    const params = { path: { week_start: isoOf(monday) } };
    if (yes) await ok(api.POST("/api/v1/me/timesheets/{week_start}/submit", { params } as never));
    else await ok(api.DELETE("/api/v1/me/timesheets/{week_start}/submit", { params } as never));
    read.retry();
  });
  const go = (to: number) => {
    setHeld(0);
    setMonday(to);
  };
  const { week, year } = isoWeek(monday);
  const days = Array.from({ length: 7 }, (_, at) => monday + at);
  const typedInto = (task: string) => days.some((day) => keptText(cellKey(task, day)) !== null);
  const extra = tasks
    .filter((task) => added.includes(task.id) || typedInto(task.id))
    .map((task) => ({ id: task.id, name: task.name, project: task.project_name }));
  return (
    <section class="card stack">
      <div class="row wrap">
        <h2 class="grow">{t(work.week, { week, year: String(year) })}</h2>
        <span class="row">
          <button type="button" class="icon" aria-label={t(work.before)} title={t(work.before)} onClick={() => go(monday - 7)}>
            <Icon name="left" />
          </button>
          <button type="button" class="button small" onClick={() => go(mondayOf(today()))}>
            {t(work.thisWeek)}
          </button>
          <button type="button" class="icon" aria-label={t(work.after)} title={t(work.after)} onClick={() => go(monday + 7)}>
            <Icon name="right" />
          </button>
        </span>
      </div>
      {submit.error && <Failure error={submit.error} />}
      <Shown read={read}>
        {(data) => {
          const rows = sheetOf(data.results, monday, extra);
          const locked = data.submission.submitted;
          return (
            <>
              {rows.length === 0 && <p class="quiet">{t(work.noTime)}</p>}
              {rows.length > 0 && (
                <div ref={table} class="scroll-x" onInput={() => setHeld(0)}>
                  <SheetTable rows={rows} days={days} locked={locked} open={open} saved={read.retry} />
                </div>
              )}
              {held > 0 && !locked && (
                <p class="wrong" role="alert">
                  {t(work.held, { n: held })}
                </p>
              )}
              <div class="row wrap">
                {!locked && (
                  <select
                    class="input sheet-add"
                    aria-label={t(work.addRow)}
                    value=""
                    onChange={(event) => setAdded([...added, event.currentTarget.value])}
                  >
                    <option value="">{t(work.addRow)}</option>
                    {tasks
                      .filter((task) => !rows.some((row) => row.task === task.id))
                      .map((task) => (
                        <option key={task.id} value={task.id}>
                          {task.project_name}: {task.name}
                        </option>
                      ))}
                  </select>
                )}
                <span class="small quiet grow">{t(locked ? work.locked : work.hint)}</span>
                {locked ? (
                  <>
                    <span class="chip good">
                      {t(work.submitted, { when: data.submission.submitted_at ? moment(data.submission.submitted_at) : "" })}
                    </span>
                    <button type="button" class="button small" disabled={submit.busy} onClick={() => void submit.run(false)}>
                      {t(work.unsubmit)}
                    </button>
                  </>
                ) : (
                  <button
                    type="button"
                    class="button primary"
                    disabled={submit.busy || data.totals.week_minutes === 0}
                    onClick={() => void submit.run(true)}
                  >
                    {t(work.submit)}
                  </button>
                )}
              </div>
            </>
          );
        }}
      </Shown>
    </section>
  );
}

/** On a phone each task is a block with its days below the name, so the roles of the table are written out. */
function SheetTable({
  rows,
  days,
  locked,
  open,
  saved,
}: {
  rows: SheetRow[];
  days: number[];
  locked: boolean;
  open: Open;
  saved: () => void;
}) {
  return (
    <table class="table sheet" role="table">
      <thead role="rowgroup">
        <tr role="row">
          <th role="columnheader">{t(work.task)}</th>
          {days.map((day) => (
            <th key={day} role="columnheader" class={day === today() ? "num is-today" : "num"} title={longDay(day)}>
              {dayShort(day)}
            </th>
          ))}
          <th role="columnheader" class="num">
            {t(work.total)}
          </th>
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row) => (
          <tr key={row.task} role="row">
            <th role="rowheader" scope="row">
              <span class="sheet-task">{row.name}</span>
              <span class="small quiet">{row.project}</span>
            </th>
            {days.map((day, at) => (
              <Cell key={`${day}${locked}`} row={row} day={day} at={at} locked={locked} open={open} saved={saved} />
            ))}
            <td role="cell" class="num" data-day={t(work.total)}>
              <b>{clock(row.days.reduce((all, day) => all + sum(day), 0))}</b>
            </td>
          </tr>
        ))}
      </tbody>
      <tfoot role="rowgroup">
        <tr role="row">
          <th role="rowheader" scope="row">
            {t(work.total)}
          </th>
          {days.map((day, at) => {
            const all = rows.reduce((all, row) => all + sum(row.days[at]!), 0);
            return (
              <td key={day} role="cell" class="num" data-day={dayShort(day)}>
                {all ? clock(all) : "–"}
              </td>
            );
          })}
          <td role="cell" class="num" data-day={t(work.total)}>
            <b>{clock(rows.reduce((all, row) => all + row.days.reduce((part, day) => part + sum(day), 0), 0))}</b>
          </td>
        </tr>
      </tfoot>
    </table>
  );
}
