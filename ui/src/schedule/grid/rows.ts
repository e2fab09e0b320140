// The rows of the grid in the DOM: some dozens, used again while the plan scrolls. Only what has changed is written.
import type { Desk } from "../desk";
import { CRITICAL, DONE, ISSUE, LATE, BROKEN, SUMMARY } from "../plan/flags";
import { barText } from "./bar_text";
import { type Column, canEdit } from "./columns";
import { columnOf, kept } from "../edit/patch";

const MARGIN = 3;

interface Slot {
  element: HTMLDivElement;
  cells: HTMLDivElement[];
  texts: Text[];
  bar: Text;
  toggle: HTMLSpanElement;
  row: number;
  task: number;
  stamp: number;
  /** Whether a cell waits for a decision between two people. */
  contested: boolean;
  /** Whether somebody else is in the row. */
  visited: boolean;
}

export class Rows {
  private readonly used = new Map<number, Slot>();
  private readonly free: Slot[] = [];
  private stamp = 0;

  constructor(
    private readonly desk: Desk,
    private readonly layer: HTMLElement,
    private columns: Column[],
  ) {}

  setColumns(columns: Column[]): void {
    this.columns = columns;
    for (const slot of [...this.used.values(), ...this.free]) slot.element.remove();
    this.used.clear();
    this.free.length = 0;
  }

  /** Everything is written again at the next frame. */
  spoil(): void {
    this.stamp++;
  }

  cell(row: number, column: number): HTMLElement | null {
    const slot = this.used.get(row);
    return slot ? (column < 0 ? slot.element : (slot.cells[column] ?? null)) : null;
  }

  /** Puts the rows in sight in their place. The row with the focus stays, wherever it is. */
  paint(): void {
    const { view, plan } = this.desk;
    const first = Math.max(0, view.firstRow() - MARGIN);
    const last = Math.min(plan.visible.length - 1, view.lastRow() + MARGIN);
    const focusTask = this.desk.focusTask();
    const focusRow = focusTask >= 0 ? plan.rowOf[focusTask]! : -1;
    for (const [row, slot] of this.used) {
      if ((row < first || row > last) && row !== focusRow) {
        this.used.delete(row);
        slot.element.hidden = true;
        slot.element.tabIndex = -1;
        for (const cell of slot.cells) cell.tabIndex = -1;
        this.free.push(slot);
      }
    }
    for (let row = first; row <= last; row++) this.put(row);
    if (focusRow >= 0 && focusRow < plan.visible.length && (focusRow < first || focusRow > last)) this.put(focusRow);
    this.layer.style.transform = `translateY(${-view.scrollTop}px)`;
  }

  private put(row: number): void {
    let slot = this.used.get(row);
    if (!slot) {
      slot = this.free.pop() ?? this.make();
      this.used.set(row, slot);
      slot.element.hidden = false;
      slot.stamp = -1;
    }
    const task = this.desk.plan.visible[row]!;
    if (slot.stamp !== this.stamp || slot.task !== task || slot.row !== row) this.write(slot, row, task);
  }

