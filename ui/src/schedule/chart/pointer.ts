// The pointer on the chart: which part of which bar is under it, and what a drag does.
import { NO_DAY } from "../../dates/days";
import { say } from "../../app/toast";
import { arrange as words } from "../../words/arrange";
import { t } from "../../words/words";
import type { Desk, MovedLink } from "../desk";
import { focusOn, linkTwo, moveLink } from "../edit/actions";
import { commitDates } from "../edit/dates";
import { cascade } from "../plan/cascade";
import { circle, drivingChain } from "../plan/chain";
import { MILESTONE, SUMMARY } from "../plan/flags";
import { chosenLink, endAt, linkAt } from "./chosen_link";
import { BAR, barBox } from "./paint_bars";
import { Pinch } from "./pinch";

const SLACK = 4;

export type Part = "body" | "end" | "start" | "link" | "none";

export interface Hit {
  task: number;
  part: Part;
}

/** What is at a place of the canvas. */
export function hit(desk: Desk, x: number, y: number): Hit {
  const { plan, view } = desk;
  const task = plan.visible[view.rowAt(y)] ?? -1;
  if (task < 0 || plan.start[task] === NO_DAY) return { task: -1, part: "none" };
  const box = barBox(desk, task);
  const flags = plan.flags[task]!;
  const point = (flags & MILESTONE) !== 0;
  const middle = (box.left + box.right) / 2;
  const [left, right] = point ? [middle - 8, middle + 8] : [box.left, box.right];
  if (y < box.top - 4 || y > box.top + BAR + 4) return { task: -1, part: "none" };
  if (x > right + 1 && x < right + 15) return { task, part: "link" };
  if (x < left - 2 || x > right + 2) return { task: -1, part: "none" };
  if (flags & SUMMARY || point) return { task, part: "body" };
  if (x > right - 6 && right - left > 10) return { task, part: "end" };
  if (x < left + 5 && right - left > 24) return { task, part: "start" };
  return { task, part: "body" };
}

export function hover(desk: Desk, task: number): void {
  if (desk.hover === task) return;
  desk.hover = task;
  light(desk);
}

/** The chain of the bar under the pointer, or of the row with the focus while the chart has it. */
export function light(desk: Desk): void {
  const task = desk.hover >= 0 ? desk.hover : desk.pane.peek() === "chart" ? desk.focusTask() : -1;
  desk.chain = task >= 0 && task < desk.plan.count ? drivingChain(desk.plan, task) : null;
  desk.view.request();
}

interface Drag {
  /** The end of an existing link, if that was taken hold of. */
  moved?: MovedLink;
  x: number;
  y: number;
  hit: Hit;
  begun: boolean;
  origin: number;
  top: number;
}

/** The drags of one chart. `place` gives the pointer in pixels of the canvas. */
export class Pointer {
  private drag: Drag | null = null;
  private readonly pinch: Pinch;

  constructor(private readonly desk: Desk) {
    this.pinch = new Pinch(desk);
  }

  get busy(): boolean {
    return this.drag !== null;
  }

