// The calendar that a row works by: that of its project, or one of its own.
import { api, ok } from "../../api/client";
import { useRead } from "../../api/read";
import { Shown } from "../../app/failure";
import { Field, value } from "../../app/field";
import { inspect } from "../../words/inspect";
import { t } from "../../words/words";
import type { Desk } from "../desk";
import { patch } from "../edit/patch";
import type { TaskRow } from "../plan/row";

export function WorkingTime({ desk, row }: { desk: Desk; row: TaskRow }) {
  desk.plan.watch();
  const read = useRead(() => ok(api.GET("/api/v1/calendars/", { params: { query: { page_size: 200 } as never } })), []);
  const choose = (calendar: string) => void desk.edits.run(patch(desk, row, { calendar: calendar || null }));
  return (
    <section class="stack">
      <h3>{t(inspect.workingTime)}</h3>
      <Shown read={read} lines={1}>
        {(page) => (
          <Field label={t(inspect.calendar)}>
            <select value={row.calendar ?? ""} disabled={!desk.canAuthor.value || !row.can_edit} onChange={(event) => choose(value(event))}>
              <option value="">{t(inspect.asProject)}</option>
              {page.results.map((one) => (
                <option key={one.id} value={one.id}>
                  {one.name}
                </option>
              ))}
            </select>
          </Field>
        )}
      </Shown>
    </section>
  );
}
