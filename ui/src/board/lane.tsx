// One lane of the board with a cell for each column: keys between cards, drag, and a line for a new card.
import { useRef, useState } from "preact/hooks";
import { readOnly } from "../api/connection";
import { asCallError, type CallError } from "../api/errors";
import { chord } from "../app/keys";
import { Failure } from "../app/failure";
import { value } from "../app/field";
import { Icon } from "../app/icons";
import { useKept } from "../api/kept";
import { place } from "../app/router";
import { say } from "../app/toast";
import { board } from "../words/board";
import { calls } from "../words/calls";
import { t } from "../words/words";
import { Card } from "./card";
import type { Board } from "./data";
import { followPointer } from "./drag";
import { type Column, type Lane, type Place, type Status, step, type Task } from "./model";

interface LaneProps {
  lane: Lane;
  columns: Column[];
  desk: Board;
  focus: string | null;
  setFocus: (id: string) => void;
  open: (task: Task, part?: "block") => void;
  add: boolean;
}

export function LaneCells({ lane, columns, desk, focus, setFocus, open, add }: LaneProps) {
  const box = useRef<HTMLDivElement>(null);
  const [drag, setDrag] = useState<{ task: Task; place: Place; keys: boolean } | null>(null);
  const cell = (status: Status) => lane.cells.get(status) ?? [];
  const others = (status: Status) => cell(status).filter((task) => task.id !== drag?.task.id);
  const statuses = columns.map((column) => column.status);

  const drop = (task: Task, place: Place | null) => {
    setDrag(null);
    desk.hold(false);
    if (!place) return;
    const name = columns.find((column) => column.status === place.column)!.label;
    void desk.move(task, cell(place.column), place);
    say(t(board.moved, { name: task.name, column: name, place: place.index + 1 }));
    setTimeout(() => focusCard(task.id));
  };
  const focusCard = (id: string) => {
    setFocus(id);
    requestAnimationFrame(() => box.current?.querySelector<HTMLElement>(`[data-task="${id}"]`)?.focus());
  };
  const fixed = (task: Task) => !task.can_edit || readOnly.peek();
  const press = (event: PointerEvent, task: Task) => {
    if (fixed(task)) return;
    followPointer(event, event.currentTarget as HTMLElement, {
      lane: box.current!,
      place: (place) => (desk.hold(true), setDrag({ task, place, keys: false })),
      drop: (place) => drop(task, place),
    });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const id = (event.target as HTMLElement).closest<HTMLElement>("[data-task]")?.dataset.task;
    const status = statuses.find((one) => cell(one).some((task) => task.id === id));
    if (!id || !status) return;
    const task = cell(status).find((one) => one.id === id)!;
    const key = chord(event);
    if (drag?.keys) {
      if (key === "Escape") drop(task, null);
      else if (key === "Enter" || key === "Space") drop(task, drag.place);
      else if (/^(Arrow|Home|End)/.test(key)) setDrag({ ...drag, place: step(drag.place, key, statuses, (one) => others(one).length) });
      else return;
    } else if (key === "m" || key === "M" || key === "Space") {
      if (fixed(task)) return readOnly.peek() ? say(t(calls.offline)) : undefined;
      desk.hold(true);
      setDrag({ task, keys: true, place: { column: status, index: cell(status).indexOf(task) } });
      say(t(board.lifted, { name: task.name }));
    } else if (key === "Enter" || key === "F2") open(task);
    else if (key === "b" || key === "B") open(task, "block");
    else if (/^Arrow/.test(key)) {
      const to = step({ column: status, index: cell(status).indexOf(task) }, key, statuses, (one) => cell(one).length);
      const next = neighbour(to, key);
      if (!next) return;
      focusCard(next.id);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const neighbour = (to: Place, key: string): Task | undefined => {
    const list = cell(to.column);
    if (list.length) return list[Math.min(to.index, list.length - 1)];
    const further = step(to, key, statuses, (one) => cell(one).length);
    return further.column === to.column ? undefined : neighbour(further, key);
  };

  return (
    <div
      ref={box}
      class="board-cells"
      onKeyDown={onKeyDown}
      onFocusOut={(event) => drag?.keys && !box.current?.contains(event.relatedTarget as Node) && drop(drag.task, null)}
    >
      {columns.map((column) => (
        <Cell key={column.status} column={column} aim={drag?.place.column === column.status}>
          <ul
            role="listbox"
            aria-label={`${column.label}${lane.name ? `, ${lane.name}` : ""}`}
            aria-describedby="board-keys"
            class="board-list"
          >
            {withMark(cell(column.status), drag, column.status).map((item) =>
              item === "mark" ? (
                <li key="mark" role="presentation" class="board-mark" />
              ) : (
                <Card
                  key={item.id}
                  task={item}
                  focus={focus === item.id}
                  lifted={drag?.task.id === item.id}
                  open={() => open(item)}
                  onFocus={() => setFocus(item.id)}
                  onPointerDown={(event) => press(event, item)}
                />
              ),
            )}
          </ul>
          {add && <QuickAdd column={column} add={(name) => desk.add(name, column.status)} />}
        </Cell>
      ))}
    </div>
  );
}

function Cell({ column, aim, children }: { column: Column; aim: boolean; children: preact.ComponentChildren }) {
  return (
    <section class={aim ? "board-cell is-aim" : "board-cell"} data-column={column.status} aria-label={column.label}>
      {children}
    </section>
  );
}

function withMark(cell: Task[], drag: { task: Task; place: Place } | null, status: Status): (Task | "mark")[] {
  if (drag?.place.column !== status) return cell;
  const out: (Task | "mark")[] = [];
  let index = 0;
  for (const task of cell) {
    if (task.id !== drag.task.id) {
      if (index === drag.place.index) out.push("mark");
      index++;
    }
    out.push(task);
  }
  if (index <= drag.place.index) out.push("mark");
  return out;
}

function QuickAdd({ column, add }: { column: Column; add: (name: string) => Promise<void> }) {
  const [name, setName] = useKept(`${place.value.path}.${column.status}`);
  const [error, setError] = useState<CallError | null>(null);
  const [busy, setBusy] = useState(false);
  const submit = async (event?: Event) => {
    event?.preventDefault();
    if (!name.trim() || busy) return;
    setBusy(true);
    setError(null);
    try {
      await add(name.trim());
      setName("");
    } catch (thrown) {
      setError(asCallError(thrown));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form class="board-add" onSubmit={(event) => void submit(event)}>
      <Icon name="plus" size={14} />
      <input
        value={name}
        maxLength={500}
        placeholder={t(board.addCard)}
        aria-label={t(board.newCard, { column: column.label })}
        onInput={(event) => setName(value(event))}
        onKeyDown={(event) => event.key === "Escape" && setName("")}
      />
      {error && <Failure error={error} retry={() => void submit()} />}
    </form>
  );
}
