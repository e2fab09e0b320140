// Sentences of the server in the language of the person. A catalogue holds them as the server says them in English, so that a
// sentence is found by its text; the parts that change are names in braces.
import type { Message } from "./words";

export interface Found {
  message: Message;
  parts: Record<string, string>;
}

const NAME = /\{(\w+)\}/g;

/** `Names are cut after {n} characters.` as a pattern with a group for each name. */
function patternOf(text: string): RegExp {
  const plain = text.replace(/[\\^$.*+?()[\]|]/g, "\\$&");
  return new RegExp(`^${plain.replace(NAME, "(?<$1>.+?)")}$`, "s");
}

/** What finds the message of a sentence and the parts of it that change; `null` for one that the catalogue does not hold. */
export function finder(messages: readonly Message[]): (sentence: string) => Found | null {
  const changing = (message: Message) => message[0].includes("{");
  const whole = new Map(messages.filter((message) => !changing(message)).map((message) => [message[0], message]));
  const templates = messages.filter(changing).map((message) => ({ message, pattern: patternOf(message[0]) }));
  return (sentence) => {
    const message = whole.get(sentence);
    if (message) return { message, parts: {} };
    for (const template of templates) {
      const match = template.pattern.exec(sentence);
      if (match) return { message: template.message, parts: { ...match.groups } };
    }
    return null;
  };
}