  private write(slot: Slot, row: number, task: number): void {
    const { plan, view } = this.desk;
    const data = plan.rows[task]!;
    const flags = plan.flags[task]!;
    const { element } = slot;
    if (slot.row !== row || slot.stamp !== this.stamp) {
      element.style.top = `${row * view.rowHeight}px`;
      element.setAttribute("aria-rowindex", String(row + 2));
    }
    slot.row = row;
    slot.task = task;
    slot.stamp = this.stamp;
    element.dataset.id = data.id;
    const focus = this.desk.focus.peek();
    const focused = focus.id === data.id;
    const picked = this.desk.selected.peek().has(data.id);
    const summary = (flags & SUMMARY) !== 0;
    const look = `${summary ? " summary" : ""}${flags & DONE ? " done" : ""}${flags & CRITICAL ? " critical" : ""}`;
    const broken = flags & (LATE | BROKEN | ISSUE) ? " broken" : "";
    element.className = `grid-row${look}${broken}${focused ? " focused" : ""}${picked ? " picked" : ""}`;
    attribute(element, "aria-level", String(plan.level[task]! + 1));
    attribute(element, "aria-posinset", String(plan.place[task]));
    attribute(element, "aria-setsize", String(plan.siblings[task]));
    attribute(element, "aria-selected", String(picked));
    attribute(element, "aria-expanded", summary ? String(!plan.closed.has(data.id)) : null);
    element.tabIndex = focused && focus.col < 0 ? 0 : -1;
    for (let at = 0; at < this.columns.length; at++) {
      const column = this.columns[at]!;
      const cell = slot.cells[at]!;
      const text = column.text(this.desk, task);
      if (slot.texts[at]!.data !== text) slot.texts[at]!.data = text;
      cell.tabIndex = focused && focus.col === at ? 0 : -1;
      attribute(cell, "aria-readonly", canEdit(this.desk, column, task) ? null : "true");
      if (column.key === "name") {
        cell.style.paddingLeft = `${4 + Math.min(plan.level[task]!, 12) * 12}px`;
        slot.toggle.className = summary ? (plan.closed.has(data.id) ? "toggle closed" : "toggle") : "toggle none";
        attribute(cell, "title", text.length > 24 ? text : null);
      }
    }
    const contested = kept
      .peek()
      .filter((one) => one.id === data.id)
      .map((one) => columnOf(one.field));
    if (contested.length || slot.contested)
      this.columns.forEach((column, at) => slot.cells[at]!.classList.toggle("is-kept", contested.includes(column.key)));
    slot.contested = contested.length > 0;
    this.visitors(slot, data.id);
    const said = barText(this.desk, task);
    if (slot.bar.data !== said) slot.bar.data = said;
  }

  /** Who else is in a row, and which field they edit. */
  private visitors(slot: Slot, id: string): void {
    const others = this.desk.others.peek();
    if (!others.size && !slot.visited) return;
    const here = [...others.values()].filter((other) => other.task === id);
    if (!here.length && !slot.visited) return;
    slot.visited = here.length > 0;
    attribute(slot.element, "data-visitors", here.length ? here.map(({ who }) => who).join(", ") : null);
    this.columns.forEach((column, at) =>
      slot.cells[at]!.classList.toggle(
        "is-theirs",
        here.some(({ field }) => field === column.key),
      ),
    );
  }

  private make(): Slot {
    const element = document.createElement("div");
    element.setAttribute("role", "row");
    const cells: HTMLDivElement[] = [];
    const texts: Text[] = [];
    let toggle = document.createElement("span");
    this.columns.forEach((column, at) => {
      const cell = document.createElement("div");
      cell.setAttribute("role", column.key === "name" ? "rowheader" : "gridcell");
      cell.setAttribute("aria-colindex", String(at + 1));
      cell.dataset.col = String(at);
      cell.className = column.right ? `cell ${column.key} right` : `cell ${column.key}`;
      const text = document.createTextNode("");
      if (column.key === "name") {
        toggle = document.createElement("span");
        toggle.setAttribute("aria-hidden", "true");
        const label = document.createElement("span");
        label.className = "clip";
        label.append(text);
        cell.append(toggle, label);
      } else cell.append(text);
      cells.push(cell);
      texts.push(text);
      element.append(cell);
    });
    const bar = document.createTextNode("");
    const hidden = document.createElement("div");
    hidden.className = "hidden-text";
    hidden.setAttribute("role", "gridcell");
    hidden.setAttribute("aria-colindex", String(this.columns.length + 1));
    hidden.append(bar);
    element.append(hidden);
    this.layer.append(element);
    return { element, cells, texts, bar, toggle, row: -1, task: -1, stamp: -1, contested: false, visited: false };
  }
}

function attribute(element: Element, name: string, value: string | null): void {
  if (value === null) {
    if (element.hasAttribute(name)) element.removeAttribute(name);
  } else if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}
