// What is being typed in a cell, kept for this tab until the server has it: a reload or a crash does not lose it.
import { forgetText, keepText, keptText } from "../../api/kept";
import type { Desk } from "../desk";
import { focusOn, newRow } from "../edit/actions";

export interface Typed {
  id: string;
  column: string;
  text: string;
}

export const keepTyped = (desk: Desk, typed: Typed): void => keepText(desk.projectId, JSON.stringify(typed));

export const forgetTyped = (desk: Desk): void => forgetText(desk.projectId);

export function readTyped(desk: Desk): Typed | null {
  try {
    const typed = JSON.parse(keptText(desk.projectId) ?? "null") as Typed | null;
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
    return newRow(desk, false, typed.text);
  }
  const task = desk.plan.task(typed.id);
  const column = desk.columns.peek().indexOf(typed.column);
  if (task < 0 || column < 0) return forgetTyped(desk);
  focusOn(desk, task, column);
  desk.editing.value = { id: typed.id, column: typed.column, typed: typed.text };
}
