// Texts that somebody is typing, kept for this tab until the server has them: leaving the page or loading it again loses none.
import { useState } from "preact/hooks";

const PREFIX = "planwright.typed.";
/** Whose texts they are. */
const OWNER = "planwright.typing";

export function keepText(key: string, text: string): void {
  try {
    sessionStorage.setItem(PREFIX + key, text);
  } catch {
    // a browser without storage keeps it on the page only
  }
}

export function forgetText(key: string): void {
  try {
    sessionStorage.removeItem(PREFIX + key);
  } catch {
    // there is nothing to forget
  }
}

export function keptText(key: string): string | null {
  try {
    return sessionStorage.getItem(PREFIX + key);
  } catch {
    return null;
  }
}

/** Whether a text is kept that the server does not have. */
export function hasTexts(): boolean {
  try {
    return Array.from({ length: sessionStorage.length }, (_, at) => sessionStorage.key(at) ?? "").some((key) => key.startsWith(PREFIX));
  } catch {
    return false;
  }
}

/** Somebody has signed in: texts that another person left in this tab are theirs alone, and are forgotten. */
export function claimTexts(person: string): void {
  try {
    if (sessionStorage.getItem(OWNER) !== person) forgetTexts();
    sessionStorage.setItem(OWNER, person);
  } catch {
    // a browser without storage keeps no texts
  }
}

/** The texts of somebody who signed out in another tab. They are in memory only, until it is known who comes back. */
let aside: [string, string][] = [];

/** Takes the texts out of the storage of this tab, for when the same person comes back. */
export function setTextsAside(): void {
  try {
    const keys = Array.from({ length: sessionStorage.length }, (_, at) => sessionStorage.key(at) ?? "").filter((key) => key.startsWith(PREFIX));
    aside = keys.map((key) => [key, sessionStorage.getItem(key) ?? ""]);
  } catch {
    aside = [];
  }
  forgetTexts();
}

/** Somebody has signed in: the texts come back to the person who wrote them, and to nobody else. */
export function returnTexts(toTheSame: boolean): void {
  if (toTheSame) for (const [key, text] of aside) keepText(key.slice(PREFIX.length), text);
  aside = [];
}

/** Forgets the texts of a person who signs out. */
export function forgetTexts(): void {
  try {
    const keys = Array.from({ length: sessionStorage.length }, (_, at) => sessionStorage.key(at) ?? "");
    for (const key of keys) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
  } catch {
    // there is nothing to forget
  }
}

/** The text of a field that is kept under a name; an empty one is forgotten. */
export function useKept(key: string): [string, (text: string) => void] {
  const [state, setState] = useState({ key, text: keptText(key) ?? "" });
  const text = state.key === key ? state.text : (keptText(key) ?? "");
  const set = (next: string) => {
    if (next) keepText(key, next);
    else forgetText(key);
    setState({ key, text: next });
  };
  return [text, set];
}
