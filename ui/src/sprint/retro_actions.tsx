// What a team does after a retrospective: action items, and the tasks that they become.
import { api, ok, type Schemas } from "../api/client";
import { useAction } from "../api/read";
import { Failure } from "../app/failure";
import { value } from "../app/field";
import { Icon } from "../app/icons";
import { useKept } from "../api/kept";
import { toast } from "../app/toast";
import { calls } from "../words/calls";
import { ceremony as words } from "../words/ceremony";
import { t } from "../words/words";
import type { Sprint } from "./model";

type Item = Schemas["RetroActionItem"];

/** An action item as it is sent back: its id keeps its task. */
const sent = ({ id, text, assignee, story_points }: Item) => ({
  id,
  text,
  ...(assignee ? { assignee } : {}),
  ...(story_points === null ? {} : { story_points }),
});

export function Actions({ sprint, retro, changed }: { sprint: Sprint; retro: Schemas["Retro"] | null; changed: () => void }) {
  const items = retro?.action_items ?? [];
  const [text, setText] = useKept(`retro.${sprint.id}.action`);
  const act = useAction(async (work: () => Promise<unknown>) => {
    await work();
    changed();
  });
  const write = (next: Schemas["RetroActionItemRequest"][]) =>
    act.run(() => ok(api.POST("/api/v1/sprints/{id}/retro/", { params: { path: { id: sprint.id } }, body: { action_items: next } })));
  const add = async (event: Event) => {
    event.preventDefault();
    if (text.trim() && (await write([...items.map(sent), { text: text.trim() }]))) setText("");
  };
  const promote = async (item: Item) => {
    const path = { sprint_pk: sprint.id, id: item.id };
    if (
      await act.run(() =>
        ok(api.POST("/api/v1/sprints/{sprint_pk}/retrospective/action-items/{id}/promote/", { params: { path }, body: {} } as never)),
      )
    )
      toast(t(words.promoted));
  };
  return (
    <div class="stack">
      <h3>{t(words.actions)}</h3>
      {act.error && <Failure error={act.error} />}
      {items.length === 0 && <p class="quiet small">{t(words.noActions)}</p>}
      <ul class="sprint-list">
        {items.map((item) => (
          <li key={item.id} class="sprint-row">
            <span class="grow">
              {item.text} {item.assignee_username && <span class="chip">{item.assignee_username}</span>}
            </span>
            {item.promoted_task_id ? (
              <a class="chip good" href={`/projects/${sprint.project}/board?task=${item.promoted_task_id}`}>
                {t(words.isTask)}
              </a>
            ) : (
              <button
                type="button"
                class="icon"
                disabled={act.busy}
                title={t(words.promote, { text: item.text })}
                aria-label={t(words.promote, { text: item.text })}
                onClick={() => void promote(item)}
              >
                <Icon name="right" />
              </button>
            )}
            <button
              type="button"
              class="icon"
              disabled={act.busy}
              aria-label={`${t(calls.remove)}: ${item.text}`}
              onClick={() => void write(items.filter((one) => one !== item).map(sent))}
            >
              <Icon name="close" />
            </button>
          </li>
        ))}
      </ul>
      <form class="row" onSubmit={(event) => void add(event)}>
        <input
          class="input"
          maxLength={2000}
          placeholder={t(words.newAction)}
          aria-label={t(words.newAction)}
          value={text}
          onInput={(event) => setText(value(event))}
        />
        <button type="submit" class="icon" aria-label={`${t(calls.add)}: ${t(words.actions)}`} disabled={act.busy || !text.trim()}>
          <Icon name="plus" />
        </button>
      </form>
    </div>
  );
}
