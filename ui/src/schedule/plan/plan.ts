// The plan in memory: rows in outline order, their dates and flags in typed arrays, links, and which rows are visible.
// Nothing here draws; `version` rises with every change, and whoever draws looks at it once a frame.
import { signal } from "@preact/signals";
import { dayOf, NO_DAY } from "../../dates/days";
import { BLOCKED, BROKEN, CRITICAL, DONE, ISSUE, LATE, MILESTONE, NEAR, SUMMARY } from "./flags";
import { LinkIndex, Links, TYPES } from "./links";
import { groupRow, isGroup, type Layout } from "./layout";
import { byOutline, isDraft, type LinkRow, type TaskRow } from "./row";

const NEAR_DAYS = 5;

export class Plan {
  rows: TaskRow[] = [];
  linkRows = new Map<string, LinkRow>();
  readonly index = new Map<string, number>();
  start = new Int32Array(0);
  finish = new Int32Array(0);
  baseStart = new Int32Array(0);
  baseFinish = new Int32Array(0);
  deadline = new Int32Array(0);
  float = new Int32Array(0);
  flags = new Uint16Array(0);
  percent = new Float32Array(0);
  level = new Uint8Array(0);
  parent = new Int32Array(0);
  /** The place among the siblings, from 1, and how many there are; for screen readers. */
  place = new Int32Array(0);
  siblings = new Int32Array(0);
  /** Visible row → task. */
  visible = new Int32Array(0);
  /** Task → the row where it is shown, its own or that of a closed row above; −1 if nowhere. */
  rowOf = new Int32Array(0);
  readonly links = new Links();
  readonly linkIndex = new LinkIndex();
  readonly closed = new Set<string>();
  /** Ids of rows that break a promise; from the conflicts of the project. */
  broken = new Set<string>();
  filter: ((task: number) => boolean) | null = null;
  /** Another order than that of the outline, or groups in its place. */
  arranged: ((plan: Plan) => Layout) | null = null;
  private layout: Layout | null = null;
  /** How many rows of the server there are; groups stand behind them. */
  own = 0;
  first = NO_DAY;
  last = NO_DAY;
  readonly version = signal(0);

  get count(): number {
    return this.rows.length;
  }

  task(id: string): number {
    return this.index.get(id) ?? -1;
  }

  /** The plan, for a component that is drawn again with every change of it: rows and links change in place, so props stay the same. */
  watch(): this {
    this.version.value;
    return this;
  }

  changed(): void {
    this.version.value = this.version.peek() + 1;
  }

  /** Takes rows in any order. */
  setRows(rows: TaskRow[]): void {
    this.rows = rows.sort(byOutline);
    this.rebuild();
  }

  setLinks(links: LinkRow[]): void {
    this.linkRows = new Map(links.map((link) => [link.id, link]));
    this.relink();
  }

  /** The columns of the links after one came, changed or went. */
  relink(): void {
    this.rebuildLinks();
    this.linkIndex.build(this.links, this.rowOf, this.visible.length);
    this.changed();
  }

  /** Puts a draft after a row and everything below it, or at the end. */
  insertAfter(row: TaskRow, after: number): void {
    const at = after < 0 ? this.rows.length : this.end(after);
    this.rows.splice(at, 0, row);
    this.rebuild();
  }

  insertBefore(row: TaskRow, before: number): void {
    this.rows.splice(before, 0, row);
    this.rebuild();
  }

  remove(ids: Set<string>): void {
    this.rows = this.rows.filter((row) => !ids.has(row.id));
    this.rebuild();
  }

  /** The outline after rows have new places or numbers; drafts stay behind the row before them. */
  resort(): void {
    const drafts = this.rows.map((row, at) => ({ row, before: this.rows[at - 1] })).filter(({ row }) => isDraft(row));
    this.rows = this.rows.filter((row) => !isDraft(row)).sort(byOutline);
    for (const { row, before } of drafts) this.rows.splice(before ? this.rows.indexOf(before) + 1 : 0, 0, row);
    this.rebuild();
  }

  /** The first task behind a row and everything below it. */
  end(task: number): number {
    let at = task + 1;
    while (at < this.count && this.level[at]! > this.level[task]!) at++;
    return at;
  }

  children(parent: number): number[] {
    const found: number[] = [];
    for (let task = 0; task < this.count; task++) if (this.parent[task] === parent) found.push(task);
    return found;
  }

  /** Writes the columns of one row after its fields have changed. */
  update(task: number): void {
    this.fill(task);
    const group = this.parent[task]! - this.own;
    if (group >= 0) {
      this.rows[this.own + group] = groupRow(this, this.layout!.groups![group]!);
      this.fill(this.own + group);
    }
    this.range();
    this.changed();
  }

  rebuild(): void {
    this.rows = this.rows.filter((row) => !isGroup(row));
    this.own = this.rows.length;
    this.layout = null;
    this.fillAll();
    this.layout = this.arranged?.(this) ?? null;
    if (this.layout?.groups) {
      this.layout.groups.forEach((group) => this.rows.push(groupRow(this, group)));
      this.fillAll();
    }
    this.countSiblings();
    this.range();
    this.rebuildLinks();
    this.show();
  }

