// The retrospective of a sprint: notes in three columns, what the team does about them, and who reads it.
import { signal } from "@preact/signals";
import { readOnly } from "../api/connection";
import { api, ok, type Schemas } from "../api/client";
import { type Read, useAction, useRead } from "../api/read";
import { Failure, Shown } from "../app/failure";
import { value } from "../app/field";
import { Icon } from "../app/icons";
import { otherwise, SharedText } from "../app/shared_text";
import { useKept } from "../api/kept";
import { ceremony as words } from "../words/ceremony";
import { calls } from "../words/calls";
import { t } from "../words/words";
import { Actions } from "./retro_actions";
import type { Sprint } from "./model";

const COLUMNS = ["went_well", "to_improve", "ideas"] as const;
const READERS = ["team_only", "project", "org"] as const;

/** Rises with each event of a retrospective, so that the notes of others appear. */
export const notes = signal(0);

export interface RetroData {
  retro: Schemas["Retro"] | null;
  board: Schemas["RetroBoard"];
}

/** A retrospective begins with its first note; the board says whether there is one. */
async function readRetro(id: string): Promise<RetroData> {
  const params = { path: { id } };
  const board = await ok(api.GET("/api/v1/sprints/{id}/retro-board/", { params }));
  return { board, retro: board.retro ? await ok(api.GET("/api/v1/sprints/{id}/retro/", { params })) : null };
}

export function Retro({ sprint }: { sprint: Sprint }) {
  const read = useRead(() => readRetro(sprint.id), [sprint.id, notes.value]);
  return (
    <section class="card stack" aria-label={t(words.retro)}>
      <Shown read={read} lines={4}>
        {(data) =>
          data.board.kind === "summary" || data.retro?.kind === "summary" ? (
            <>
              <h2>{t(words.retro)}</h2>
              <p class="quiet">{t(words.summary, { n: data.board.items_count ?? 0 })}</p>
            </>
          ) : (
            <>
              <div class="row wrap">
                <h2 class="grow">{t(words.retro)}</h2>
                {data.retro && <Readers sprint={sprint} retro={data.retro} read={read} />}
              </div>
              <div class="retro-board">
                {COLUMNS.map((column) => (
                  <Column
                    key={column}
                    sprint={sprint}
                    column={column}
                    items={(data.board.items ?? []).filter((one) => one.column === column)}
                    changed={read.retry}
                  />
                ))}
              </div>
              <div class="pair">
                <Actions sprint={sprint} retro={data.retro} changed={read.retry} />
                <Notes key={data.retro?.id} sprint={sprint} text={data.retro?.notes ?? ""} changed={read.retry} />
              </div>
            </>
          )
        }
      </Shown>
    </section>
  );
}

function Readers({ sprint, retro, read }: { sprint: Sprint; retro: Schemas["Retro"]; read: Read<RetroData> }) {
  const save = useAction(async (visibility: Schemas["RetroVisibility"]) => {
    await ok(api.PATCH("/api/v1/sprints/{id}/retro/", { params: { path: { id: sprint.id } }, body: { team_visibility: visibility } }));
    read.retry();
  });
  return (
    <label class="row small">
      {save.error && <Failure error={save.error} />}
      {t(words.readers)}
      <select
        class="input sprint-status"
        value={retro.team_visibility}
        disabled={save.busy}
        onChange={(event) => void save.run(value(event) as Schemas["RetroVisibility"])}
      >
        {READERS.map((one) => (
          <option key={one} value={one}>
            {t(words[one])}
          </option>
        ))}
      </select>
    </label>
  );
}

type Item = Schemas["RetroBoardItem"];

function Column({
  sprint,
  column,
  items,
  changed,
}: {
  sprint: Sprint;
  column: (typeof COLUMNS)[number];
  items: Item[];
  changed: () => void;
}) {
  const [text, setText] = useKept(`retro.${sprint.id}.${column}`);
  const act = useAction(async (work: () => Promise<unknown>) => {
    await work();
    changed();
  });
  const add = async (event: Event) => {
    event.preventDefault();
    if (!text.trim()) return;
    if (
      await act.run(() =>
        ok(api.POST("/api/v1/sprints/{id}/retro-board/", { params: { path: { id: sprint.id } }, body: { column, text: text.trim() } })),
      )
    )
      setText("");
  };
  const label = t(words.addNote, { column: t(words[column]) });
  return (
    <div class="retro-column stack">
      <h3>
        {t(words[column])} <span class="quiet num">{items.length}</span>
      </h3>
      {act.error && <Failure error={act.error} />}
      <ul class="stack retro-items">
        {items.map((item) => (
          <Note key={item.id} item={item} act={(work) => void act.run(work)} />
        ))}
      </ul>
      <form class="row" onSubmit={(event) => void add(event)}>
        <input
          class="input"
          maxLength={2000}
          placeholder={t(words.note)}
          aria-label={label}
          value={text}
          onInput={(event) => setText(value(event))}
        />
        <button type="submit" class="icon" aria-label={`${t(calls.add)}: ${t(words[column])}`} disabled={act.busy || !text.trim()}>
          <Icon name="plus" />
        </button>
      </form>
    </div>
  );
}

function Note({ item, act }: { item: Item; act: (work: () => Promise<unknown>) => void }) {
  const params = { path: { id: item.id } };
  const short = item.text.slice(0, 60);
  return (
    <li class="retro-note">
      <p>{item.text}</p>
      <div class="row">
        <span class="small quiet grow clip">{item.author_username}</span>
        <select
          class="input retro-move"
          disabled={readOnly.value}
          aria-label={t(words.moveNote, { text: short })}
          value={item.column}
          onChange={(event) =>
            act(() => ok(api.PATCH("/api/v1/retro-items/{id}/", { params, body: { column: value(event) as Item["column"] } })))
          }
        >
          {COLUMNS.map((one) => (
            <option key={one} value={one}>
              {t(words[one])}
            </option>
          ))}
        </select>
        {item.converted_action_item_id ? (
          <span class="chip good">{t(words.isAction)}</span>
        ) : (
          <button
            type="button"
            class="icon"
            disabled={readOnly.value}
            title={t(words.toAction, { text: short })}
            aria-label={t(words.toAction, { text: short })}
            onClick={() => act(() => ok(api.POST("/api/v1/retro-items/{id}/convert-to-action/", { params, body: {} } as never)))}
          >
            <Icon name="check" />
          </button>
        )}
        <button
          type="button"
          class="icon"
          disabled={readOnly.value}
          title={t(words.removeNote, { text: short })}
          aria-label={t(words.removeNote, { text: short })}
          onClick={() => act(() => ok(api.DELETE("/api/v1/retro-items/{id}/", { params })))}
        >
          <Icon name="close" />
        </button>
      </div>
    </li>
  );
}

function Notes({ sprint, text, changed }: { sprint: Sprint; text: string; changed: () => void }) {
  const params = { path: { id: sprint.id } };
  // These notes have no version: what is there now is compared with what the person saw.
  const write = async (notes: string, base: number | null, begun: string) => {
    if (base !== null) {
      const now = (await readRetro(sprint.id)).retro?.notes ?? "";
      if (now !== begun && now !== notes) throw otherwise(now);
    }
    await ok(api.POST("/api/v1/sprints/{id}/retro/", { params, body: { notes } }));
    changed();
  };
  return (
    <SharedText
      kept={`retro.${sprint.id}`}
      label={t(words.notes)}
      value={text}
      version={0}
      rows={5}
      locked={readOnly.value}
      write={write}
    />
  );
}
