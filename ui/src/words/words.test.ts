import { describe, expect, it } from "vitest";
import type { Message } from "./words";

const catalogues = import.meta.glob("./*.ts", { eager: true }) as Record<string, Record<string, unknown>>;

/** Every message of every catalogue, with its name. */
function messages(): [string, Message][] {
  const found: [string, Message][] = [];
  for (const [file, module] of Object.entries(catalogues)) {
    if (file.endsWith("words.ts") || file.endsWith(".test.ts")) continue;
    for (const [group, entries] of Object.entries(module)) {
      if (!entries || typeof entries !== "object") continue;
      for (const [key, message] of Object.entries(entries))
        if (Array.isArray(message)) found.push([`${file} ${group}.${key}`, message as never]);
    }
  }
  return found;
}

const names = (text: string): string[] => [...new Set([...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!))].sort();

describe("words", () => {
  it("every message has four languages with the same values", () => {
    expect(messages().length).toBeGreaterThan(100);
    for (const [where, message] of messages()) {
      expect(message.length, where).toBe(4);
      for (const text of message) {
        expect(text.trim(), where).not.toBe("");
        expect(names(text), where).toEqual(names(message[0]));
      }
    }
  });
});
