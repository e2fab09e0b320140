// The one mechanism for words. A message is written in all four languages at the place of its feature; a missing
// language is an error of the compiler, and a test compares the names in braces.
import { signal } from "@preact/signals";

/** English, German, French, Spanish. `one | many` chooses by the number `n`. */
export type Message = readonly [string, string, string, string];
export type Language = "en" | "de" | "fr" | "es" | "pseudo";

const ORDER: Language[] = ["en", "de", "fr", "es"];
const KEPT = "planwright.language";

export function languages(): { code: Language; name: string }[] {
  return [
    { code: "en", name: "English" },
    { code: "de", name: "Deutsch" },
    { code: "fr", name: "Français" },
    { code: "es", name: "Español" },
  ];
}

function firstLanguage(): Language {
  const kept = read();
  if (kept) return kept;
  for (const wish of globalThis.navigator?.languages ?? []) {
    const code = wish.slice(0, 2) as Language;
    if (ORDER.includes(code)) return code;
  }
  return "en";
}

function read(): Language | null {
  try {
    return localStorage.getItem(KEPT) as Language | null;
  } catch {
    return null;
  }
}

export const language = signal<Language>(firstLanguage());

/** The locale for dates and numbers: the region of the browser if it speaks the language that was chosen. */
export function locale(): string {
  const code = language.value === "pseudo" ? "en" : language.value;
  const wish = (globalThis.navigator?.languages ?? []).find((tag) => tag.startsWith(code));
  return wish ?? (code === "en" ? "en-GB" : code);
}

export function chooseLanguage(code: Language): void {
  language.value = code;
  try {
    localStorage.setItem(KEPT, code);
  } catch {
    // a browser without storage forgets the choice, nothing else
  }
}

let rules: { code: string; plural: Intl.PluralRules; number: Intl.NumberFormat } | null = null;

function tools() {
  const code = locale();
  if (rules?.code !== code) rules = { code, plural: new Intl.PluralRules(code), number: new Intl.NumberFormat(code) };
  return rules;
}

export type Values = Record<string, string | number>;

/** The message in the language of the person, with its values. */
export function t(message: Message, values?: Values): string {
  const code = language.value;
  let text = message[Math.max(0, ORDER.indexOf(code))] ?? message[0];
  if (text.includes(" | ")) {
    const [one, many] = text.split(" | ");
    text = (tools().plural.select(Number(values?.n ?? 0)) === "one" ? one : many) ?? text;
  }
  if (values) {
    text = text.replace(/\{(\w+)\}/g, (whole, name: string) => {
      const value = values[name];
      return value === undefined ? whole : typeof value === "number" ? tools().number.format(value) : value;
    });
  }
  return code === "pseudo" ? `[${text.replace(/[aeiou]/g, "$&$&")}]` : text;
}

export function number(value: number, digits = 0): string {
  return new Intl.NumberFormat(locale(), { maximumFractionDigits: digits }).format(value);
}
