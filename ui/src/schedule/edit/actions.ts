// What a person can do with rows, whether by key, button, menu or palette.
import { refuse, say, toast } from "../../app/toast";
import { arrange as words } from "../../words/arrange";
import { calls } from "../../words/calls";
import { schedule } from "../../words/schedule";
import { t } from "../../words/words";
import { arrange, isArranged, OUTLINE } from "../arrange";
import type { Desk, MovedLink } from "../desk";
import { EVERYTHING, filterBy, wanted } from "../filter";
import { isGroup } from "../plan/layout";
import { SUMMARY } from "../plan/flags";
import { isDraft, type TaskRow } from "../plan/row";
import type { Edit } from "./edits";
import { addLink, circleText, removeLink, retargetLink } from "./link_edits";
import { indent, openDraft, outdent, remove, shift } from "./structure";

/** The chosen rows, or the row with the focus. */
function chosenIds(desk: Desk): ReadonlySet<string> {
  const picked = desk.selected.peek();
  return picked.size ? new Set(picked) : new Set([desk.focus.peek().id ?? ""]);
}

/** The chosen rows in their order, or the row with the focus. */
export function chosen(desk: Desk, ids = chosenIds(desk)): TaskRow[] {
  return desk.plan.rows.filter((row) => ids.has(row.id) && !isDraft(row) && !isGroup(row));
}

export function focusOn(desk: Desk, task: number, col = desk.focus.peek().col): void {
  if (task < 0 || task >= desk.plan.count) return;
  desk.link = null;
  desk.focus.value = { id: desk.plan.rows[task]!.id, col };
  scrollTo(desk, desk.plan.rowOf[task]!);
}

export function scrollTo(desk: Desk, row: number): void {
  const { view } = desk;
  const top = row * view.rowHeight;
  if (top < view.scrollTop) desk.scroll?.(top);
  else if (top + view.rowHeight > view.scrollTop + view.height) desk.scroll?.(top + view.rowHeight - view.height);
}

/** New rows and other places belong to the outline; elsewhere this says so and offers the way there. */
function inOutline(desk: Desk): boolean {
  if (!isArranged(desk.arrangement.peek())) return true;
  say(t(words.notInOutline));
  toast(t(words.notInOutline), { label: t(words.toOutline), run: () => arrange(desk, OUTLINE) });
  return false;
}

/** A new row has its place in the outline, and no filter knows it yet: all rows are shown as they stand, and this says so. */
function showOutline(desk: Desk): void {
  const [filter, arrangement] = [wanted.peek(), desk.arrangement.peek()];
  if (!desk.plan.filter && !isArranged(arrangement)) return;
  filterBy(desk, EVERYTHING);
  arrange(desk, OUTLINE);
  say(t(schedule.allShown));
  toast(t(schedule.allShown), { label: t(schedule.asBefore), run: () => (filterBy(desk, filter), arrange(desk, arrangement)) });
}

/** Whether a person may change this plan; says so if it is their role that keeps them from it. */
export function mayAuthor(desk: Desk): boolean {
  if (desk.project.peek() && !desk.author.peek()) refuse(t(schedule.onlyLook));
  return desk.canAuthor.peek();
}

/** Whether a person may change all of these rows; says so if not. */
function mayChange(rows: TaskRow[]): boolean {
  if (rows.every((row) => row.can_edit)) return true;
  refuse(t(schedule.notYours));
  return false;
}

/** Opens a new row and its editor. */
export function newRow(desk: Desk, above = false, typed: string | null = null): void {
  if (!mayAuthor(desk)) return;
  showOutline(desk);
  const at = desk.focusTask() >= 0 ? desk.focusTask() : desk.plan.count - 1;
  const row = openDraft(desk, at, above);
  if (!above && at >= 0 && desk.plan.flags[at]! & SUMMARY && !desk.plan.closed.has(desk.plan.rows[at]!.id)) {
    desk.plan.remove(new Set([row.id]));
    row.parent_id = desk.plan.rows[at]!.id;
    desk.plan.insertBefore(row, at + 1);
  }
  desk.selected.value = new Set();
  focusOn(desk, desk.plan.task(row.id), desk.nameColumn());
  desk.editing.value = { id: row.id, column: "name", typed };
}

/** Runs an edit for each chosen row whose parent is not chosen too. The order is read when the actions before this one are done. */
async function each(desk: Desk, upwards: boolean, make: (row: TaskRow) => Edit | null): Promise<void> {
  if (!mayAuthor(desk) || !inOutline(desk)) return;
  const ids = chosenIds(desk);
  if (!mayChange(heads(desk, ids))) return;
  await desk.edits.inTurn(async () => {
    const rows = heads(desk, ids);
    for (const row of upwards ? rows.reverse() : rows) {
      const edit = make(row);
      if (edit && !(await desk.edits.run(edit))) break;
    }
  });
  focusOn(desk, desk.focusTask());
}

