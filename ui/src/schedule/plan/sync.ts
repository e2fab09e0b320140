// What other people and recalculations change, taken into the plan as it happens. Nothing here enters the undo list.
import { say } from "../../app/toast";
import { followProject, type Live, type LiveEvent } from "../../api/live";
import { me } from "../../api/me";
import type { Desk } from "../desk";
import { refreshLinks } from "../edit/link_edits";
import { merge } from "../edit/patch";
import { schedule } from "../../words/schedule";
import { t } from "../../words/words";
import { readProject, readRow } from "./load";
import { followOthers } from "./others";
import type { TaskRow } from "./row";

const RELOAD = new Set([
  "resync_required",
  "task_created",
  "task_deleted",
  "task_restored",
  "tasks_reordered",
  "tasks_restructured",
  "phases_reordered",
  "tasks_bulk_mutated",
  "baseline_activated",
  "baseline_deleted",
]);
const LINKS = new Set(["dependency_created", "dependency_updated", "dependency_deleted", "dependency_accepted", "dependency_rejected"]);
const MARK_MS = 3000;

/** Follows the project of a desk. `reload` reads the plan again in place. */
export function follow(desk: Desk, reload: () => void): Live {
  let soon: ReturnType<typeof setTimeout> | undefined;
  let project: ReturnType<typeof setTimeout> | undefined;
  const reloadSoon = () => {
    clearTimeout(soon);
    soon = setTimeout(reload, 250);
  };

  const hear = (event: LiveEvent) => {
    const { payload } = event;
    if (event.event_type.startsWith("presence_")) others.hear(event);
    else if (event.event_type === "task_updated") void changed(desk, payload);
    else if (event.event_type === "task_dates_updated") dates(desk, payload, reloadSoon);
    else if (LINKS.has(event.event_type)) refreshLinks(desk);
    else if (event.event_type === "cpm_complete") {
      clearTimeout(project);
      project = setTimeout(
        () =>
          void readProject(desk).then(
            () => desk.plan.rebuild(),
            () => undefined,
          ),
        500,
      );
      refreshLinks(desk);
    } else if (RELOAD.has(event.event_type) && !isKnown(desk, event)) reloadSoon();
  };
  const live = followProject(desk.projectId, hear);
  const others = followOthers(desk, live);
  return {
    ...live,
    stop: () => {
      others.stop();
      live.stop();
    },
  };
}

/** An echo of what this browser has done already. */
function isKnown(desk: Desk, event: LiveEvent): boolean {
  const id = String(event.payload.id ?? "");
  if (event.event_type === "task_created") return desk.plan.task(id) >= 0;
  if (event.event_type === "task_deleted") return desk.plan.task(id) < 0;
  return false;
}

async function changed(desk: Desk, payload: Record<string, unknown>): Promise<void> {
  const id = String(payload.id);
  const task = desk.plan.task(id);
  if (task < 0 || Number(payload.version) <= desk.plan.rows[task]!.server_version) return;
  const row = await readRow(id).catch(() => null);
  if (!row || desk.plan.task(id) < 0) return;
  merge(desk, desk.plan.rows[desk.plan.task(id)]!, row);
  const actor = payload.actor_id ? String(payload.actor_id) : "";
  if (actor === me.peek()?.id) return;
  desk.touched.set(id, { until: performance.now() + MARK_MS, who: desk.others.peek().get(actor)?.who ?? t(schedule.person) });
  desk.view.request();
  setTimeout(() => desk.view.request(), MARK_MS + 50);
}

function dates(desk: Desk, payload: Record<string, unknown>, reload: () => void): void {
  if (payload.truncated) return reload();
  const tasks = (payload.tasks ?? []) as (Partial<TaskRow> & { id?: string; task_id?: string })[];
  for (const moved of tasks) {
    const task = desk.plan.task(String(moved.id ?? moved.task_id));
    if (task < 0) continue;
    const row = desk.plan.rows[task]!;
    const { id: _id, server_version: _version, ...fields } = moved;
    // The scheduled finish is the early one, as the server has it everywhere.
    merge(desk, row, { ...fields, scheduled_finish: fields.early_finish ?? null } as Partial<TaskRow> as TaskRow);
  }
  refreshLinks(desk);
  say(`${t(schedule.moved, { n: Number(payload.count ?? tasks.length) })}`);
}
