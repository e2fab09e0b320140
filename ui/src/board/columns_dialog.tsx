// Names, order, limits and visibility of the columns, saved as one.
import { useState } from "preact/hooks";
import { api, ok } from "../api/client";
import { useAction } from "../api/read";
import { Dialog } from "../app/dialog";
import { Failure } from "../app/failure";
import { value } from "../app/field";
import { Icon } from "../app/icons";
import { board } from "../words/board";
import { calls } from "../words/calls";
import { t } from "../words/words";
import type { Column } from "./model";

export function ColumnsDialog({
  project,
  columns,
  close,
  saved,
}: {
  project: string;
  columns: Column[];
  close: () => void;
  saved: () => void;
}) {
  const [rows, setRows] = useState(columns);
  const edit = (at: number, change: Partial<Column>) => setRows(rows.map((row, index) => (index === at ? { ...row, ...change } : row)));
  const shift = (at: number, by: number) => {
    const next = [...rows];
    const [row] = next.splice(at, 1);
    next.splice(at + by, 0, row!);
    setRows(next);
  };
  const save = useAction(async () => {
    const body = {
      columns: rows.map(({ status, label, visible, color, wip_limit, age_threshold_days }) => ({
        status,
        label,
        visible,
        color,
        wip_limit,
        age_threshold_days,
      })),
    };
    await ok(api.PUT("/api/v1/projects/{id}/board-config/", { params: { path: { id: project } }, body }));
    saved();
    close();
  });
  return (
    <Dialog title={t(board.columns)} close={close}>
      <form class="stack" onSubmit={(event) => (event.preventDefault(), void save.run())}>
        {save.error && <Failure error={save.error} />}
        <table class="table">
          <thead>
            <tr>
              <th>{t(board.label)}</th>
              <th>{t(board.limit)}</th>
              <th>{t(board.shown)}</th>
              <th>
                <span class="hidden-text">{t(calls.more)}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row, at) => (
              <tr key={row.status}>
                <td>
                  <input
                    class="input"
                    required
                    maxLength={32}
                    aria-label={t(board.label)}
                    value={row.label}
                    onInput={(event) => edit(at, { label: value(event) })}
                  />
                </td>
                <td>
                  <input
                    class="input board-limit"
                    type="number"
                    min={1}
                    aria-label={`${t(board.limit)}: ${row.label}`}
                    value={row.wip_limit ?? ""}
                    onInput={(event) => edit(at, { wip_limit: value(event) ? Number(value(event)) : null })}
                  />
                </td>
                <td>
                  <input
                    type="checkbox"
                    aria-label={`${t(board.shown)}: ${row.label}`}
                    checked={row.visible}
                    onChange={(event) => edit(at, { visible: event.currentTarget.checked })}
                  />
                </td>
                <td class="row">
                  <button
                    type="button"
                    class="icon"
                    disabled={at === 0}
                    aria-label={`${t(board.earlier)}: ${row.label}`}
                    onClick={() => shift(at, -1)}
                  >
                    <Icon name="up" />
                  </button>
                  <button
                    type="button"
                    class="icon"
                    disabled={at === rows.length - 1}
                    aria-label={`${t(board.later)}: ${row.label}`}
                    onClick={() => shift(at, 1)}
                  >
                    <Icon name="down" />
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        <div class="ends">
          <button type="button" class="button" onClick={close}>
            {t(calls.cancel)}
          </button>
          <button type="submit" class="button primary" disabled={save.busy}>
            {t(calls.save)}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
