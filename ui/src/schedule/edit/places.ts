// Where notes stand that want to be at their rows: inside the plan, and none over another.

export const heightsOf = (notes: readonly HTMLElement[]): number[] => notes.map((note) => note.offsetHeight);

/** The tops of notes that wish for those tops, between two edges, in the order of their wishes. */
export function placed(wishes: readonly number[], heights: readonly number[], from: number, to: number, gap: number): number[] {
  const tops = [...wishes];
  const order = wishes.map((_, at) => at).sort((a, b) => wishes[a]! - wishes[b]! || a - b);
  let free = from;
  for (const at of order) {
    tops[at] = Math.max(free, wishes[at]!);
    free = tops[at]! + heights[at]! + gap;
  }
  let limit = to;
  for (const at of order.reverse()) {
    tops[at] = Math.min(tops[at]!, limit - heights[at]!);
    limit = tops[at]! - gap;
  }
  return tops;
}
