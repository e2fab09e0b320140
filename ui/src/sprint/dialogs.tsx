// The dialogs of a sprint: a new one, and its end with a place for what is not finished.
import { useState } from "preact/hooks";
import { api, ok, type Schemas } from "../api/client";
import { useAction } from "../api/read";
import { Icon } from "../app/icons";
import { Dialog } from "../app/dialog";
import { Failure } from "../app/failure";
import { Field, value } from "../app/field";
import { toast } from "../app/toast";
import { dayOf, isoOf, NO_DAY, today } from "../dates/days";
import { shortDay } from "../dates/format";
import { calls } from "../words/calls";
import { sprint as words } from "../words/sprint";
import { t } from "../words/words";
import type { Task } from "../board/model";
import { closesEarly, isTooMuch, promisedPoints, type Sprint, startsEarly } from "./model";

export function NewSprint({
  project,
  sprints,
  close,
  made,
}: {
  project: string;
  sprints: Sprint[];
  close: () => void;
  made: (sprint: Sprint) => void;
}) {
  const lastEnd = Math.max(...sprints.filter((one) => one.state !== "CANCELLED").map((one) => dayOf(one.finish_date)), NO_DAY);
  const first = lastEnd === NO_DAY ? today() : lastEnd + 1;
  const [form, setForm] = useState({
    name: `Sprint ${sprints.length + 1}`,
    goal: "",
    start_date: isoOf(first),
    finish_date: isoOf(first + 13),
  });
  const set = (name: keyof typeof form) => (event: Event) => setForm({ ...form, [name]: value(event) });
  const save = useAction(async () => {
    made(await ok(api.POST("/api/v1/projects/{project_pk}/sprints/", { params: { path: { project_pk: project } }, body: form })));
    close();
  });
  const wrong = save.error?.fields ?? {};
  return (
    <Dialog title={t(words.newSprint)} close={close}>
      <form class="stack" onSubmit={(event) => (event.preventDefault(), void save.run())}>
        {save.error && (save.error.status !== 400 || wrong.non_field_errors) && (
          <Failure error={save.error} retry={() => void save.run()} />
        )}
        <Field label={t(words.name)} wrong={wrong.name}>
          <input required maxLength={255} value={form.name} onInput={set("name")} />
        </Field>
        <Field label={t(words.goal)} wrong={wrong.goal}>
          <input value={form.goal} placeholder={t(words.goalHint)} onInput={set("goal")} />
        </Field>
        <div class="pair">
          <Field label={t(words.first)} wrong={wrong.start_date}>
            <input type="date" required value={form.start_date} onInput={set("start_date")} />
          </Field>
          <Field label={t(words.last)} wrong={wrong.finish_date}>
            <input type="date" required value={form.finish_date} onInput={set("finish_date")} />
          </Field>
        </div>
        <div class="ends">
          <button type="button" class="button" onClick={close}>
            {t(calls.cancel)}
          </button>
          <button type="submit" class="button primary" disabled={save.busy}>
            {t(calls.add)}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** Something that does not hinder a step, and that somebody should know before it. */
const Warning = ({ text }: { text: string }) => (
  <p class="sprint-warning">
    <Icon name="warn" /> {text}
  </p>
);

/** What is asked before a sprint starts: the promise, and what looks like a slip. */
export function StartQuestion({ sprint, tasks }: { sprint: Sprint; tasks: Task[] }) {
  const early = startsEarly(sprint, today());
  const points = promisedPoints(sprint, tasks);
  return (
    <div class="stack">
      <p>{t(words.startAsk)}</p>
      {early > 0 && <Warning text={t(words.earlyStart, { n: early, day: shortDay(dayOf(sprint.start_date)) })} />}
      {isTooMuch(points, sprint.capacity_points) && (
        <Warning text={t(words.tooMuch, { promised: points!, capacity: sprint.capacity_points! })} />
      )}
    </div>
  );
}

interface CloseProps {
  sprint: Sprint;
  unfinished: number;
  later: Sprint[];
  close: () => void;
  closed: () => void;
}

export function CloseSprint({ sprint, unfinished, later, close, closed }: CloseProps) {
  const [to, setTo] = useState(later[0]?.id ?? "backlog");
  const early = closesEarly(sprint, today());
  const [pending, setPending] = useState<Schemas["PendingDisposition"]>("carry");
  const save = useAction(async () => {
    const body = { carry_over_to: to, ...(sprint.pending_count ? { pending_disposition: pending } : {}) };
    await ok(api.POST("/api/v1/sprints/{id}/close/", { params: { path: { id: sprint.id } }, body: body as never }));
    toast(t(words.closing));
    closed();
    close();
  });
  return (
    <Dialog title={`${t(words.close)}: ${sprint.name}`} close={close}>
      <form class="stack" onSubmit={(event) => (event.preventDefault(), void save.run())}>
        {save.error && <Failure error={save.error} retry={() => void save.run()} />}
        {early > 0 && <Warning text={t(words.earlyClose, { n: early, day: shortDay(dayOf(sprint.finish_date)) })} />}
        {unfinished > 0 && (
          <Field label={t(words.closeAsk, { n: unfinished })}>
            <select value={to} onChange={(event) => setTo(value(event))}>
              {later.map((one) => (
                <option key={one.id} value={one.id}>
                  {t(words.toSprint, { name: one.name })}
                </option>
              ))}
              <option value="backlog">{t(words.toBacklog)}</option>
              <option value="none">{t(words.toNowhere)}</option>
            </select>
          </Field>
        )}
        {sprint.pending_count > 0 && (
          <Field label={t(words.undecided, { n: sprint.pending_count })}>
            <select value={pending} onChange={(event) => setPending(value(event) as never)}>
              <option value="carry">{t(words.carry)}</option>
              <option value="reject">{t(words.reject)}</option>
            </select>
          </Field>
        )}
        <div class="ends">
          <button type="button" class="button" onClick={close}>
            {t(calls.cancel)}
          </button>
          <button type="submit" class="button primary" disabled={save.busy}>
            {t(words.close)}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
