// One cell of the timesheet: saved when it is left. What cannot be saved stays in it, with the reason, also after the page was left.
import { useEffect, useState } from "preact/hooks";
import { api, ok, patiently } from "../api/client";
import { asCallError } from "../api/errors";
import { forgetText, keepText, keptText } from "../api/kept";
import { isoOf, today } from "../dates/days";
import { dayShort, longDay } from "../dates/format";
import { work } from "../words/work";
import { t } from "../words/words";
import { clock, type SheetRow, type Step, stepsTo, sum, typedMinutes } from "./time";

/** What stands in the way of a submission: cells that are being saved, and cells that could not be. */
export interface Open {
  saving: Set<Promise<void>>;
  wrong: Set<string>;
}

export const cellKey = (task: string, day: number): string => `sheet.${task}.${isoOf(day)}`;

interface CellProps {
  row: SheetRow;
  day: number;
  at: number;
  locked: boolean;
  open: Open;
  saved: () => void;
}

async function write(step: Step, task: string, day: number): Promise<void> {
  if (step.kind === "add")
    await ok(
      api.POST("/api/v1/tasks/{task_pk}/time-entries/", {
        params: { path: { task_pk: task } },
        body: { minutes: step.minutes, entry_date: isoOf(day) },
      }),
    );
  else if (step.kind === "set")
    await ok(api.PATCH("/api/v1/me/time-entries/{id}/", { params: { path: { id: step.id } }, body: { minutes: step.minutes } }));
  else await ok(api.DELETE("/api/v1/me/time-entries/{id}/", { params: { path: { id: step.id } } }));
}

export function Cell({ row, day, at, locked, open, saved }: CellProps) {
  const entries = row.days[at]!;
  const now = sum(entries) ? clock(sum(entries)) : "";
  const key = cellKey(row.task, day);
  const [text, setText] = useState(() => keptText(key));
  const [wrong, setWrong] = useState<string | null>(null);
  const fails = (reason: string) => {
    open.wrong.add(key);
    setWrong(reason);
  };
  const type = (next: string | null) => {
    if (next === null) forgetText(key);
    else keepText(key, next);
    setText(next);
    if (next !== null) return;
    open.wrong.delete(key);
    setWrong(null);
  };
  const save = async () => {
    if (text === null || text === now) return type(null);
    const minutes = typedMinutes(text);
    if (minutes === null) return fails(t(work.wrong, { text }));
    if (minutes > 1440) return fails(t(work.tooMuch));
    try {
      for (const step of stepsTo(entries, minutes)) await patiently(() => write(step, row.task, day));
      type(null);
      saved();
    } catch (error) {
      fails(asCallError(error).message);
    }
  };
  const leave = () => {
    const work = save();
    open.saving.add(work);
    void work.finally(() => open.saving.delete(work));
  };
  // A text from before the page was left is saved now, or says again why it cannot be.
  useEffect(() => {
    if (text !== null && !locked) leave();
    return () => void open.wrong.delete(key);
  }, []);
  const move = (event: KeyboardEvent) => {
    const cell = (event.target as HTMLElement).closest("td")!;
    const tr = cell.parentElement as HTMLTableRowElement;
    if (event.key === "Escape") return type(null);
    const next =
      event.key === "Enter" || event.key === "ArrowDown"
        ? tr.nextElementSibling
        : event.key === "ArrowUp"
          ? tr.previousElementSibling
          : null;
    const input = (next as HTMLTableRowElement | null)?.cells[cell.cellIndex]?.querySelector("input");
    if (input) input.focus();
    else if (event.key === "Enter") leave();
  };
  const shown = locked ? now : (text ?? now);
  return (
    <td role="cell" class={day === today() ? "num is-today" : "num"} data-day={dayShort(day)}>
      <input
        class="sheet-cell num"
        inputMode="text"
        disabled={locked || day > today()}
        aria-invalid={wrong !== null}
        aria-describedby={wrong ? key : undefined}
        aria-label={t(work.cell, { name: row.name, day: longDay(day) })}
        title={entries
          .map((entry) => entry.note)
          .filter(Boolean)
          .join("\n")}
        value={shown}
        onInput={(event) => type(event.currentTarget.value)}
        onBlur={leave}
        onKeyDown={move}
      />
      {wrong !== null && (
        <span id={key} class="sheet-why" role="alert">
          {wrong}
        </span>
      )}
    </td>
  );
}
