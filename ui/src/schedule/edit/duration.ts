// Durations and lags as people type them, with the words of the four languages.

interface Unit {
  words: RegExp;
  /** In working days. */
  days: number;
  /** Where all days count. */
  allDays: number;
}

/** Minutes and hours are no days, and `m` may be either minutes or months. */
const UNITS: Unit[] = [
  { words: /^(d|days?|t|tag(e|en)?|j|jours?|d[ií]as?)?$/, days: 1, allDays: 1 },
  { words: /^(w|wks?|weeks?|wo|wochen?|s|sem|semaines?|semanas?)$/, days: 5, allDays: 7 },
  { words: /^(mo|mons?|months?|mon|monate?n?|mois|mes|meses)$/, days: 20, allDays: 30 },
];

/** `3`, `3d`, `2w`, `1mo` → whole working days, or whole days if `elapsed`; -1 for anything else. */
export function typedDuration(text: string, elapsed = false): number {
  const read = /^(\d+(?:[.,]\d+)?)\s*(\p{L}*)\.?$/u.exec(text.trim());
  const unit = read && UNITS.find(({ words }) => words.test(read[2]!.toLowerCase()));
  if (!unit) return -1;
  // 1.1 months are 22 days, and a little more as a product of two numbers.
  const days = Number((Number(read[1]!.replace(",", ".")) * (elapsed ? unit.allDays : unit.days)).toFixed(6));
  return Number.isInteger(days) ? days : -1;
}

/** For a row that counts hours: `8`, `8h`. */
export function typedHours(text: string): number {
  const read = /^(\d+)\s*(h|hours?|std|stunden?|heures?|horas?)?\.?$/i.exec(text.trim());
  return read ? Number(read[1]) : -1;
}

/** `+2`, `-1w` → days, of which a lead has less than none; null for anything else. */
export function typedLag(text: string, elapsed: boolean): number | null {
  const days = typedDuration(text.slice(1), elapsed);
  if (days < 0) return null;
  return text.startsWith("-") ? 0 - days : days;
}
