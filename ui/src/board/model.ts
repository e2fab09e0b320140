// The rules of the board as pure functions: which cards stand where, what a filter lets through, what a move means.
import type { Schemas } from "../api/client";

export type Task = Schemas["Task"];
export type Column = Schemas["FilledColumn"];
export type Status = Task["status"];
export type LaneKind = "none" | "phase" | "person";

export interface Filter {
  text: string;
  mine: boolean;
  blocked: boolean;
  critical: boolean;
  sprint: string | null;
}

export interface Lane {
  id: string;
  name: string;
  cells: Map<Status, Task[]>;
  count: number;
}

/** Tasks on hold stand with the work in progress, as the server counts them. */
export const columnOf = (task: Task): Status => (task.status === "ON_HOLD" ? "IN_PROGRESS" : task.status);

/** Phases and subtasks are no cards. */
export const isCard = (task: Task): boolean => !task.is_phase && !task.is_summary && !task.is_subtask;

/** Somebody said that it is blocked. Work that only waits for its predecessors is not stopped. */
export const stopped = (task: Task): boolean => task.is_impediment || Boolean(task.blocker_type) || Boolean(task.blocked_reason);

export function passes(task: Task, filter: Filter, me: { id: string; name: string }): boolean {
  if (filter.mine && task.assignee !== me.id && !task.assignments.some((one) => one.resource_name === me.name)) return false;
  if (filter.blocked && !stopped(task)) return false;
  if (filter.critical && !task.is_critical) return false;
  if (filter.sprint && task.sprint !== filter.sprint) return false;
  const wish = plain(filter.text);
  return (
    !wish ||
    wish
      .split(/\s+/)
      .every((word) =>
        plain(`${task.name} ${task.qualified_id} ${names(task)} ${task.labels.map((label) => label.name).join(" ")}`).includes(word),
      )
  );
}

const plain = (text: string): string => text.trim().normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
export const names = (task: Task): string => task.assignments.map((one) => one.resource_name).join(", ");

/** Ranked cards first, by rank; then the order of the outline. */
export function byRank(a: Task, b: Task): number {
  const one = a.priority_rank ?? Infinity;
  const two = b.priority_rank ?? Infinity;
  return one === two ? outline(a.wbs_path, b.wbs_path) : one - two;
}

function outline(a: string | null, b: string | null): number {
  const left = (a ?? "").split(".").map(Number);
  const right = (b ?? "").split(".").map(Number);
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const step = (left[i] ?? -1) - (right[i] ?? -1);
    if (step) return step;
  }
  return 0;
}

/** The cards by lane and column. Lanes stand in the order of the outline, or by name; the lane without a key is last. */
export function lanesOf(all: Task[], shown: Task[], columns: Column[], kind: LaneKind, rest: string): Lane[] {
  const lanes = new Map<string, Lane>();
  const lane = (id: string, name: string): Lane => {
    let found = lanes.get(id);
    if (!found) {
      found = { id, name, cells: new Map(columns.map((column) => [column.status, []])), count: 0 };
      lanes.set(id, found);
    }
    return found;
  };
  const phases = new Map(
    all.filter((task) => task.is_phase && task.wbs_path && !task.wbs_path.includes(".")).map((task) => [task.wbs_path!, task]),
  );
  for (const task of [...shown].sort(byRank)) {
    const [id, name] = laneOf(task, kind, phases);
    const into = lane(id, name || rest);
    const cell = into.cells.get(columnOf(task));
    if (!cell) continue;
    cell.push(task);
    into.count++;
  }
  if (kind === "none" && lanes.size === 0) lane("", "");
  const order = (one: Lane) =>
    one.id === ""
      ? "\uffff"
      : kind === "phase"
        ? String(Number(phases.get(one.id)?.wbs_path ?? 0)).padStart(6, "0")
        : one.name.toLowerCase();
  return [...lanes.values()].sort((a, b) => (order(a) < order(b) ? -1 : order(a) > order(b) ? 1 : 0));
}

function laneOf(task: Task, kind: LaneKind, phases: Map<string, Task>): [id: string, name: string] {
  if (kind === "phase") {
    const top = task.wbs_path?.split(".")[0] ?? "";
    return task.wbs_path?.includes(".") && phases.has(top) ? [top, phases.get(top)!.name] : ["", ""];
  }
  if (kind === "person") {
    const first = task.assignments[0];
    return first ? [first.resource_id, first.resource_name] : ["", ""];
  }
  return ["", ""];
}

/** How full a column is, also while cards move. */
export function breach(count: number, limit: number | null): "none" | "at" | "over" {
  if (limit === null || count < limit) return "none";
  return count === limit ? "at" : "over";
}

export interface Place {
  column: Status;
  index: number;
}

/** What a key does to a lifted card: the new place, within the columns and the cards of its lane. */
export function step(place: Place, key: string, columns: Status[], sizes: (column: Status) => number): Place {
  const at = columns.indexOf(place.column);
  if (key === "ArrowLeft" || key === "ArrowRight") {
    const next = columns[at + (key === "ArrowLeft" ? -1 : 1)];
    return next ? { column: next, index: Math.min(place.index, sizes(next)) } : place;
  }
  const index =
    key === "ArrowUp"
      ? place.index - 1
      : key === "ArrowDown"
        ? place.index + 1
        : key === "Home"
          ? 0
          : key === "End"
            ? sizes(place.column)
            : place.index;
  return { column: place.column, index: Math.max(0, Math.min(sizes(place.column), index)) };
}

/** The neighbours of a place among the other cards of its cell, as the server wants them. */
export function neighbours(cell: Task[], moving: string, index: number): { before_id?: string; after_id?: string } {
  const others = cell.filter((task) => task.id !== moving);
  const below = others[index];
  if (below) return { before_id: below.id };
  const above = others[others.length - 1];
  return above ? { after_id: above.id } : {};
}

/** The cards after a move, with ranks between the neighbours, until the server says its own. */
export function moved(tasks: Task[], id: string, cell: Task[], place: Place): Task[] {
  const others = cell.filter((task) => task.id !== id);
  const order = [...others.slice(0, place.index).map((task) => task.id), id, ...others.slice(place.index).map((task) => task.id)];
  const rank = new Map(order.map((one, at) => [one, at + 1]));
  return tasks.map((task) => {
    const now = rank.get(task.id);
    if (task.id === id)
      return { ...task, status: columnOf(task) === place.column ? task.status : place.column, priority_rank: now ?? task.priority_rank };
    return now !== undefined ? { ...task, priority_rank: now } : task;
  });
}

/** How many days a card is late against its deadline. */
export function daysLate(task: Task, today: string): number {
  if (!task.deadline || task.status === "COMPLETE") return 0;
  const end = task.early_finish && task.early_finish > today ? task.early_finish : today;
  return Math.max(0, Math.round((Date.parse(end) - Date.parse(task.deadline)) / 86400000));
}
