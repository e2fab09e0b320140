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

/** The keys of all texts that are kept. */
function keys(): string[] {
  try {
    return Array.from({ length: sessionStorage.length }, (_, at) => sessionStorage.key(at) ?? "").flatMap((key) =>
      key.startsWith(PREFIX) ? [key.slice(PREFIX.length)] : [],
    );
  } catch {
    return [];
  }
}

/** Whether a text is kept that the server does not have. */
export const hasTexts = (): boolean => keys().length > 0;

/** Forgets the texts of a person who signs out. */
export const forgetTexts = (): void => keys().forEach(forgetText);

/** The texts of somebody who signed out in another tab. They are in memory only, until it is known who comes back. */
let aside: [string, string][] = [];

/** Takes the texts out of the storage of this tab, for when the same person comes back. */
export function setTextsAside(): void {
  aside = keys().map((key) => [key, keptText(key)!]);
  forgetTexts();
}

/** Somebody has signed in. What was typed in this tab belongs to them if they typed it, and is forgotten otherwise. */
export function claimTexts(person: string): void {
  try {
    const isTheirs = sessionStorage.getItem(OWNER) === person;
    sessionStorage.setItem(OWNER, person);
    if (!isTheirs) forgetTexts();
    else for (const [key, text] of aside) keepText(key, text);
  } catch {
    // a browser without storage keeps no texts
  }
  aside = [];
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
