// The editor of a cell: one input above the cell. What was typed is kept until the server has taken it or Esc is pressed.
import { trouble } from "../../api/connection";
import { refuse, say } from "../../app/toast";
import { calls } from "../../words/calls";
import { schedule } from "../../words/schedule";
import { t } from "../../words/words";
import type { Desk } from "../desk";
import { focusOn, newRow } from "../edit/actions";
import { create, dropDraft } from "../edit/structure";
import { isDraft } from "../plan/row";
import { COLUMNS, editsFor } from "./columns";
import type { Rows } from "./rows";
import { forgetTyped, keepTyped } from "./typed";

type Way = "down" | "up" | "right" | "left" | "stay";

export class Editor {
  private input: HTMLInputElement | null = null;
  private id = "";
  private column = "";
  /** The version and the value of the row when the editor was opened. */
  private base = 0;
  private begun = "";
  private note: HTMLElement | null = null;
  /** What is wrong with what was typed, until it is typed on. */
  private wrong = "";

  constructor(
    private readonly desk: Desk,
    private readonly layer: HTMLElement,
    private readonly rows: Rows,
  ) {}

  /** Opens, moves or closes the input so that it agrees with `desk.editing`. */
  paint(): void {
    const wanted = this.desk.editing.peek();
    if (!wanted) return this.close();
    if (this.input && this.id === wanted.id && this.desk.plan.task(wanted.id) < 0) return this.orphan();
    const row = this.desk.plan.rowOf[this.desk.plan.task(wanted.id)] ?? -1;
    const at = this.desk.columns.peek().indexOf(wanted.column);
    const cell = this.rows.cell(row, at);
    if (!cell) return;
    if (this.input && this.id !== wanted.id && this.desk.plan.task(this.id) < 0) this.id = wanted.id;
    if (this.input && this.id === wanted.id && this.column === wanted.column) return this.place(cell, row);
    this.close();
    this.open(wanted.id, wanted.column, wanted.typed);
    this.place(cell, row);
    this.input!.focus({ preventScroll: true });
    if (wanted.typed === null) this.input!.select();
  }

  private place(cell: HTMLElement, row: number): void {
    const style = this.input!.style;
    style.top = `${row * this.desk.view.rowHeight}px`;
    style.left = `${cell.offsetLeft}px`;
    style.width = `${Math.max(cell.offsetWidth, 96)}px`;
    style.height = `${this.desk.view.rowHeight}px`;
    this.tell(row);
  }

  /** Somebody else deleted the row: what is typed stays to be copied, and comes into use again if the row comes back. */
  private orphan(): void {
    const row = Number.parseFloat(this.input!.style.top) / this.desk.view.rowHeight;
    this.write(t(schedule.rowGone), row, true);
  }

  /** Somebody else changed the same cell meanwhile: theirs is shown below, and what is typed stays. */
  private tell(row: number): void {
    const { desk } = this;
    const task = desk.plan.task(this.id);
    const column = COLUMNS.find((one) => one.key === this.column)!;
    const now = column.typed!(desk, task);
    if (this.wrong) return this.write(this.wrong, row, true);
    if (now === this.begun || isDraft(desk.plan.rows[task]!)) return this.erase();
    this.write(`${desk.touched.get(this.id)?.who ?? t(schedule.theirs)}: ${column.text(desk, task)}`, row, false);
  }

  /** A line below the cell, said once to screen readers. */
  private write(text: string, row: number, bad: boolean): void {
    if (!this.note) {
      this.note = document.createElement("div");
      this.layer.append(this.note);
    }
    this.note.className = bad ? "cell-note is-wrong" : "cell-note";
    if (this.note.textContent !== text) {
      this.note.textContent = text;
      say(text);
    }
    this.note.style.top = `${(row + 1) * this.desk.view.rowHeight}px`;
    this.note.style.left = this.input!.style.left;
  }

  private erase(): void {
    this.note?.remove();
    this.note = null;
  }

  /** Says below the cell what is wrong with what was typed, or nothing any more. */
  private mark(input: HTMLInputElement, wrong: string): void {
    input.setAttribute("aria-invalid", String(wrong !== ""));
    this.wrong = wrong;
    this.desk.view.request();
  }

