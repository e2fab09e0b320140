// Groups entries of a history by the day of this person, and writes values so that a person can read them.
export interface Entry {
  history_date: string;
}

/** Entries by local day, in their order. */
export function byDay<E extends Entry>(entries: E[], dayName: (moment: Date) => string): [day: string, entries: E[]][] {
  const days: [string, E[]][] = [];
  for (const entry of entries) {
    const day = dayName(new Date(entry.history_date));
    const last = days[days.length - 1];
    if (last && last[0] === day) last[1].push(entry);
    else days.push([day, [entry]]);
  }
  return days;
}

/** A value of a field as text: nothing, yes or no, a text that is not too long, or the names in a list. */
export function shown(value: unknown, nothing: string): string {
  if (value === null || value === undefined || value === "") return nothing;
  if (Array.isArray(value)) return value.length ? value.map((one) => shown(one, nothing)).join(", ") : nothing;
  if (typeof value === "object")
    return String((value as Record<string, unknown>).name ?? (value as Record<string, unknown>).id ?? JSON.stringify(value));
  const text = String(value);
  return text.length > 120 ? `${text.slice(0, 117)}…` : text;
}
