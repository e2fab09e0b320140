// The keys of the grid. Letters begin to edit; everything else is a chord of the list below.
import { chord } from "../../app/keys";
import type { Desk } from "../desk";
import { deleteRows, focusOn, indentRows, linkRows, newRow, outdentRows, shiftRows, unlinkRows } from "../edit/actions";
import { SUMMARY } from "../plan/flags";
import { canEdit, COLUMNS, editsFor } from "./columns";

/** The keys of undo, which every pane of the plan has. */
export function undoKeys(desk: Desk, key: string): boolean {
  if (key === "Ctrl+z") void desk.edits.undo();
  else if (key === "Ctrl+Shift+z" || key === "Ctrl+y") void desk.edits.redo();
  else return false;
  return true;
}

/** From the grid to the chart, to the details if they are open, and back. */
function nextPane(desk: Desk): void {
  if (desk.pane.peek() === "grid") desk.enter?.("chart");
  else if (desk.enterDetails) desk.enterDetails();
  else desk.enter?.("grid");
}

/** Keys that both panes understand. Answers whether the key was used. */
export function planKeys(desk: Desk, key: string): boolean {
  switch (key) {
    case "Alt+Shift+ArrowRight":
      void indentRows(desk);
      return true;
    case "Alt+Shift+ArrowLeft":
      void outdentRows(desk);
      return true;
    case "Alt+Shift+ArrowUp":
      void shiftRows(desk, -1);
      return true;
    case "Alt+Shift+ArrowDown":
      void shiftRows(desk, 1);
      return true;
    case "Insert":
      newRow(desk, desk.plan.count > 0 && desk.focusTask() >= 0);
      return true;
    case "Ctrl+Enter":
      newRow(desk);
      return true;
    case "Ctrl+F2":
      void linkRows(desk);
      return true;
    case "Ctrl+Shift+F2":
      void unlinkRows(desk);
      return true;
    case "Shift+F2":
      desk.inspector.value = !desk.inspector.peek();
      return true;
    case "F6":
      nextPane(desk);
      return true;
    case "Delete":
      void deleteRows(desk);
      return true;
    default:
      return undoKeys(desk, key);
  }
}

export function gridKeys(desk: Desk, event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing) return;
  const key = chord(event);
  if (empties(desk, key) || planKeys(desk, key) || move(desk, key) || select(desk, key) || edit(desk, event, key)) event.preventDefault();
}

/** The cells that may be empty. On a name, or on the row itself, Delete takes the row. */
const EMPTY = new Set(["predecessors", "deadline", "optimistic", "likely", "pessimistic"]);

function empties(desk: Desk, key: string): boolean {
  const task = desk.focusTask();
  const column = COLUMNS.find((one) => one.key === desk.columns.peek()[desk.focus.peek().col]);
  if (key !== "Delete" || task < 0 || !column || !EMPTY.has(column.key) || desk.selected.peek().size > 1) return false;
  if (!canEdit(desk, column, task) || column.typed!(desk, task) === "") return true;
  const edits = editsFor(desk, column, task, "", desk.plan.rows[task]!.server_version);
  if (typeof edits !== "string") for (const edit of edits) void desk.edits.run(edit);
  return true;
}

/** Moves the focus by rows or columns; answers whether the key was one of these. */
function move(desk: Desk, key: string): boolean {
  const { plan, view } = desk;
  const { col } = desk.focus.peek();
  const last = plan.visible.length - 1;
  const row = Math.max(0, desk.focusTask() >= 0 ? plan.rowOf[desk.focusTask()]! : 0);
  const page = Math.max(1, Math.floor(view.height / view.rowHeight) - 1);
  const to = (target: number, column = col) => focusOn(desk, plan.visible[Math.max(0, Math.min(last, target))] ?? -1, column);
  const columns = desk.columns.peek().length - 1;
  switch (key) {
    case "ArrowDown":
      to(row + 1);
      return true;
    case "ArrowUp":
      to(row - 1);
      return true;
    case "PageDown":
      to(row + page);
      return true;
    case "PageUp":
      to(row - page);
      return true;
    case "Ctrl+Home":
      to(0, col < 0 ? -1 : 0);
      return true;
    case "Ctrl+End":
      to(last, col < 0 ? -1 : columns);
      return true;
    case "Home":
      col < 0 ? to(0) : to(row, 0);
      return true;
    case "End":
      col < 0 ? to(last) : to(row, columns);
      return true;
    case "ArrowRight":
      col < 0 ? openOrEnter(desk, true) : to(row, Math.min(columns, col + 1));
      return true;
    case "ArrowLeft":
      col < 0 ? openOrEnter(desk, false) : to(row, col - 1);
      return true;
    case "Escape":
      if (col < 0) desk.selected.value = new Set();
      to(row, -1);
      return true;
    default:
      return false;
  }
}

/** On a row: → opens it or enters its first cell, ← closes it or goes to the row above it. */
function openOrEnter(desk: Desk, right: boolean): void {
  const { plan } = desk;
  const task = desk.focusTask();
  if (task < 0) return;
  const closed = plan.closed.has(plan.rows[task]!.id);
  const summary = (plan.flags[task]! & SUMMARY) !== 0;
  if (summary && closed === right) plan.toggle(task, right);
  else if (right) focusOn(desk, task, desk.nameColumn());
  else if (plan.parent[task]! >= 0) focusOn(desk, plan.parent[task]!, -1);
}

function select(desk: Desk, key: string): boolean {
  const { plan } = desk;
  const task = desk.focusTask();
  if (task < 0) return false;
  const { id } = plan.rows[task]!;
  const picked = new Set(desk.selected.peek());
  if (key === "Space") {
    if (!picked.delete(id)) picked.add(id);
  } else if (key === "Shift+ArrowDown" || key === "Shift+ArrowUp") {
    picked.add(id);
    move(desk, key.slice(6));
    picked.add(desk.focus.peek().id!);
  } else if (key === "Ctrl+a") {
    for (const one of plan.visible) picked.add(plan.rows[one]!.id);
  } else return false;
  desk.selected.value = picked;
  return true;
}

function edit(desk: Desk, event: KeyboardEvent, key: string): boolean {
  const { plan } = desk;
  const task = desk.focusTask();
  const { col } = desk.focus.peek();
  if (key === "Enter" && (task < 0 || plan.rowOf[task] === plan.visible.length - 1) && col >= 0) {
    newRow(desk);
    return true;
  }
  if (task < 0) return false;
  if (key === "Enter") {
    if (col < 0) focusOn(desk, task, desk.nameColumn());
    else move(desk, "ArrowDown");
    return true;
  }
  const letter = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey;
  if (key !== "F2" && !letter) return false;
  return startEdit(desk, task, col < 0 ? desk.nameColumn() : col, letter ? event.key : null);
}

export function startEdit(desk: Desk, task: number, col: number, typed: string | null): boolean {
  const column = COLUMNS.find((one) => one.key === desk.columns.peek()[col]);
  if (!column || !canEdit(desk, column, task)) return false;
  focusOn(desk, task, col);
  desk.editing.value = { id: desk.plan.rows[task]!.id, column: column.key, typed };
  return true;
}