/** Rows whose parent is not chosen too: they carry the others along. */
function heads(desk: Desk, chosenOnes = chosenIds(desk)): TaskRow[] {
  const rows = chosen(desk, chosenOnes);
  const ids = new Set(rows.map((row) => row.id));
  return rows.filter((row) => !row.parent_id || !ids.has(row.parent_id));
}

export const indentRows = (desk: Desk): Promise<void> => each(desk, false, (row) => indent(desk, row));
export const outdentRows = (desk: Desk): Promise<void> => each(desk, true, (row) => outdent(desk, row));

export const shiftRows = (desk: Desk, by: 1 | -1): Promise<void> => each(desk, by > 0, (row) => shift(desk, row, by));

export async function deleteRows(desk: Desk): Promise<void> {
  const rows = heads(desk);
  if (!rows.length || !mayAuthor(desk) || !mayChange(rows)) return;
  const next = desk.plan.visible[Math.max(0, desk.plan.rowOf[desk.plan.task(rows[0]!.id)]! - 1)];
  const after = next === undefined ? null : desk.plan.rows[next]!.id;
  if (!(await desk.edits.run(remove(desk, rows)))) return;
  desk.selected.value = new Set();
  if (after) focusOn(desk, desk.plan.task(after));
  done(desk, t(schedule.didDelete, { n: rows.length }));
}

/** Links the chosen rows in the order that they have when the actions before this one are done. */
export async function linkRows(desk: Desk): Promise<void> {
  if (!desk.canLink.peek()) return;
  const ids = chosenIds(desk);
  await desk.edits.inTurn(async () => {
    const rows = chosen(desk, ids);
    for (let at = 1; at < rows.length; at++) {
      if (!(await desk.edits.run(addLink(desk, rows[at - 1]!.id, rows[at]!.id)))) return;
    }
    if (rows.length > 1) done(desk, t(schedule.didLink));
  });
}

export async function unlinkRows(desk: Desk): Promise<void> {
  if (!desk.canLink.peek()) return;
  const ids = new Set(chosen(desk).map((row) => row.id));
  const alone = ids.size === 1;
  const links = [...desk.plan.linkRows.values()].filter((link) =>
    alone ? ids.has(link.successor) : ids.has(link.predecessor) && ids.has(link.successor),
  );
  for (const link of links) if (!(await desk.edits.run(removeLink(desk, link)))) return;
  if (links.length) done(desk, t(schedule.didUnlink));
}

export async function linkTwo(desk: Desk, from: number, to: number): Promise<void> {
  const closed = circleText(desk, from, to);
  if (closed) return refuse(closed);
  if (await desk.edits.run(addLink(desk, desk.plan.rows[from]!.id, desk.plan.rows[to]!.id))) done(desk, t(schedule.didLink));
}

/** Gives the dragged end of a link to another row. */
export async function moveLink(desk: Desk, { id, end }: MovedLink, over: number): Promise<void> {
  const link = desk.plan.linkRows.get(id);
  const row = desk.plan.rows[over];
  if (!link || !row || isGroup(row)) return;
  const [from, to] = end === "to" ? [link.predecessor, row.id] : [row.id, link.successor];
  if (from === link.predecessor && to === link.successor) return;
  const closed = circleText(desk, desk.plan.task(from), desk.plan.task(to));
  if (closed) return refuse(closed);
  if (await desk.edits.run(retargetLink(desk, link, from, to))) done(desk, t(words.retarget, { name: row.name }));
}

/** Removes the link that was clicked in the chart. */
export async function removeChosenLink(desk: Desk): Promise<void> {
  const link = desk.plan.linkRows.get(desk.link ?? "");
  desk.link = null;
  if (link && (await desk.edits.run(removeLink(desk, link)))) done(desk, t(schedule.didUnlink));
}

/** Says what was done and offers to undo it. */
export function done(desk: Desk, text: string): void {
  say(text);
  toast(text, { label: t(calls.undo), run: () => void desk.edits.undo() });
}

export function toggleAll(desk: Desk, open: boolean): void {
  const { plan } = desk;
  plan.closed.clear();
  if (!open) for (let task = 0; task < plan.count; task++) if (plan.flags[task]! & SUMMARY) plan.closed.add(plan.rows[task]!.id);
  plan.show();
}
