// How much room the names beside the last bars need, so that a picture does not cut them.

/** A row of a picture: where its bar ends and how much its label needs behind it. */
export interface Reach {
  /** Days from the first day of the picture to the end of the bar or of its deadline. */
  days: number;
  /** Pixels of what stands behind the bar. */
  label: number;
}

/** The pixels of a day with which all labels fit into a width; never less than `least`, never more than `most`. */
export function fittingPx(rows: Reach[], width: number, least: number, most: number): number {
  let px = most;
  for (const { days, label } of rows) if (days > 0) px = Math.min(px, (width - label) / days);
  return Math.max(least, px);
}

/** The width in which the labels of all bars fit that end within it. A wider picture shows more bars, so this looks again. */
export function fittingWidth(rows: { bar: number; label: number }[], width: number, turns = 4): number {
  let now = width;
  for (let turn = 0; turn < turns; turn++) {
    const wish = rows.reduce((most, { bar, label }) => (bar >= 0 && bar <= now ? Math.max(most, label) : most), now);
    if (wish === now) break;
    now = wish;
  }
  return now;
}
