// The grid: header, rows, editor. Preact draws the frame once; rows are placed by `Rows` in the frame of the view.
import { useNow } from "../../app/now";
import { useEffect, useRef } from "preact/hooks";
import { language, t } from "../../words/words";
import { schedule } from "../../words/schedule";
import { turnSort } from "../arrange";
import type { Desk } from "../desk";
import { focusOn } from "../edit/actions";
import { kept } from "../edit/patch";
import { type Column, COLUMNS } from "./columns";
import { Editor } from "./editor";
import { gridKeys, startEdit } from "./grid_keys";
import { Rows } from "./rows";

export function shownColumns(desk: Desk): Column[] {
  return desk.columns.value.map((key) => COLUMNS.find((one) => one.key === key)).filter((one): one is Column => one !== undefined);
}

const NAME_MIN = 150;

/** The widths as one track list, so that header and rows agree. */
function tracks(columns: Column[]): string {
  return columns
    .map((column) =>
      column.grows ? `minmax(${column.width}px, ${column.grows}fr)` : column.width ? `${column.width}px` : `minmax(${NAME_MIN}px, 1fr)`,
    )
    .join(" ");
}

export function Grid({ desk }: { desk: Desk }) {
  const box = useRef<HTMLDivElement>(null);
  const layer = useRef<HTMLDivElement>(null);
  const rows = useRef<Rows | null>(null);
  /** Whether the grid had the focus last: a row or an editor that goes away with it drops it to the page. */
  const held = useRef(false);
  const columns = shownColumns(desk);
  const sorted = desk.arrangement.value;

  useEffect(() => {
    const made = new Rows(desk, layer.current!, columns);
    const editor = new Editor(desk, layer.current!, made);
    rows.current = made;
    let version = -1;
    let focused = 0;
    const stop = desk.view.onFrame(() => {
      // Another page may have taken the place of this one in the same frame.
      if (!box.current) return;
      if (version !== desk.plan.version.peek()) {
        version = desk.plan.version.peek();
        made.spoil();
        box.current.setAttribute("aria-rowcount", String(desk.plan.visible.length + 1));
      }
      made.paint();
      editor.paint();
      const active = document.activeElement;
      const inside = box.current.contains(active) || (held.current && active === document.body);
      if (inside && desk.pane.peek() === "grid" && !desk.editing.peek()) focused = keepFocus(desk, made, focused);
    });
    desk.view.request();
    return () => {
      stop();
      layer.current?.replaceChildren();
    };
  }, [desk.columns.value, language.value]);

  useNow(() => {
    desk.plan.version.value;
    desk.focus.value;
    desk.selected.value;
    desk.canAuthor.value;
    desk.others.value;
    kept.value;
    rows.current?.spoil();
    desk.view.request();
  });
  useNow(() => void (desk.editing.value && desk.view.flush()));

  useEffect(() => {
    const elsewhere = (event: PointerEvent) => {
      if (!box.current?.contains(event.target as Node)) held.current = false;
    };
    document.addEventListener("pointerdown", elsewhere, true);
    return () => document.removeEventListener("pointerdown", elsewhere, true);
  }, []);
  const onFocusOut = (event: FocusEvent) => {
    if (event.relatedTarget && !box.current?.contains(event.relatedTarget as Node)) held.current = false;
    else desk.view.request();
  };

  const onPointerDown = (event: PointerEvent) => {
    const target = event.target as HTMLElement;
    const row = target.closest<HTMLElement>("[role=row]");
    if (!row?.dataset.id || target.tagName === "INPUT") return;
    event.preventDefault();
    const task = desk.plan.task(row.dataset.id);
    if (target.classList.contains("toggle")) return desk.plan.toggle(task);
    const col = Number(target.closest<HTMLElement>(".cell")?.dataset.col ?? desk.nameColumn());
    pick(desk, row.dataset.id, event);
    desk.pane.value = "grid";
    focusOn(desk, task, col);
    desk.enter?.("grid");
    return undefined;
  };
  const onDblClick = (event: MouseEvent) => {
    const cell = (event.target as HTMLElement).closest<HTMLElement>(".cell");
    const id = cell?.closest<HTMLElement>("[role=row]")?.dataset.id;
    if (cell && id) startEdit(desk, desk.plan.task(id), Number(cell.dataset.col), null);
  };

  return (
    <div class="grid-x">
      <div
        ref={box}
        class="grid"
        role="treegrid"
        aria-label={t(schedule.grid)}
        aria-multiselectable="true"
        aria-colcount={columns.length + 1}
        style={
          { "--tracks": tracks(columns), minWidth: `${columns.reduce((sum, column) => sum + (column.width || NAME_MIN), 0)}px` } as never
        }
        onKeyDown={(event) => gridKeys(desk, event)}
        onPointerDown={onPointerDown}
        onDblClick={onDblClick}
        onPointerOver={wholeText}
        onFocusIn={() => {
          held.current = true;
          desk.pane.value = "grid";
        }}
        onFocusOut={onFocusOut}
      >
        <div class="grid-head" role="row" aria-rowindex={1}>
          {columns.map((column, at) => (
            <div
              key={column.key}
              role="columnheader"
              aria-colindex={at + 1}
              aria-sort={sorted.sort === column.key ? (sorted.down ? "descending" : "ascending") : undefined}
              class={column.right ? "clip right" : "clip"}
              title={t(column.title)}
              onClick={() => turnSort(desk, column.key)}
            >
              {t(column.title)}
            </div>
          ))}
          <div role="columnheader" class="hidden-text" aria-colindex={columns.length + 1}>
            {t(schedule.bar)}
          </div>
        </div>
        <div class="grid-body" role="rowgroup">
          <div ref={layer} class="grid-layer" role="presentation" />
        </div>
      </div>
    </div>
  );
}

