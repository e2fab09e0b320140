// Sentences of the server in the language of the person. A catalogue holds them as the server says them in English, so that a
// sentence is found by its text; the parts that change are names in braces.
import { type Message, t } from "./words";

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

/** What finds the message of a sentence and the parts of it that change; `null` for one that the catalogue does not hold. The
 * catalogue is made ready for the first sentence. */
export function finder(messages: readonly Message[]): (sentence: string) => Found | null {
  let ready: { whole: Map<string, Message>; templates: { message: Message; pattern: RegExp }[] } | null = null;
  return (sentence) => {
    ready ??= madeReady(messages);
    const { whole, templates } = ready;
    const message = whole.get(sentence);
    if (message) return { message, parts: {} };
    for (const template of templates) {
      const match = template.pattern.exec(sentence);
      if (match) return { message: template.message, parts: { ...match.groups } };
    }
    return null;
  };
}

function madeReady(messages: readonly Message[]) {
  const changing = (message: Message) => message[0].includes("{");
  return {
    whole: new Map(messages.filter((message) => !changing(message)).map((message) => [message[0], message])),
    templates: messages.filter(changing).map((message) => ({ message, pattern: patternOf(message[0]) })),
  };
}

/** A sentence of the server in the language of the person, its parts as `told` says them; one that was not found as it is. */
export function worded(sentence: string, found: Found | null, told: (name: string, part: string) => string = (_, part) => part): string {
  return found
    ? t(found.message, Object.fromEntries(Object.entries(found.parts).map(([name, part]) => [name, told(name, part)])))
    : sentence;
}
