// Webhooks of a project or a program: where events are sent, whether they arrived, and another try.
import { useState } from "preact/hooks";
import { readOnly } from "../api/connection";
import { api, ok, type Schemas } from "../api/client";
import { useAction, useRead } from "../api/read";
import { ask } from "../app/dialog";
import { Failure, Shown } from "../app/failure";
import { Field, value } from "../app/field";
import { Icon } from "../app/icons";
import { toast } from "../app/toast";
import { moment } from "../dates/format";
import { admin as words } from "../words/admin";
import { calls } from "../words/calls";
import { t } from "../words/words";
import { Part, useShown } from "./form";
import { ShownOnce } from "./shown_once";

type Hook = Schemas["Webhook"];
type EventName = Schemas["EventsEnum"];

const EVENTS: EventName[] = [
  "task.created",
  "task.updated",
  "task.deleted",
  "task.assigned",
  "task.assignee_changed",
  "task.mentioned",
  "task.due_date_changed",
  "dependency.created",
  "dependency.deleted",
  "schedule.recalculated",
  "project.created",
  "sprint.activated",
  "sprint.closed",
  "sprint.scope_changed",
  "risk.opened",
  "risk.escalated",
  "risk.closed",
  "baseline.captured",
  "comment.created",
];

export interface Owner {
  kind: "projects" | "programs";
  id: string;
}

/** Both kinds of owners have the same routes; the types of the project stand for both. */
const listOf = ({ kind, id }: Owner) => ({
  path: `/api/v1/${kind}/{owner}/webhooks/` as "/api/v1/projects/{project_pk}/webhooks/",
  params: { owner: id } as never as { project_pk: string },
});
const oneOf = ({ kind, id }: Owner, hook: string) => ({
  path: `/api/v1/${kind}/{owner}/webhooks/{id}/` as "/api/v1/projects/{project_pk}/webhooks/{id}/",
  params: { owner: id, id: hook } as never as { project_pk: string; id: string },
});

export function Webhooks({ owner }: { owner: Owner }) {
  const list = listOf(owner);
  const read = useRead(() => ok(api.GET(list.path, { params: { path: list.params, query: { page_size: 100 } as never } })), [owner.id]);
  const [secret, setSecret] = useState("");
  return (
    <>
      <Part title={t(words.webhooks)} text={t(words.webhooksText)}>
        {secret && <ShownOnce text={t(words.secretShown)} value={secret} />}
        <Shown read={read}>
          {(page) =>
            page.results.length === 0 ? (
              <p class="quiet">{t(words.noHooks)}</p>
            ) : (
              <ul class="setting-list">
                {page.results.map((hook) => (
                  <HookRow key={hook.id} owner={owner} hook={hook} changed={read.retry} />
                ))}
              </ul>
            )
          }
        </Shown>
      </Part>
      <NewHook owner={owner} made={(hook) => (setSecret(hook.secret ?? ""), read.retry())} />
    </>
  );
}

function HookRow({ owner, hook, changed }: { owner: Owner; hook: Hook; changed: () => void }) {
  const { path, params } = oneOf(owner, hook.id);
  const [open, setOpen] = useState(false);
  const [choosing, setChoosing] = useState(false);
  const act = useAction(async (work: () => Promise<unknown>) => {
    await work();
    changed();
  });
  const [active, choose] = useShown(hook.is_active);
  const turn = (on: boolean) =>
    choose(
      on,
      act.run(() => ok(api.PATCH(path, { params: { path: params }, body: { is_active: on } }))),
    );
  const test = async () => {
    if (
      await act.run(() =>
        ok(
          api.POST(`${path}test/` as "/api/v1/projects/{project_pk}/webhooks/{id}/test/", { params: { path: params }, body: {} } as never),
        ),
      )
    )
      toast(t(words.testSent));
  };
  const remove = async () => {
    if (await ask(t(words.removeHook, { url: hook.url }), t(words.removeHookText), t(calls.remove), true))
      await act.run(() => ok(api.DELETE(path, { params: { path: params } })));
  };
  return (
    <li class="stack">
      <div class="row wrap">
        <label class="check grow">
          <input
            type="checkbox"
            role="switch"
            disabled={readOnly.value}
            aria-label={t(words.isOn, { url: hook.url })}
            checked={active}
            onChange={(event) => turn(event.currentTarget.checked)}
          />{" "}
          <b class="setting-code">{hook.url}</b>
        </label>
        <span class="chip">
          {hook.events.length === EVENTS.length || hook.events.length === 0
            ? t(words.allEvents)
            : t(words.eventCount, { n: hook.events.length })}
        </span>
        {hook.consecutive_failures > 0 && <span class="chip bad">{t(words.failures, { n: hook.consecutive_failures })}</span>}
      </div>
      {hook.disabled_reason && <p class="small is-bad">{t(words.switchedOff, { reason: hook.disabled_reason })}</p>}
      {hook.last_failure_reason && <p class="small quiet">{hook.last_failure_reason}</p>}
      {act.error && <Failure error={act.error} />}
      <div class="row wrap">
        <button type="button" class="button small" disabled={act.busy} onClick={() => void test()}>
          {t(words.test)}
        </button>
        <button type="button" class="button small" aria-expanded={choosing} onClick={() => setChoosing(!choosing)}>
          {t(words.chooseEvents)}
        </button>
        <button type="button" class="button small" aria-expanded={open} onClick={() => setOpen(!open)}>
          {t(words.deliveries)}
        </button>
        <button type="button" class="button small danger" disabled={act.busy} onClick={() => void remove()}>
          {t(calls.remove)}
        </button>
      </div>
      {choosing && (
        <ChangeEvents
          hook={hook}
          save={(events) => act.run(() => ok(api.PATCH(path, { params: { path: params }, body: { events } })))}
          busy={act.busy}
          close={() => setChoosing(false)}
        />
      )}
      {open && <Deliveries owner={owner} hook={hook.id} />}
    </li>
  );
}