  private open(id: string, key: string, typed: string | null): void {
    const column = COLUMNS.find((one) => one.key === key)!;
    const input = document.createElement("input");
    input.className = "cell-editor";
    input.setAttribute("aria-label", `${this.desk.plan.rows[this.desk.plan.task(id)]!.name} ${key}`.trim());
    input.value = typed ?? column.typed!(this.desk, this.desk.plan.task(id));
    input.autocomplete = "off";
    input.spellcheck = key === "name";
    this.base = this.desk.plan.rows[this.desk.plan.task(id)]!.server_version;
    this.begun = column.typed!(this.desk, this.desk.plan.task(id));
    input.addEventListener("input", () => this.mark(input, ""));
    input.addEventListener("input", () => keepTyped(this.desk, { id: this.id, column: key, text: input.value }));
    input.addEventListener("keydown", (event) => this.onKey(event));
    input.addEventListener("blur", () => this.input === input && this.commit("stay"));
    [this.input, this.id, this.column] = [input, id, key];
    this.layer.append(input);
  }

  private onKey(event: KeyboardEvent): void {
    event.stopPropagation();
    if (event.isComposing) return;
    const way: Way | null =
      event.key === "Enter" ? (event.shiftKey ? "up" : "down") : event.key === "Tab" ? (event.shiftKey ? "left" : "right") : null;
    if (event.key === "Escape") {
      event.preventDefault();
      this.cancel();
    } else if (way) {
      event.preventDefault();
      this.commit(way);
    } else if (event.ctrlKey && event.key.toLowerCase() === "k") event.preventDefault();
  }

  private cancel(): void {
    const task = this.desk.plan.task(this.id);
    const row = this.desk.plan.rows[task];
    const before = task - 1;
    forgetTyped(this.desk);
    this.close();
    this.desk.editing.value = null;
    if (row && isDraft(row)) {
      dropDraft(this.desk, row);
      focusOn(this.desk, Math.max(0, before));
    }
    this.desk.enter?.("grid");
  }

  private commit(way: Way): void {
    const { desk } = this;
    const input = this.input;
    const task = desk.plan.task(this.id);
    if (input && task < 0) return this.orphan();
    if (!input) return;
    const text = input.value;
    const column = COLUMNS.find((one) => one.key === this.column)!;
    const row = desk.plan.rows[task]!;
    if (trouble.peek() === "banner" && text.trim() !== this.begun.trim()) return say(t(calls.offline));
    if (isDraft(row)) return this.commitDraft(task, text.trim(), way);
    if (text.trim() !== column.typed!(desk, task).trim()) {
      const edits = editsFor(desk, column, task, text, this.base);
      if (typeof edits === "string") {
        this.mark(input, edits);
        // The focus has left: the old value stays, and why is said where it can still be read.
        if (way === "stay") {
          this.cancel();
          refuse(edits);
        }
        return;
      }
      for (const edit of edits) void desk.edits.run(edit).then(() => forgetTyped(desk));
    } else forgetTyped(desk);
    this.close();
    desk.editing.value = null;
    if (way !== "stay") this.step(task, way);
  }

  private commitDraft(task: number, name: string, way: Way): void {
    const { desk } = this;
    const row = desk.plan.rows[task]!;
    if (!name) return this.cancel();
    const read = COLUMNS.find((one) => one.key === "name")!.read!(desk, task, name);
    if (typeof read === "string") return this.mark(this.input!, read);
    this.close();
    desk.editing.value = null;
    void desk.edits.run(create(desk, row, name)).then((made) => made && forgetTyped(desk));
    focusOn(desk, task);
    if (way === "down") newRow(desk);
    else if (way !== "stay") this.step(task, way);
  }

  private step(task: number, way: Way): void {
    const { desk } = this;
    const { plan } = desk;
    const { col } = desk.focus.peek();
    const row = plan.rowOf[task]!;
    if (way === "right" || way === "left")
      focusOn(desk, task, Math.max(0, Math.min(desk.columns.peek().length - 1, col + (way === "right" ? 1 : -1))));
    else if (way === "down" && row === plan.visible.length - 1 && this.column === "name") return newRow(desk);
    else focusOn(desk, plan.visible[Math.max(0, Math.min(plan.visible.length - 1, row + (way === "down" ? 1 : -1)))]!);
    desk.enter?.("grid");
  }

  private close(): void {
    const input = this.input;
    this.input = null;
    this.erase();
    this.wrong = "";
    input?.remove();
  }
}
