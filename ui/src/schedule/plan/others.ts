// The other people in the plan: who they are, where they are, and the way in which they hear where this person is.
import { effect, untracked } from "@preact/signals";
import { api, ok } from "../../api/client";
import type { Live, LiveEvent } from "../../api/live";
import { me } from "../../api/me";
import type { Desk, Other } from "../desk";

/** A place is told this long after it was reached, so that fast steps are told once. */
const TELL_MS = 200;

export interface Others {
  hear: (event: LiveEvent) => void;
  stop: () => void;
}

export function followOthers(desk: Desk, live: Live): Others {
  let soon: ReturnType<typeof setTimeout> | undefined;
  const isMe = (id: string) => id === me.peek()?.id;
  const set = (id: string, other: Other | null) => {
    if (isMe(id)) return;
    const others = new Map(desk.others.peek());
    if (other) others.set(id, other);
    else others.delete(id);
    desk.others.value = others;
  };
  const tell = () => {
    const { id } = desk.focus.peek();
    const task = id && !id.startsWith("draft-") && desk.plan.task(id) >= 0 ? id : null;
    live.send({ type: "presence_update", task_id: task, field: task ? fieldOf(desk.editing.peek()?.column) : null });
  };
  const tellSoon = () => {
    clearTimeout(soon);
    soon = setTimeout(tell, TELL_MS);
  };

  /** Who was here before. Where they are, they say when they see somebody join. */
  const readAll = async () => {
    const present = await ok(api.GET("/api/v1/projects/{id}/presence/", { params: { path: { id: desk.projectId } } })).catch(() => []);
    const known = desk.others.peek();
    desk.others.value = new Map(
      present
        .filter(({ user_id }) => !isMe(user_id))
        .map(({ user_id, display_name: who }) => [user_id, known.get(user_id) ?? { who, task: null, field: null }]),
    );
  };
  const stops = [
    effect(() => {
      if (live.state.value === "open") untracked(() => void readAll().then(tell));
    }),
    effect(() => {
      desk.focus.value;
      desk.editing.value;
      untracked(tellSoon);
    }),
  ];

  return {
    hear: ({ event_type: type, payload }) => {
      const [id, who] = [String(payload.user_id), String(payload.display_name)];
      if (type === "presence_leave") set(id, null);
      else if (type === "presence_update")
        set(id, { who, task: (payload.task_id as string | null) ?? null, field: (payload.field as string | null) ?? null });
      else if (type === "presence_join") {
        set(id, desk.others.peek().get(id) ?? { who, task: null, field: null });
        if (!isMe(id)) tellSoon();
      }
    },
    stop: () => {
      clearTimeout(soon);
      stops.forEach((stop) => stop());
      desk.others.value = new Map();
    },
  };
}

/** Columns have short names of letters and underscores, as the channel wants them. */
const fieldOf = (column: string | undefined): string | null => (column && /^[a-z_]{1,64}$/.test(column) ? column : null);
