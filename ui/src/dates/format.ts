// Days as people read them: formatters are made once for each language, and each day is written once.
import { dates as words } from "../words/dates";
import { locale, t } from "../words/words";
import { dayFrom, isoWeek, NO_DAY, partsOf } from "./days";

/** `W48`, `KW 48`: the ISO week of a day. */
export const weekName = (day: number): string => t(words.week, { n: String(isoWeek(day).week).padStart(2, "0") });

/** `2026-W48` → `W48`, `KW 48`. */
export const weekOf = (code: string): string => t(words.week, { n: code.split("W")[1]! });

interface Book {
  code: string;
  short: Intl.DateTimeFormat;
  full: Intl.DateTimeFormat;
  long: Intl.DateTimeFormat;
  month: Intl.DateTimeFormat;
  dayMonth: Intl.DateTimeFormat;
  monthYear: Intl.DateTimeFormat;
  monthNarrow: Intl.DateTimeFormat;
  weekday: Intl.DateTimeFormat;
  moment: Intl.DateTimeFormat;
  shorts: Map<number, string>;
  longs: Map<number, string>;
}

let book: Book | null = null;

function current(): Book {
  const code = locale();
  if (book?.code !== code) {
    const make = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(code, { timeZone: "UTC", ...options });
    book = {
      code,
      short: make({ day: "2-digit", month: "short", year: "2-digit" }),
      full: make({ day: "2-digit", month: "short", year: "numeric" }),
      long: make({ weekday: "short", day: "numeric", month: "long", year: "numeric" }),
      month: make({ month: "short" }),
      dayMonth: make({ day: "numeric", month: "short" }),
      monthYear: make({ month: "long", year: "numeric" }),
      monthNarrow: make({ month: "narrow" }),
      weekday: make({ weekday: "narrow" }),
      moment: new Intl.DateTimeFormat(code, { dateStyle: "medium", timeStyle: "short" }),
      shorts: new Map(),
      longs: new Map(),
    };
  }
  return book;
}

const at = (day: number) => new Date(day * 86400000);

/** `24 Nov 26`, in the order of the language. */
export function shortDay(day: number): string {
  if (day === NO_DAY) return "";
  const { shorts, short } = current();
  let text = shorts.get(day);
  if (text === undefined) {
    text = short.format(at(day)).replace("Sept", "Sep");
    shorts.set(day, text);
  }
  return text;
}

/** `24 Nov 2026`: for files, whose years may be long ago. */
export const fullDay = (day: number): string => (day === NO_DAY ? "" : current().full.format(at(day)).replace("Sept", "Sep"));

/** `Tue, 24 November 2026`, in the order of the language. */
export function longDay(day: number): string {
  if (day === NO_DAY) return "";
  const { longs, long } = current();
  let text = longs.get(day);
  if (text === undefined) {
    text = long.format(at(day));
    longs.set(day, text);
  }
  return text;
}
export const dayAndMonth = (day: number): string => current().dayMonth.format(at(day));
export const monthName = (day: number): string => current().month.format(at(day));
export const monthAndYear = (day: number): string => current().monthYear.format(at(day));
export const monthLetter = (day: number): string => current().monthNarrow.format(at(day));
export const weekdayLetter = (day: number): string => current().weekday.format(at(day));
/** The name of a weekday; 0 is Monday. */
export const weekdayName = (day: number): string =>
  new Intl.DateTimeFormat(locale(), { weekday: "short", timeZone: "UTC" }).format(at(dayFrom(2024, 0, 1 + day)));
export const moment = (text: string): string => current().moment.format(new Date(text));

/** The order in which the language writes day, month and year. */
function fieldOrder(): ("day" | "month" | "year")[] {
  const parts = new Intl.DateTimeFormat(locale(), { timeZone: "UTC" }).formatToParts(at(0));
  return parts.map((part) => part.type).filter((type) => type === "day" || type === "month" || type === "year") as never;
}

/** What a person typed as a date: ISO, the order of the language, `+5`, or a day and a month of the year around `near`. */
export function typedDay(text: string, near: number): number {
  const clean = text.trim();
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(clean);
  if (iso) return checked(+iso[1]!, +iso[2]!, +iso[3]!);
  const shift = /^([+-]\d{1,4})$/.exec(clean);
  if (shift) return near + +shift[1]!;
  const named = /^(\d{1,2})\.?[ -]+(\p{L}+)\.?(?:[ -]+(\d{2,4}))?$/u.exec(clean);
  if (named) {
    const month = monthNumber(named[2]!);
    return month < 0 ? NO_DAY : checked(fullYear(named[3], near), month + 1, +named[1]!);
  }
  const fields = clean.split(/[./\- ]+/).filter(Boolean);
  if (fields.length < 2 || fields.length > 3 || fields.some((field) => !/^\d+$/.test(field))) return NO_DAY;
  const order = fieldOrder().filter((type) => fields.length === 3 || type !== "year");
  const value = (type: "day" | "month" | "year") => fields[order.indexOf(type)];
  return checked(fullYear(value("year"), near), +(value("month") ?? 0), +(value("day") ?? 0));
}

function fullYear(text: string | undefined, near: number): number {
  if (!text) return partsOf(near).year;
  return text.length <= 2 ? 2000 + +text : +text;
}

function monthNumber(word: string): number {
  const wish = word.toLocaleLowerCase();
  for (let month = 0; month < 12; month++) {
    const day = dayFrom(2024, month, 1);
    const long = current().monthYear.format(at(day)).toLocaleLowerCase();
    const short = monthName(day).toLocaleLowerCase().replace(".", "");
    if (long.startsWith(wish) || wish === short) return month;
  }
  return -1;
}

function checked(year: number, month: number, date: number): number {
  if (year < 1 || month < 1 || month > 12 || date < 1 || date > 31) return NO_DAY;
  const day = dayFrom(year, month - 1, date);
  return partsOf(day).date === date ? day : NO_DAY;
}

/** `M 7`: the letter of the weekday and the day of the month. */
export const dayShort = (day: number): string => `${weekdayLetter(day)} ${new Date(day * 86400000).getUTCDate()}`;