/** A cell that is cut shows its whole text under the pointer. */
function wholeText(event: PointerEvent): void {
  const cell = (event.target as HTMLElement).closest<HTMLElement>(".cell");
  if (!cell) return;
  if (cell.scrollWidth > cell.clientWidth) cell.title = cell.textContent ?? "";
  else cell.removeAttribute("title");
}

function pick(desk: Desk, id: string, event: PointerEvent): void {
  const { plan } = desk;
  if (event.ctrlKey || event.metaKey) {
    const picked = new Set(desk.selected.peek());
    if (!picked.size && desk.focus.peek().id) picked.add(desk.focus.peek().id!);
    if (!picked.delete(id)) picked.add(id);
    desk.selected.value = picked;
  } else if (event.shiftKey && desk.focusTask() >= 0) {
    const [a, b] = [plan.rowOf[desk.focusTask()]!, plan.rowOf[plan.task(id)]!];
    const span = plan.visible.slice(Math.min(a, b), Math.max(a, b) + 1);
    desk.selected.value = new Set([...span].map((task) => plan.rows[task]!.id));
  } else if (desk.selected.peek().size) desk.selected.value = new Set();
}

/** The focus of the browser follows the focus of the desk; the grid has one tab stop. Answers the row that has it now. */
function keepFocus(desk: Desk, rows: Rows, before: number): number {
  const { plan } = desk;
  const { id, col } = desk.focus.peek();
  const task = id ? plan.task(id) : -1;
  const row = task < 0 ? -1 : plan.rowOf[task]!;
  if (row < 0) {
    // The row is gone, or a filter hides it: the one that took its place has the keys.
    const next = plan.visible[Math.min(before, plan.visible.length - 1)];
    if (id && next !== undefined) desk.focus.value = { id: plan.rows[next]!.id, col };
    return before;
  }
  const cell = rows.cell(row, col);
  if (cell && document.activeElement !== cell) cell.focus({ preventScroll: true });
  return row;
}