  down(event: PointerEvent, x: number, y: number): void {
    if (event.button !== 0) return;
    (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
    if (this.pinch.down(event.pointerId, x, y)) return this.cancel();
    const found = hit(this.desk, x, y);
    // A finger that scrolls must not move what it happens to touch: a bar moves only after it was chosen.
    if (event.pointerType === "touch" && this.desk.focusTask() !== found.task) found.part = "none";
    this.drag = { x, y, hit: found, begun: false, origin: this.desk.view.origin, top: this.desk.view.scrollTop };
    if (this.takeLink(this.drag)) return;
    const row = this.desk.plan.visible[this.desk.view.rowAt(y)];
    if (row !== undefined) focusOn(this.desk, row);
    if (found.task >= 0 && !event.ctrlKey && !event.shiftKey) this.desk.selected.value = new Set();
  }

  move(event: PointerEvent, x: number, y: number): string {
    const { desk, drag } = this;
    if (this.pinch.move(event.pointerId, x, y)) return "";
    if (!drag) {
      if (desk.canLink.peek() && endAt(desk, x, y)) return "move";
      const found = hit(desk, x, y);
      hover(desk, found.task);
      return cursor(desk, found);
    }
    if (!drag.begun && Math.hypot(x - drag.x, y - drag.y) < SLACK) return "";
    drag.begun = true;
    if (drag.moved) {
      this.link(drag.hit.task, x, y, drag.moved);
      return "move";
    }
    if (drag.hit.task < 0 || drag.hit.part === "none" || !mayTake(desk, drag.hit) || !this.allowed(drag.hit)) {
      desk.view.origin = drag.origin - (x - drag.x) / desk.view.px;
      desk.scroll?.(drag.top - (y - drag.y));
      desk.view.request();
      return "grabbing";
    }
    if (drag.hit.part === "link") this.link(drag.hit.task, x, y);
    else this.dates(drag, x);
    return drag.hit.part === "body" ? "grabbing" : drag.hit.part === "link" ? "crosshair" : "ew-resize";
  }

  async up(event: PointerEvent): Promise<void> {
    const { desk, drag } = this;
    this.pinch.up(event.pointerId);
    this.drag = null;
    const gesture = desk.gesture.peek();
    // Behind the end of a bar a drag makes a link; a click there means the link that leaves it.
    if (drag && !drag.begun && !drag.moved && drag.hit.part === "link") this.choose(linkAt(desk, drag.x, drag.y));
    if (!drag?.begun || !gesture) return;
    if (gesture.kind === "link") {
      desk.gesture.value = null;
      if (gesture.over >= 0 && gesture.moved) await moveLink(desk, gesture.moved, gesture.over);
      else if (gesture.over >= 0) await linkTwo(desk, gesture.task, gesture.over);
    } else await commitDates(desk, gesture);
  }

  /** The browser took the pointer away. */
  lost(event: PointerEvent): void {
    this.pinch.up(event.pointerId);
    this.cancel();
  }

  cancel(): void {
    this.drag = null;
    this.desk.gesture.value = null;
    this.desk.view.request();
  }

  private allowed({ task, part }: Hit): boolean {
    const computed = this.desk.plan.flags[task]! & SUMMARY;
    return part === "link" || !computed;
  }

  /** A press on an end of the chosen link takes it; a press on a line chooses that link; anything else leaves it. */
  private takeLink(drag: Drag): boolean {
    const { desk } = this;
    const end = desk.canLink.peek() ? endAt(desk, drag.x, drag.y) : null;
    if (end) {
      const link = chosenLink(desk);
      drag.moved = { id: desk.link!, end };
      drag.hit = { task: end === "to" ? desk.plan.links.from[link]! : desk.plan.links.to[link]!, part: "link" };
      return true;
    }
    return this.choose(drag.hit.task < 0 ? linkAt(desk, drag.x, drag.y) : -1);
  }

  private choose(link: number): boolean {
    this.desk.link = link >= 0 ? this.desk.plan.links.ids[link]! : null;
    if (link >= 0) say(t(words.linkChosen));
    this.desk.view.request();
    return link >= 0;
  }

  private link(task: number, x: number, y: number, moved?: MovedLink): void {
    const { desk } = this;
    const under = desk.plan.visible[desk.view.rowAt(y)] ?? -1;
    const over = under === task || under < 0 || desk.plan.start[under] === NO_DAY ? -1 : under;
    const refused = over < 0 ? [] : moved?.end === "from" ? circle(desk.plan, over, task) : circle(desk.plan, task, over);
    desk.gesture.value = { kind: "link", task, x, y, over, refused, ...(moved ? { moved } : {}) };
    desk.view.request();
  }

  private dates(drag: Drag, x: number): void {
    const { desk } = this;
    const { task, part } = drag.hit;
    const by = Math.round((x - drag.x) / desk.view.px);
    stretch(desk, task, part === "end" ? "resize" : part === "start" ? "start" : "move", by);
  }
}

/** Moves or stretches a bar by days and shows what follows. The ends stay on working days. */
export function stretch(desk: Desk, task: number, kind: "move" | "resize" | "start", by: number): void {
  const { plan, calendar } = desk;
  const days = Math.max(1, calendar.count(plan.start[task]!, plan.finish[task]!));
  let start = plan.start[task]!;
  let finish = plan.finish[task]!;
  if (kind === "move") {
    start = by < 0 ? calendar.previous(start + by) : calendar.next(start + by);
    finish = plan.flags[task]! & MILESTONE ? start : calendar.finish(start, days);
  } else if (kind === "resize") finish = Math.max(start, by < 0 ? calendar.previous(finish + by) : calendar.next(finish + by));
  else start = Math.min(finish, by < 0 ? calendar.previous(start + by) : calendar.next(start + by));
  desk.gesture.value = { kind, task, start, finish, cascade: null };
  follow(desk, kind, task, start, finish);
  desk.view.request();
}

const QUICK_MS = 3;
const LATER_MS = 120;
let cost = 0;
let waiting: ReturnType<typeof setTimeout> | undefined;

/** The successors move at once while that is quick, otherwise when the pointer rests. */
function follow(desk: Desk, kind: "move" | "resize" | "start", task: number, start: number, finish: number): void {
  const compute = () => {
    const now = desk.gesture.peek();
    if (!now || now.kind === "link" || now.task !== task || now.start !== start || now.finish !== finish) return;
    const begun = performance.now();
    desk.gesture.value = { kind, task, start, finish, cascade: cascade(desk.plan, desk.calendar, task, start, finish) };
    cost = performance.now() - begun;
  };
  clearTimeout(waiting);
  if (cost < QUICK_MS) compute();
  else waiting = setTimeout(compute, LATER_MS);
}

/** Whether this person may drag a part of a bar. */
const mayTake = (desk: Desk, { part }: Hit): boolean => (part === "link" ? desk.canLink : desk.canAuthor).peek();

function cursor(desk: Desk, found: Hit): string {
  if (found.task < 0) return "";
  if (!mayTake(desk, found)) return "default";
  if (found.part === "link") return "crosshair";
  if (found.part === "end" || found.part === "start") return "ew-resize";
  return desk.plan.flags[found.task]! & SUMMARY ? "default" : "grab";
}
