// Edits of the outline: new rows, deleted rows, indent, outdent, and other places among the siblings.
import { api, ok, randomKey } from "../../api/client";
import { schedule } from "../../words/schedule";
import { t } from "../../words/words";
import type { Desk } from "../desk";
import { readRow } from "../plan/load";
import { draftRow, type TaskRow } from "../plan/row";
import type { Edit } from "./edits";
import { merge } from "./patch";

let drafts = 0;
const keys = new Map<string, string>();

/** Opens an unnamed row below or above a row; nothing is sent before it has a name. */
export function openDraft(desk: Desk, at: number, above: boolean): TaskRow {
  const { plan } = desk;
  const parent = at >= 0 ? plan.rows[at]!.parent_id : null;
  const row = draftRow(`draft-${++drafts}`, parent);
  if (at >= 0 && above) plan.insertBefore(row, at);
  else plan.insertAfter(row, at);
  return row;
}

export function dropDraft(desk: Desk, row: TaskRow): void {
  desk.plan.remove(new Set([row.id]));
}

/** Names a draft: the row is made on the server and put in its place. */
export function create(desk: Desk, draft: TaskRow, name: string): Edit {
  draft.name = name;
  desk.plan.changed();
  // The same key for every try: a row whose answer was lost is not made twice.
  const key = keys.get(`${draft.id} ${name}`) ?? randomKey();
  keys.set(`${draft.id} ${name}`, key);
  return {
    label: name,
    apply: async () => {
      const { plan } = desk;
      const made = await ok(
        api.POST("/api/v1/tasks/", {
          headers: { "Idempotency-Key": key },
          body: { project: desk.projectId, name, ...(draft.parent_id ? { parent_id: draft.parent_id } : {}) },
        }),
      );
      const old = draft.id;
      draft.id = made.id;
      if (desk.focus.peek().id === old) desk.focus.value = { ...desk.focus.peek(), id: made.id };
      if (desk.editing.peek()?.id === old) desk.editing.value = { ...desk.editing.peek()!, id: made.id };
      merge(desk, draft, made);
      plan.rebuild();
      const siblings = plan.children(plan.parent[plan.task(made.id)]!).map((task) => plan.rows[task]!.id);
      if (siblings.filter((id) => !id.startsWith("draft-")).at(-1) !== made.id) await reorderTo(desk, draft.parent_id, siblings);
      await refreshParents(desk, draft.parent_id);
      return remove(desk, [draft]);
    },
    refused: () => {
      draft.name = "";
      desk.plan.changed();
      desk.editing.value = { id: draft.id, column: "name", typed: name };
    },
  };
}

export function remove(desk: Desk, rows: TaskRow[]): Edit {
  return {
    label: t(schedule.didDelete, { n: rows.length }),
    apply: async () => {
      const gone: TaskRow[] = [];
      for (const row of rows) {
        await ok(api.DELETE("/api/v1/tasks/{id}/", { params: { path: { id: row.id } } }));
        gone.push(row);
      }
      desk.plan.remove(new Set(gone.map((row) => row.id)));
      await desk.reload?.();
      return restore(desk, gone);
    },
  };
}

function restore(desk: Desk, rows: TaskRow[]): Edit {
  return {
    label: rows.map((row) => row.name).join(", "),
    apply: async () => {
      for (const row of [...rows].reverse()) await ok(api.POST("/api/v1/tasks/{id}/restore/", { params: { path: { id: row.id } } }));
      await desk.reload?.();
      return remove(desk, rows);
    },
  };
}

export function indent(desk: Desk, row: TaskRow): Edit {
  const before = row.parent_id;
  return {
    label: t(schedule.indent),
    apply: async () => {
      const params = { path: { id: desk.projectId, task_id: row.id } };
      const { updated } = await ok(api.POST("/api/v1/projects/{id}/tasks/{task_id}/indent/", { params }));
      await replaced(desk, row, updated, before);
      return outdent(desk, row);
    },
  };
}

export function outdent(desk: Desk, row: TaskRow): Edit {
  const before = row.parent_id;
  return {
    label: t(schedule.outdent),
    apply: async () => {
      const params = { path: { id: desk.projectId, task_id: row.id } };
      const { updated } = await ok(api.POST("/api/v1/projects/{id}/tasks/{task_id}/outdent/", { params }));
      await replaced(desk, row, updated, before);
      return indent(desk, row);
    },
  };
}

/** Moves a row one place up or down among its siblings. */
export function shift(desk: Desk, row: TaskRow, by: 1 | -1): Edit | null {
  const { plan } = desk;
  const siblings = plan.children(plan.parent[plan.task(row.id)]!).map((task) => plan.rows[task]!.id);
  const at = siblings.indexOf(row.id);
  if (at + by < 0 || at + by >= siblings.length) return null;
  [siblings[at], siblings[at + by]] = [siblings[at + by]!, siblings[at]!];
  return {
    label: t(by < 0 ? schedule.moveUp : schedule.moveDown),
    apply: async () => {
      await reorderTo(desk, row.parent_id, siblings);
      return shift(desk, row, by > 0 ? -1 : 1);
    },
  };
}

async function reorderTo(desk: Desk, parent: string | null, ids: string[]): Promise<void> {
  const { plan } = desk;
  const ordered = ids.filter((id) => !id.startsWith("draft-"));
  const path = parent ? plan.rows[plan.task(parent)]?.wbs_path : undefined;
  const body = { ordered_ids: ordered, ...(path ? { parent_path: path } : {}) };
  const { updated } = await ok(api.POST("/api/v1/projects/{id}/tasks/reorder/", { params: { path: { id: desk.projectId } }, body }));
  renumber(desk, updated);
}

/** Takes new outline numbers, and sorts. */
export function renumber(desk: Desk, updated: { id: string; wbs_path: string | null }[]): void {
  const { plan } = desk;
  for (const { id, wbs_path } of updated) {
    const task = plan.task(id);
    if (task >= 0 && wbs_path !== null) plan.rows[task]!.wbs_path = wbs_path;
  }
  plan.resort();
}

async function replaced(
  desk: Desk,
  row: TaskRow,
  updated: { id: string; wbs_path: string | null }[],
  before: string | null,
): Promise<void> {
  merge(desk, row, await readRow(row.id));
  renumber(desk, updated);
  await refreshParents(desk, row.parent_id, before);
}

/** Reads the rows above again: they become or stop being phases, and their dates follow. */
async function refreshParents(desk: Desk, ...parents: (string | null)[]): Promise<void> {
  for (const parent of parents) {
    for (let id = parent; id; ) {
      const task = desk.plan.task(id);
      if (task < 0) break;
      const row = desk.plan.rows[task]!;
      merge(desk, row, await readRow(id));
      id = row.parent_id;
    }
  }
  desk.plan.rebuild();
}
