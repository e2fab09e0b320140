// Calendars of the workspace: working days, hours, days that differ, and which plans use them.
import { useState } from "preact/hooks";
import { readOnly } from "../api/connection";
import { api, ok, type Schemas } from "../api/client";
import { useAction, useRead } from "../api/read";
import { ask } from "../app/dialog";
import { Failure, Shown } from "../app/failure";
import { Field, value } from "../app/field";
import { Icon } from "../app/icons";
import { dayOf } from "../dates/days";
import { shortDay, weekdayName } from "../dates/format";
import { admin as words } from "../words/admin";
import { calls } from "../words/calls";
import { settings } from "../words/settings";
import { t } from "../words/words";
import { Part, TextSetting, useSave, useShown } from "./form";

type Calendar = Schemas["Calendar"];

export function Calendars() {
  const read = useRead(() => ok(api.GET("/api/v1/calendars/", { params: { query: { page_size: 200 } as never } })), []);
  const [name, setName] = useState("");
  const add = useAction(async () => {
    await ok(api.POST("/api/v1/calendars/", { body: { name: name.trim(), working_days: 31 } }));
    setName("");
    read.retry();
  });
  return (
    <>
      <Part title={t(words.newCalendar)} error={add.error && !add.error.fields.name ? add.error : null}>
        <form class="row wrap setting-invite" onSubmit={(event) => (event.preventDefault(), void add.run())}>
          <Field label={t(settings.name)} wrong={add.error?.fields.name}>
            <input required maxLength={255} value={name} onInput={(event) => setName(value(event))} />
          </Field>
          <button type="submit" class="button primary" disabled={add.busy}>
            {t(calls.add)}
          </button>
        </form>
      </Part>
      <Shown read={read}>{(page) => page.results.map((one) => <CalendarPart key={one.id} calendar={one} changed={read.retry} />)}</Shown>
    </>
  );
}

function CalendarPart({ calendar, changed }: { calendar: Calendar; changed: () => void }) {
  const path = { id: calendar.id };
  const uses = useRead(() => ok(api.GET("/api/v1/calendars/{id}/uses/", { params: { path } })), [calendar.id]);
  const { save, error } = useSave((body) => ok(api.PATCH("/api/v1/calendars/{id}/", { params: { path }, body })), changed);
  const [days, choose] = useShown(calendar.working_days);
  const turn = (day: number) => choose(days ^ (1 << day), save({ working_days: days ^ (1 << day) }));
  const remove = useAction(async () => {
    const used = (uses.data ?? []).map((one) => one.name).join(", ");
    if (
      !(await ask(
        t(words.removeCalendar, { name: calendar.name }),
        used ? t(words.usedBy, { names: used }) : t(words.unusedCalendar),
        t(calls.remove),
        true,
      ))
    )
      return;
    await ok(api.DELETE("/api/v1/calendars/{id}/", { params: { path } }));
    changed();
  });
  return (
    <Part title={calendar.name} error={remove.error ?? (error && Object.keys(error.fields).length === 0 ? error : null)}>
      <div class="pair">
        <TextSetting label={t(settings.name)} name="name" value={calendar.name} save={save} wrong={error?.fields.name} />
        <TextSetting
          label={t(words.hours)}
          name="hours_per_day"
          value={String(calendar.hours_per_day)}
          save={({ hours_per_day: hours }) => save({ hours_per_day: Number(String(hours).replace(",", ".")) })}
          wrong={error?.fields.hours_per_day}
        />
      </div>
      <fieldset class="setting-checks">
        <legend>{t(words.weekdays)}</legend>
        {Array.from({ length: 7 }, (_, day) => (
          <label key={day} class="check small">
            <input type="checkbox" disabled={readOnly.value} checked={(days & (1 << day)) !== 0} onChange={() => turn(day)} />{" "}
            {weekdayName(day)}
          </label>
        ))}
      </fieldset>
      <Exceptions calendar={calendar} changed={changed} />
      {(uses.data ?? []).length > 0 && (
        <p class="small quiet">{t(words.usedBy, { names: uses.data!.map((one) => one.name).join(", ") })}</p>
      )}
      <div>
        <button
          type="button"
          class="button small danger"
          disabled={remove.busy}
          aria-label={`${t(calls.remove)}: ${calendar.name}`}
          onClick={() => void remove.run()}
        >
          {t(calls.remove)}
        </button>
      </div>
    </Part>
  );
}

function Exceptions({ calendar, changed }: { calendar: Calendar; changed: () => void }) {
  const empty = { from: "", to: "", reason: "", working: false };
  const [form, setForm] = useState(empty);
  const path = { calendar_pk: calendar.id };
  const act = useAction(async (work: () => Promise<unknown>) => {
    await work();
    changed();
  });
  const add = async (event: Event) => {
    event.preventDefault();
    const body = { exc_start: form.from, exc_end: form.to || form.from, description: form.reason, working: form.working };
    if (await act.run(() => ok(api.POST("/api/v1/calendars/{calendar_pk}/exceptions/", { params: { path }, body })))) setForm(empty);
  };
  const wrong = act.error?.fields ?? {};
  const days = [...calendar.exceptions].sort((a, b) => a.exc_start.localeCompare(b.exc_start));
  return (
    <details>
      <summary>
        {t(words.exceptions)} ({days.length})
      </summary>
      <div class="stack setting-inside">
        {act.error && Object.keys(wrong).length === 0 && <Failure error={act.error} />}
        {days.length === 0 && <p class="quiet small">{t(words.noExceptions)}</p>}
        <ul class="setting-list">
          {days.map((one) => (
            <li key={one.id} class="row wrap">
              <span class="grow num">
                {shortDay(dayOf(one.exc_start))}
                {one.exc_end !== one.exc_start && ` – ${shortDay(dayOf(one.exc_end))}`} <span class="quiet">{one.description}</span>
              </span>
              <span class={one.working ? "chip good" : "chip"}>{t(one.working ? words.worked : words.free)}</span>
              <button
                type="button"
                class="icon"
                disabled={act.busy}
                aria-label={`${t(calls.remove)}: ${shortDay(dayOf(one.exc_start))}`}
                onClick={() =>
                  void act.run(() =>
                    ok(api.DELETE("/api/v1/calendars/{calendar_pk}/exceptions/{id}/", { params: { path: { ...path, id: one.id } } })),
                  )
                }
              >
                <Icon name="close" />
              </button>
            </li>
          ))}
        </ul>
        <form class="stack" onSubmit={(event) => void add(event)}>
          <div class="pair">
            <Field label={t(words.from)} wrong={wrong.exc_start}>
              <input type="date" required value={form.from} onInput={(event) => setForm({ ...form, from: value(event) })} />
            </Field>
            <Field label={t(words.to)} wrong={wrong.exc_end}>
              <input type="date" value={form.to} onInput={(event) => setForm({ ...form, to: value(event) })} />
            </Field>
            <Field label={t(words.reason)} wrong={wrong.description}>
              <input value={form.reason} onInput={(event) => setForm({ ...form, reason: value(event) })} />
            </Field>
          </div>
          <label class="check">
            <input
              type="checkbox"
              checked={form.working}
              onChange={(event) => setForm({ ...form, working: event.currentTarget.checked })}
            />{" "}
            {t(words.workedDays)}
          </label>
          <div>
            <button type="submit" class="button small" disabled={act.busy}>
              {t(calls.add)}
            </button>
          </div>
        </form>
      </div>
    </details>
  );
}