  private fillAll(): void {
    const n = this.count;
    for (const name of ["start", "finish", "baseStart", "baseFinish", "deadline", "float", "parent", "place", "siblings", "rowOf"] as const)
      this[name] = new Int32Array(n);
    this.flags = new Uint16Array(n);
    this.percent = new Float32Array(n);
    this.level = new Uint8Array(n);
    this.index.clear();
    for (let task = 0; task < n; task++) this.index.set(this.rows[task]!.id, task);
    for (let task = 0; task < n; task++) {
      const parent = this.rows[task]!.parent_id;
      const above = this.layout?.groups ? -1 : parent ? this.task(parent) : -1;
      this.parent[task] = above;
      this.level[task] = above >= 0 && above < task ? Math.min(40, this.level[above]! + 1) : 0;
      this.fill(task);
    }
    this.layout?.groups?.forEach((group, at) => {
      for (const task of group.tasks) [this.parent[task], this.level[task]] = [this.own + at, 1];
    });
  }

  private countSiblings(): void {
    const seen = new Int32Array(this.count + 1);
    this.eachShown((task) => (this.place[task] = ++seen[this.parent[task]! + 1]!));
    for (let task = 0; task < this.count; task++) this.siblings[task] = seen[this.parent[task]! + 1]!;
  }

  /** Every row that the order or the groups have, in the order in which rows are shown. */
  private eachShown(see: (task: number) => void): void {
    if (this.layout?.groups) {
      this.layout.groups.forEach((group, at) => {
        see(this.own + at);
        group.tasks.forEach(see);
      });
    } else if (this.layout) this.layout.order.forEach(see);
    else for (let task = 0; task < this.count; task++) see(task);
  }

  /** Which rows are visible, after rows were closed, opened or filtered. */
  show(): void {
    const keep = this.filter ? this.withParents(this.filter) : null;
    const found = new Int32Array(this.count);
    let rows = 0;
    let closedLevel = 1000;
    let closedRow = -1;
    this.rowOf.fill(-1);
    this.eachShown((task) => {
      const level = this.level[task]!;
      if (level > closedLevel && !keep) {
        this.rowOf[task] = closedRow;
        return;
      }
      closedLevel = 1000;
      if (keep && !keep[task]) return;
      this.rowOf[task] = rows;
      if (this.flags[task]! & SUMMARY && this.closed.has(this.rows[task]!.id)) {
        closedLevel = level;
        closedRow = rows;
      }
      found[rows++] = task;
    });
    this.visible = found.slice(0, rows);
    this.linkIndex.build(this.links, this.rowOf, rows);
    this.changed();
  }

  toggle(task: number, open = this.closed.has(this.rows[task]!.id)): void {
    const { id } = this.rows[task]!;
    if (open) this.closed.delete(id);
    else this.closed.add(id);
    this.show();
  }

  private withParents(filter: (task: number) => boolean): Uint8Array {
    const keep = new Uint8Array(this.count);
    for (let task = 0; task < this.count; task++) {
      if (!filter(task)) continue;
      for (let at = task; at >= 0 && !keep[at]; at = this.parent[at]!) keep[at] = 1;
    }
    return keep;
  }

  private fill(task: number): void {
    const row = this.rows[task]!;
    this.start[task] = dayOf(row.scheduled_start ?? row.early_start ?? row.planned_start);
    this.finish[task] = dayOf(row.scheduled_finish ?? row.early_finish);
    if (this.finish[task] === NO_DAY) this.finish[task] = this.start[task]!;
    this.baseStart[task] = dayOf(row.baseline_start);
    this.baseFinish[task] = dayOf(row.baseline_finish);
    this.deadline[task] = dayOf(row.deadline);
    this.float[task] = row.total_float ?? NO_DAY;
    this.percent[task] = row.percent_complete ?? 0;
    const done = row.status === "COMPLETE";
    let flags = 0;
    if (row.is_summary) flags |= SUMMARY;
    if (row.is_milestone) flags |= MILESTONE;
    if (row.is_critical) flags |= CRITICAL;
    if (!done && !row.is_critical && row.total_float !== null && row.total_float <= NEAR_DAYS) flags |= NEAR;
    if (done) flags |= DONE;
    if (row.schedule_issue) flags |= ISSUE;
    if (row.is_blocked) flags |= BLOCKED;
    if (this.deadline[task] !== NO_DAY && this.finish[task]! > this.deadline[task]!) flags |= LATE;
    if (this.broken.has(row.id)) flags |= BROKEN;
    this.flags[task] = flags;
  }

  private range(): void {
    let first = 2147483647;
    let last = NO_DAY;
    for (let task = 0; task < this.count; task++) {
      if (this.start[task] === NO_DAY) continue;
      if (this.start[task]! < first) first = this.start[task]!;
      if (this.finish[task]! > last) last = this.finish[task]!;
      if (this.deadline[task]! > last) last = this.deadline[task]!;
    }
    this.first = last === NO_DAY ? NO_DAY : first;
    this.last = last;
  }

  private rebuildLinks(): void {
    const all = [...this.linkRows.values()];
    this.links.build(this.count, all.length, (at, put) => {
      const link = all[at]!;
      const [from, to] = [this.task(link.predecessor), this.task(link.successor)];
      if (from >= 0 && to >= 0) put(link.id, from, to, TYPES.indexOf(link.dep_type), link.lag, link.is_driving === true);
    });
  }
}
