// Days as integers: days since 1 January 1970. The only place that turns texts into days and back.

export const NO_DAY = -2147483648;

/** `2026-11-24` → 20781; anything that is not a date → NO_DAY. */
export function dayOf(text: string | null | undefined): number {
  if (!text || text.length < 10) return NO_DAY;
  const day = dayFrom(+text.slice(0, 4), +text.slice(5, 7) - 1, +text.slice(8, 10));
  return Number.isNaN(day) ? NO_DAY : day;
}

export function isoOf(day: number): string {
  return new Date(day * 86400000).toISOString().slice(0, 10);
}

export function isoOrNull(day: number): string | null {
  return day === NO_DAY ? null : isoOf(day);
}

export function today(): number {
  const now = new Date();
  return Math.floor(Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()) / 86400000);
}

/** Monday is 0, Sunday is 6. */
export function weekday(day: number): number {
  return (((day + 3) % 7) + 7) % 7;
}

export interface YearMonth {
  year: number;
  month: number;
  date: number;
}

export function partsOf(day: number): YearMonth {
  const at = new Date(day * 86400000);
  return { year: at.getUTCFullYear(), month: at.getUTCMonth(), date: at.getUTCDate() };
}

export function dayFrom(year: number, month: number, date: number): number {
  // `Date.UTC` takes a year below 100 for one of the last century.
  const at = year < 100 ? new Date(0).setUTCFullYear(year, month, date) : Date.UTC(year, month, date);
  return Math.floor(at / 86400000);
}

/** The ISO week and the year that it belongs to. */
export function isoWeek(day: number): { week: number; year: number } {
  const thursday = day - weekday(day) + 3;
  const year = partsOf(thursday).year;
  return { week: Math.floor((thursday - dayFrom(year, 0, 1)) / 7) + 1, year };
}
