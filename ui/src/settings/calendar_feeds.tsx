// Feeds for calendar programs: make one, see its address once, see when it was read last, revoke it.
import { useState } from "preact/hooks";
import { allPages, api, ok, type Schemas } from "../api/client";
import { useAction, useRead } from "../api/read";
import { ask } from "../app/dialog";
import { Failure, Shown } from "../app/failure";
import { Field, value } from "../app/field";
import { moment } from "../dates/format";
import { calendarFeeds as words } from "../words/calendar_feeds";
import { settings } from "../words/settings";
import { t } from "../words/words";
import { addresses, wish } from "./calendar_feed_form";
import { Part } from "./form";
import { Trouble } from "./proof";
import { ShownOnce } from "./shown_once";

type Place = { id: string; name: string };
type Places = { programs: Place[]; projects: Place[] };

async function readPlaces(): Promise<Places> {
  const [programs, projects] = await Promise.all([
    allPages(200, (page) => ok(api.GET("/api/v1/programs/", { params: { query: { page: String(page), page_size: 200 } } }))),
    allPages(200, (page) => ok(api.GET("/api/v1/projects/", { params: { query: { page: String(page), page_size: 200 } } }))),
  ]);
  return { programs, projects };
}

export function CalendarFeeds() {
  const read = useRead(() => ok(api.GET("/api/v1/me/calendar-feeds/", {})), []);
  const places = useRead(readPlaces, []);
  const [made, setMade] = useState("");
  const revoke = useAction(async (feed: Schemas["CalendarFeed"]) => {
    if (!(await ask(t(settings.revoke), t(words.revokeAsk, { name: feed.name }), t(settings.revoke), true))) return;
    await ok(api.DELETE("/api/v1/me/calendar-feeds/{id}/", { params: { path: { id: feed.id } } }));
    read.retry();
  });
  const { copied, opened } = addresses(location.origin, made);
  return (
    <>
      <Part title={t(words.title)} text={t(words.text)}>
        {made && (
          <>
            <ShownOnce text={t(words.shown)} value={copied} />
            <p>
              <a class="plain-link" href={opened}>
                {t(words.open)}
              </a>
            </p>
          </>
        )}
        {revoke.error && <Failure error={revoke.error} />}
        <Shown read={read} lines={2}>
          {(list) =>
            list.length === 0 ? (
              <p class="quiet">{t(words.none)}</p>
            ) : (
              <ul class="setting-list">
                {list.map((feed) => (
                  <li key={feed.id} class="row wrap">
                    <span class="grow">
                      <b>{feed.name}</b> <code class="small quiet">{feed.token_prefix}…</code>
                      <br />
                      <span class="small quiet">
                        {[
                          t(words[feed.content_kind]),
                          feed.include_done && t(words.done),
                          feed.last_used_at ? t(settings.lastUsed, { when: moment(feed.last_used_at) }) : t(settings.never),
                        ]
                          .filter(Boolean)
                          .join(" · ")}
                      </span>
                    </span>
                    <button
                      type="button"
                      class="button small danger"
                      disabled={revoke.busy}
                      aria-label={`${t(settings.revoke)}: ${feed.name}`}
                      onClick={() => void revoke.run(feed)}
                    >
                      {t(settings.revoke)}
                    </button>
                  </li>
                ))}
              </ul>
            )
          }
        </Shown>
      </Part>
      <NewFeed places={places.data ?? { programs: [], projects: [] }} made={(feed) => (setMade(feed.feed_path), read.retry())} />
    </>
  );
}

function NewFeed({ places, made }: { places: Places; made: (feed: Schemas["CalendarFeedCreateResponse"]) => void }) {
  const [form, setForm] = useState({ source: "my_tasks", name: "", withDone: false });
  const set = (change: Partial<typeof form>) => setForm({ ...form, ...change });
  const save = useAction(async () => {
    made(await ok(api.POST("/api/v1/me/calendar-feeds/", { body: wish(form) })));
    set({ name: "" });
  });
  const wrong = save.error?.fields ?? {};
  return (
    <Part title={t(words.make)}>
      <Trouble error={save.error} again={() => void save.run()} fields={["project", "program", "content_kind", "name"]} />
      <form class="stack" onSubmit={(event) => (event.preventDefault(), void save.run())}>
        <div class="pair">
          <Field label={t(words.shows)} wrong={wrong.project ?? wrong.program ?? wrong.content_kind}>
            <select value={form.source} onChange={(event) => set({ source: value(event) })}>
              <option value="my_tasks">{t(words.my_tasks)}</option>
              <Choices label={t(words.ofProject)} kind="project" places={places.projects} />
              <Choices label={t(words.ofProgram)} kind="program" places={places.programs} />
            </select>
          </Field>
          <Field label={t(words.name)} wrong={wrong.name}>
            <input maxLength={120} value={form.name} onInput={(event) => set({ name: value(event) })} />
          </Field>
        </div>
        <label class="check">
          <input type="checkbox" checked={form.withDone} onChange={(event) => set({ withDone: event.currentTarget.checked })} />{" "}
          {t(words.withDone)}
        </label>
        <div>
          <button type="submit" class="button primary" disabled={save.busy}>
            {t(words.make)}
          </button>
        </div>
      </form>
    </Part>
  );
}

function Choices({ label, kind, places }: { label: string; kind: string; places: Place[] }) {
  if (places.length === 0) return null;
  return (
    <optgroup label={label}>
      {places.map((one) => (
        <option key={one.id} value={`${kind}:${one.id}`}>
          {one.name}
        </option>
      ))}
    </optgroup>
  );
}
