// A preview of what a moved or longer task does to its successors, computed here while a person drags.
// It follows links and the calendar of the project only; the dates that count come from the server after the drop.
import { NO_DAY, today } from "../../dates/days";
import type { WorkCalendar } from "./calendar";
import { DONE, SUMMARY } from "./flags";
import type { Plan } from "./plan";

interface Span {
  start: number;
  finish: number;
}

export interface Cascade {
  /** Task → its new start and finish. The moved task is among them. */
  moved: Map<number, Span>;
  /** Whether the moved task stays where it is: its work has begun, or what comes before it holds it. */
  stays: boolean;
  /** Whether the work of the moved task counts as begun, because its start is in the past. */
  begins: boolean;
  finishBefore: number;
  finishAfter: number;
  /** Tasks that would miss their deadline and do not now. */
  missed: number[];
}

export function cascade(plan: Plan, calendar: WorkCalendar, task: number, start: number, finish: number, now = today()): Cascade {
  const begins = start < now && start !== plan.start[task] && !plan.rows[task]!.actual_start;
  const own = begins ? { start, finish } : held(plan, calendar, task, { start, finish });
  const stays = own.start === plan.start[task] && own.finish === plan.finish[task];
  const moved = new Map<number, Span>([[task, own]]);
  const open = new Queue(plan.links.rank);
  if (!stays) open.push(task);
  for (let at = open.pop(); at >= 0; at = open.pop()) {
    plan.links.eachOut(at, (link, other) => {
      if (other === task || plan.flags[other]! & (DONE | SUMMARY) || plan.start[other] === NO_DAY) return;
      const wanted = startBehind(plan, calendar, link, moved.get(at)!, other);
      const now = moved.get(other) ?? { start: plan.start[other]!, finish: plan.finish[other]! };
      const pulled = plan.links.driving[link] && wanted < now.start && !moved.has(other) && onlyDriver(plan, other, link);
      if (wanted <= now.start && !pulled) return;
      const days = Math.max(1, calendar.count(plan.start[other]!, plan.finish[other]!));
      moved.set(other, { start: wanted, finish: calendar.finish(wanted, days) });
      open.push(other);
    });
  }
  let finishBefore = NO_DAY;
  let finishAfter = NO_DAY;
  const missed: number[] = [];
  for (let one = 0; one < plan.count; one++) {
    if (plan.flags[one]! & SUMMARY) continue;
    const end = moved.get(one)?.finish ?? plan.finish[one]!;
    if (end > finishAfter) finishAfter = end;
    if (plan.finish[one]! > finishBefore) finishBefore = plan.finish[one]!;
    if (moved.has(one) && plan.deadline[one] !== NO_DAY && end > plan.deadline[one]! && plan.finish[one]! <= plan.deadline[one]!)
      missed.push(one);
  }
  return { moved, stays, begins, finishBefore, finishAfter, missed };
}

/** Where a bar comes to stand that is moved as a whole: work that has begun stays, and no predecessor is left behind. */
function held(plan: Plan, calendar: WorkCalendar, task: number, wish: Span): Span {
  const now = { start: plan.start[task]!, finish: plan.finish[task]! };
  if (now.start === NO_DAY || wish.start === now.start || wish.finish === now.finish) return wish;
  if (plan.rows[task]!.actual_start) return now;
  if (wish.start > now.start) return wish;
  let first = wish.start;
  plan.links.eachIn(task, (link, other) => {
    if (plan.start[other] !== NO_DAY)
      first = Math.max(first, earliest(plan, calendar, link, { start: plan.start[other]!, finish: plan.finish[other]! }, task));
  });
  if (first === wish.start) return wish;
  return first >= now.start ? now : { start: first, finish: calendar.finish(first, Math.max(1, calendar.count(now.start, now.finish))) };
}

/** Tasks by rank, each once: what drives a task is settled before the task is looked at. */
class Queue {
  private readonly heap: number[] = [];
  private readonly inside = new Set<number>();

  constructor(private readonly rank: Int32Array) {}

  push(task: number): void {
    if (this.inside.has(task)) return;
    this.inside.add(task);
    const { heap } = this;
    let at = heap.push(task) - 1;
    while (at > 0 && this.before(heap[at]!, heap[(at - 1) >> 1]!)) at = this.swap(at, (at - 1) >> 1);
  }

  pop(): number {
    const { heap } = this;
    const first = heap[0];
    if (first === undefined) return -1;
    const last = heap.pop()!;
    this.inside.delete(first);
    if (!heap.length) return first;
    heap[0] = last;
    for (let at = 0; ; ) {
      const left = 2 * at + 1;
      const small = left + 1 < heap.length && this.before(heap[left + 1]!, heap[left]!) ? left + 1 : left;
      if (small >= heap.length || !this.before(heap[small]!, heap[at]!)) return first;
      at = this.swap(at, small);
    }
  }

  private before(a: number, b: number): boolean {
    return this.rank[a]! < this.rank[b]!;
  }

  private swap(a: number, b: number): number {
    [this.heap[a], this.heap[b]] = [this.heap[b]!, this.heap[a]!];
    return b;
  }
}

function onlyDriver(plan: Plan, task: number, link: number): boolean {
  let alone = true;
  plan.links.eachIn(task, (other) => {
    if (other !== link) alone = false;
  });
  return alone && plan.rows[task]!.planned_start === null;
}

/**
 * Where `other` starts after its predecessor moved. The server may hold a link in another way, with the calendar of a row or a lag
 * of all days: then `other` moves as far as its predecessor pushes it, and not to where it would stand by the rules of the preview.
 */
function startBehind(plan: Plan, calendar: WorkCalendar, link: number, after: Span, other: number): number {
  const from = plan.links.from[link]!;
  const start = plan.start[other]!;
  const first = earliest(plan, calendar, link, after, other);
  const was = earliest(plan, calendar, link, { start: plan.start[from]!, finish: plan.finish[from]! }, other);
  if (was === start || (was < start && !plan.links.driving[link])) return first;
  if (first === was) return start;
  return first > was ? calendar.next(start + first - was) : calendar.previous(start + first - was);
}

/** The first start of `other` that the link allows. */
function earliest(plan: Plan, calendar: WorkCalendar, link: number, before: Span, other: number): number {
  const lag = plan.links.lag[link]!;
  const days = Math.max(1, calendar.count(plan.start[other]!, plan.finish[other]!));
  const shift = (day: number) => (lag === 0 ? calendar.next(day) : calendar.add(calendar.next(day), lag));
  const milestone = plan.start[other] === plan.finish[other] && plan.rows[other]!.is_milestone;
  switch (plan.links.type[link]) {
    case 1:
      return shift(before.start);
    case 2:
      return calendar.add(shift(before.finish), -(days - 1));
    case 3:
      return calendar.add(shift(before.start), -(days - 1));
    default:
      return milestone ? shift(before.finish) : shift(before.finish + 1);
  }
}