/** None chosen means all of them. */
function EventChoice({ events, set }: { events: ReadonlySet<EventName>; set: (events: ReadonlySet<EventName>) => void }) {
  const turn = (name: EventName) => {
    const next = new Set(events);
    if (!next.delete(name)) next.add(name);
    set(next);
  };
  return (
    <fieldset class="setting-checks">
      <legend>{t(events.size ? words.events : words.allEvents)}</legend>
      {EVENTS.map((name) => (
        <label key={name} class="check small">
          <input type="checkbox" checked={events.has(name)} onChange={() => turn(name)} /> {name}
        </label>
      ))}
    </fieldset>
  );
}

const chosen = (events: ReadonlySet<EventName>): EventName[] => EVENTS.filter((one) => events.has(one));

function ChangeEvents({
  hook,
  save,
  busy,
  close,
}: {
  hook: Hook;
  save: (events: EventName[]) => Promise<boolean>;
  busy: boolean;
  close: () => void;
}) {
  const [events, setEvents] = useState<ReadonlySet<EventName>>(() => new Set(hook.events.length === EVENTS.length ? [] : hook.events));
  const submit = async () => (await save(events.size ? chosen(events) : EVENTS)) && close();
  return (
    <form class="stack" onSubmit={(event) => (event.preventDefault(), void submit())}>
      <EventChoice events={events} set={setEvents} />
      <div class="row wrap">
        <button type="submit" class="button primary small" disabled={busy}>
          {t(calls.save)}
        </button>
        <button type="button" class="button plain small" onClick={close}>
          {t(calls.cancel)}
        </button>
      </div>
    </form>
  );
}

const TONES = { pending: "warn", success: "good", failed: "bad" } as const;

function Deliveries({ owner, hook }: { owner: Owner; hook: string }) {
  const { path, params } = oneOf(owner, hook);
  const read = useRead(
    () =>
      ok(
        api.GET(`${path}deliveries/` as "/api/v1/projects/{project_pk}/webhooks/{id}/deliveries/", {
          params: { path: params, query: { page_size: 20 } as never },
        }),
      ),
    [hook],
  );
  const again = useAction(async (id: string) => {
    await ok(
      api.POST(
        `${path}deliveries/{delivery_id}/redeliver/` as "/api/v1/projects/{project_pk}/webhooks/{id}/deliveries/{delivery_id}/redeliver/",
        { params: { path: { ...params, delivery_id: id } } },
      ),
    );
    read.retry();
  });
  return (
    <>
      {again.error && <Failure error={again.error} />}
      <Shown read={read} lines={2}>
        {(page) =>
          page.results.length === 0 ? (
            <p class="quiet small">{t(words.noDeliveries)}</p>
          ) : (
            <div class="scroll-x">
              <table class="table">
                <tbody>
                  {page.results.map((one) => (
                    <tr key={one.id}>
                      <td class="nowrap">{moment(one.created_at)}</td>
                      <td>{one.event_type}</td>
                      <td>
                        <span class={`chip ${TONES[one.status]}`}>
                          {t(words[one.status])}
                          {one.response_status ? ` ${one.response_status}` : ""}
                        </span>{" "}
                        <span class="small quiet">{one.failure_reason}</span>
                      </td>
                      <td>
                        <button
                          type="button"
                          class="icon"
                          title={t(words.again)}
                          aria-label={`${t(words.again)}: ${one.event_type} ${moment(one.created_at)}`}
                          disabled={again.busy}
                          onClick={() => void again.run(one.id)}
                        >
                          <Icon name="redo" />
                        </button>
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )
        }
      </Shown>
    </>
  );
}

function NewHook({ owner, made }: { owner: Owner; made: (hook: Schemas["WebhookCreateResponse"]) => void }) {
  const list = listOf(owner);
  const [url, setUrl] = useState("");
  const [format, setFormat] = useState<Schemas["WebhookFormat"]>("generic");
  const [events, setEvents] = useState<ReadonlySet<EventName>>(new Set());
  const save = useAction(async () => {
    made(
      await ok(
        api.POST(list.path, { params: { path: list.params }, body: { url, format, ...(events.size ? { events: chosen(events) } : {}) } }),
      ),
    );
    setUrl("");
    setEvents(new Set());
  });
  const wrong = save.error?.fields ?? {};
  return (
    <Part title={t(calls.add)} error={save.error && !wrong.url ? save.error : null}>
      <form class="stack" onSubmit={(event) => (event.preventDefault(), void save.run())}>
        <div class="pair">
          <Field label={t(words.address)} wrong={wrong.url}>
            <input type="url" required placeholder="https://" value={url} onInput={(event) => setUrl(value(event))} />
          </Field>
          <Field label={t(words.format)}>
            <select value={format} onChange={(event) => setFormat(value(event) as typeof format)}>
              <option value="generic">{t(words.generic)}</option>
              <option value="slack">{t(words.slack)}</option>
            </select>
          </Field>
        </div>
        <EventChoice events={events} set={setEvents} />
        <div>
          <button type="submit" class="button primary" disabled={save.busy}>
            {t(calls.add)}
          </button>
        </div>
      </form>
    </Part>
  );
}
