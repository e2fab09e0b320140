// The same field was changed here and by somebody else: both values, and the choice.
import { Dialog } from "../../app/dialog";
import { schedule } from "../../words/schedule";
import { t } from "../../words/words";
import { conflict } from "./patch";

export function Conflicts() {
  const open = conflict.value;
  if (!open) return null;
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
              <td class="quiet">{field}</td>
              <td>{String(open.theirs[field] ?? "–")}</td>
              <td>{String(open.mine[field] ?? "–")}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <div class="ends">
        <button type="button" class="button" onClick={() => end(false)}>{t(schedule.useTheirs)}</button>
        <button type="button" class="button primary" onClick={() => end(true)}>{t(schedule.keepMine)}</button>
      </div>
    </Dialog>
  );
}
