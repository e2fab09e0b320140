// The links of a plan as pairs of rows, and the index that finds those in a range of visible rows without looking at all.

export const TYPES = ["FS", "SS", "FF", "SF"] as const;
const BUCKET = 6;
const LONG = 8;

/** Links in columns, with the lists of what goes into a task and out of it. */
export class Links {
  count = 0;
  ids: string[] = [];
  from = new Int32Array(0);
  to = new Int32Array(0);
  type = new Uint8Array(0);
  lag = new Int32Array(0);
  driving = new Uint8Array(0);
  /** Task → its place in an order in which every predecessor stands before its successors. */
  rank = new Int32Array(0);
  private outStart = new Int32Array(1);
  private outList = new Int32Array(0);
  private inStart = new Int32Array(1);
  private inList = new Int32Array(0);

  build(
    tasks: number,
    count: number,
    read: (link: number, put: (id: string, from: number, to: number, type: number, lag: number, driving: boolean) => void) => void,
  ): void {
    this.ids = [];
    const [from, to] = [new Int32Array(count), new Int32Array(count)];
    const [type, lag, driving] = [new Uint8Array(count), new Int32Array(count), new Uint8Array(count)];
    let at = 0;
    const put = (id: string, a: number, b: number, kind: number, days: number, drives: boolean) => {
      this.ids.push(id);
      from[at] = a;
      to[at] = b;
      type[at] = kind;
      lag[at] = days;
      driving[at] = drives ? 1 : 0;
      at++;
    };
    for (let link = 0; link < count; link++) read(link, put);
    this.count = at;
    Object.assign(this, { from, to, type, lag, driving });
    const out = lists(tasks, at, from);
    const into = lists(tasks, at, to);
    [this.outStart, this.outList, this.inStart, this.inList] = [out[0], out[1], into[0], into[1]];
    this.rank = this.ranks(tasks);
  }

  private ranks(tasks: number): Int32Array<ArrayBuffer> {
    const rank = new Int32Array(tasks);
    const waits = new Int32Array(tasks);
    const order = new Int32Array(tasks);
    let end = 0;
    for (let task = 0; task < tasks; task++) {
      waits[task] = this.inStart[task + 1]! - this.inStart[task]!;
      if (waits[task] === 0) order[end++] = task;
    }
    for (let at = 0; at < end; at++) {
      rank[order[at]!] = at;
      this.eachOut(order[at]!, (_link, other) => {
        if (--waits[other]! === 0) order[end++] = other;
      });
    }
    return rank;
  }

  eachOut(task: number, see: (link: number, other: number) => void): void {
    for (let i = this.outStart[task]!; i < this.outStart[task + 1]!; i++) see(this.outList[i]!, this.to[this.outList[i]!]!);
  }

  eachIn(task: number, see: (link: number, other: number) => void): void {
    for (let i = this.inStart[task]!; i < this.inStart[task + 1]!; i++) see(this.inList[i]!, this.from[this.inList[i]!]!);
  }
}

function lists(tasks: number, count: number, ends: Int32Array) {
  const start = new Int32Array(tasks + 1);
  for (let link = 0; link < count; link++) start[ends[link]! + 1]!++;
  for (let task = 0; task < tasks; task++) start[task + 1]! += start[task]!;
  const list = new Int32Array(count);
  const next = start.slice();
  for (let link = 0; link < count; link++) list[next[ends[link]!]!++] = link;
  return [start, list] as const;
}

/** Finds links by visible rows: short ones in buckets of 64 rows, the few long ones in a list of their own. */
export class LinkIndex {
  private buckets: Int32Array[] = [];
  private long = new Int32Array(0);
  private low = new Int32Array(0);
  private high = new Int32Array(0);
  private stamp = new Int32Array(0);
  private turn = 0;

  /** `rowOf` says where a task is shown; a task inside a closed row is shown at that row. */
  build(links: Links, rowOf: Int32Array, rows: number): void {
    const buckets: number[][] = Array.from({ length: (rows >> BUCKET) + 1 }, () => []);
    const long: number[] = [];
    this.low = new Int32Array(links.count);
    this.high = new Int32Array(links.count);
    this.stamp = new Int32Array(links.count);
    this.turn = 0;
    for (let link = 0; link < links.count; link++) {
      const a = rowOf[links.from[link]!]!;
      const b = rowOf[links.to[link]!]!;
      if (a < 0 || b < 0 || a === b) continue;
      const [low, high] = [Math.min(a, b), Math.max(a, b)];
      this.low[link] = low;
      this.high[link] = high;
      const [first, last] = [low >> BUCKET, high >> BUCKET];
      if (last - first > LONG) long.push(link);
      else for (let bucket = first; bucket <= last; bucket++) buckets[bucket]!.push(link);
    }
    this.buckets = buckets.map((list) => Int32Array.from(list));
    this.long = Int32Array.from(long);
  }

  /** Every link that touches the rows from `first` to `last`, once. */
  find(first: number, last: number, into: number[]): number[] {
    into.length = 0;
    this.turn++;
    for (let bucket = first >> BUCKET; bucket <= last >> BUCKET; bucket++) {
      const list = this.buckets[bucket];
      if (!list) continue;
      for (const link of list) {
        if (this.stamp[link] === this.turn || this.high[link]! < first || this.low[link]! > last) continue;
        this.stamp[link] = this.turn;
        into.push(link);
      }
    }
    for (const link of this.long) if (this.high[link]! >= first && this.low[link]! <= last) into.push(link);
    return into;
  }
}
