// What is being typed in a cell, kept for this tab until the server has it: a reload or a crash does not lose it.
import type { Desk } from "../desk";
import { focusOn, newRow } from "../edit/actions";

export interface Typed {
  id: string;
  column: string;
  text: string;
}

const key = (desk: Desk): string => `planwright.typed.${desk.projectId}`;

export function keepTyped(desk: Desk, typed: Typed): void {
  try {
    sessionStorage.setItem(key(desk), JSON.stringify(typed));
  } catch {
    // a browser without storage keeps it on the page only
  }
}

export function forgetTyped(desk: Desk): void {
  try {
    sessionStorage.removeItem(key(desk));
  } catch {
    // there is nothing to forget
  }
}

export function readTyped(desk: Desk): Typed | null {
  try {
    const typed = JSON.parse(sessionStorage.getItem(key(desk)) ?? "null") as Typed | null;
    return typed && typeof typed.text === "string" && typed.text ? typed : null;
  } catch {
    return null;
  }
}

/** Opens the editor with what was typed before the page was loaded again. */
export function openTyped(desk: Desk): void {
  const typed = readTyped(desk);
  if (!typed || desk.editing.peek() || !desk.canAuthor.peek()) return;
  if (typed.id.startsWith("draft-")) {
    newRow(desk);
    const made = desk.editing.peek() as { id: string; column: string } | null;
    if (made) desk.editing.value = { ...made, typed: typed.text };
    return;
  }
  const task = desk.plan.task(typed.id);
  const column = desk.columns.peek().indexOf(typed.column);
  if (task < 0 || column < 0) return forgetTyped(desk);
  focusOn(desk, task, column);
  desk.editing.value = { id: typed.id, column: typed.column, typed: typed.text };
}
