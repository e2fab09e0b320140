// What happened that concerns this person; each entry leads to its row.
import { useState } from "preact/hooks";
import { readOnly } from "../api/connection";
import { api, ok, type Schemas } from "../api/client";
import { useAction, useRead } from "../api/read";
import { Failure, Shown } from "../app/failure";
import { Icon } from "../app/icons";
import { place, setQuery } from "../app/router";
import type { PageProps } from "../app/routes";
import { useTitle } from "../app/title";
import { say, toast } from "../app/toast";
import { moment } from "../dates/format";
import { calls } from "../words/calls";
import { feed as words } from "../words/feed";
import { shell } from "../words/shell";
import { t } from "../words/words";
import { bodyText, subjectText } from "./notice_text";
import { readUnread } from "./unread";
import "./notifications.css";

type Notification = Schemas["Notification"];

const SHOW = ["all", "unread", "archive"] as const;
const CATEGORIES = ["mentions", "tasks", "project", "signals", "digests"] as const;
const PAGE = 50;

export default function Notifications(_: PageProps) {
  useTitle(t(shell.notifications));
  const show = place.value.query.get("show") ?? "all";
  const category = place.value.query.get("category");
  const [size, setSize] = useState(PAGE);
  const read = useRead(
    () =>
      ok(
        api.GET("/api/v1/me/notifications/", {
          params: {
            query: {
              page_size: size,
              ...(show === "unread" ? { unread_only: true } : {}),
              ...(show === "archive" ? { archived: true } : {}),
              ...(category ? { category } : {}),
            } as never,
          },
        }),
      ),
    [show, category, size],
  );
  const act = useAction(async (work: () => Promise<unknown>) => {
    await work();
    read.retry();
    void readUnread();
  });
  const change = (one: Notification, body: { is_read?: boolean; is_archived?: boolean }) => {
    read.set({ ...read.data!, results: read.data!.results.map((other) => (other.id === one.id ? { ...other, ...body } : other)) });
    return act.run(() => ok(api.PATCH("/api/v1/me/notifications/{id}/", { params: { path: { id: one.id } }, body })));
  };
  /** Says what was done with a line that is no longer there, and offers to undo it. */
  const told = (text: string, undo: () => Promise<unknown>) => {
    say(text);
    toast(text, { label: t(calls.undo), run: () => void act.run(undo) });
  };
  const path = (one: Notification) => ({ params: { path: { id: one.id } } });
  const snooze = async (one: Notification) => {
    const put = (body: { preset: "tomorrow" } | { until: null }) =>
      ok(api.POST("/api/v1/me/notifications/{id}/snooze/", { ...path(one), body }));
    if (await act.run(() => put({ preset: "tomorrow" }))) told(t(words.comesBack), () => put({ until: null }));
  };
  const archive = async (one: Notification) => {
    if (await change(one, { is_archived: true, is_read: true }))
      told(t(words.archived), () =>
        ok(api.PATCH("/api/v1/me/notifications/{id}/", { ...path(one), body: { is_archived: false, is_read: one.is_read ?? false } })),
      );
  };
  return (
    <div class="page">
      <div class="page-in">
        <header class="row wrap">
          <h1 class="grow">{t(shell.notifications)}</h1>
          <button
            type="button"
            class="button"
            disabled={act.busy || !read.data?.results.some((one) => !one.is_read)}
            onClick={() => void act.run(() => ok(api.POST("/api/v1/me/notifications/mark-all-read/", { body: {} as never })))}
          >
            <Icon name="check" /> {t(words.markAll)}
          </button>
        </header>
        <div class="row wrap" role="group" aria-label={t(shell.notifications)}>
          {SHOW.map((one) => (
            <button
              key={one}
              type="button"
              class="button small"
              aria-pressed={show === one}
              onClick={() => setQuery({ show: one === "all" ? null : one })}
            >
              {t(words[one])}
            </button>
          ))}
          <span class="notice-gap" />
          {CATEGORIES.map((one) => (
            <button
              key={one}
              type="button"
              class="button small plain"
              aria-pressed={category === one}
              onClick={() => setQuery({ category: category === one ? null : one })}
            >
              {t(words[one])}
            </button>
          ))}
        </div>
        {act.error && <Failure error={act.error} />}
        <Shown read={read}>
          {(data) =>
            data.results.length === 0 ? (
              <section class="card stack note-card">
                <h2>{t(words.emptyTitle)}</h2>
                <p class="quiet">{t(words.emptyText)}</p>
              </section>
            ) : (
              <>
                <ul class="card notice-list">
                  {data.results.map((one) => (
                    <Entry
                      key={one.id}
                      one={one}
                      change={(body) => void change(one, body)}
                      snooze={() => void snooze(one)}
                      archive={() => void archive(one)}
                    />
                  ))}
                </ul>
                {data.next && (
                  <div>
                    <button type="button" class="button" onClick={() => setSize(size + PAGE)}>
                      {t(words.more)}
                    </button>
                  </div>
                )}
              </>
            )
          }
        </Shown>
      </div>
    </div>
  );
}

function Entry({
  one,
  change,
  snooze,
  archive,
}: {
  one: Notification;
  change: (body: { is_read?: boolean; is_archived?: boolean }) => void;
  snooze: () => void;
  archive: () => void;
}) {
  const to = one.project
    ? one.task_id
      ? `/projects/${one.project}/schedule?task=${one.task_id}`
      : `/projects/${one.project}/schedule`
    : null;
  const name = subjectText(one.subject) || one.snippet;
  const text = bodyText(one.body) || one.snippet;
  return (
    <li class={one.is_read ? "notice" : "notice is-new"}>
      <span class="notice-dot" />
      <span class="grow notice-text">
        {to ? (
          <a class="plain-link strong-name" href={to} onClick={() => !one.is_read && change({ is_read: true })}>
            {name}
          </a>
        ) : (
          <b>{name}</b>
        )}
        {text !== name && <span class="quiet small">{text}</span>}
        <span class="quiet small">{moment(one.created_at)}</span>
      </span>
      <button
        type="button"
        class="icon"
        disabled={readOnly.value}
        title={t(one.is_read ? words.markUnread : words.markRead, { name })}
        aria-label={t(one.is_read ? words.markUnread : words.markRead, { name })}
        onClick={() => change({ is_read: !one.is_read })}
      >
        <Icon name={one.is_read ? "bell" : "check"} />
      </button>
      {!one.is_archived && (
        <button
          type="button"
          class="icon"
          disabled={readOnly.value}
          title={t(words.later, { name })}
          aria-label={t(words.later, { name })}
          onClick={snooze}
        >
          <Icon name="history" />
        </button>
      )}
      {!one.is_archived && (
        <button
          type="button"
          class="icon"
          disabled={readOnly.value}
          title={t(words.putAway, { name })}
          aria-label={t(words.putAway, { name })}
          onClick={archive}
        >
          <Icon name="close" />
        </button>
      )}
    </li>
  );
}
