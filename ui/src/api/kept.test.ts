import { beforeEach, describe, expect, it, vi } from "vitest";
import { claimTexts, forgetText, forgetTexts, hasTexts, keepText, keptText, setTextsAside } from "./kept";

function storage(): Storage {
  const kept = new Map<string, string>();
  return {
    get length() {
      return kept.size;
    },
    key: (at: number) => [...kept.keys()][at] ?? null,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => void kept.set(key, text),
    removeItem: (key: string) => void kept.delete(key),
    clear: () => kept.clear(),
  };
}

describe("texts that are kept", () => {
  beforeEach(() => vi.stubGlobal("sessionStorage", storage()));

  it("come back until they are forgotten, an empty one too", () => {
    keepText("a", "half a sen");
    keepText("b", "");
    expect([keptText("a"), keptText("b"), keptText("c")]).toEqual(["half a sen", "", null]);
    forgetText("a");
    expect(keptText("a")).toBeNull();
  });
  it("go with the person who signs out, and nothing else goes", () => {
    sessionStorage.setItem("other", "stays");
    keepText("a", "one");
    keepText("b", "two");
    forgetTexts();
    expect([keptText("a"), keptText("b"), sessionStorage.getItem("other")]).toEqual([null, null, "stays"]);
  });
  it("come back to the person who signed out in another tab, and to nobody else", () => {
    claimTexts("ann");
    keepText("a", "one");
    setTextsAside();
    expect([keptText("a"), hasTexts()]).toEqual([null, false]);
    claimTexts("ann");
    expect(keptText("a")).toBe("one");
    setTextsAside();
    claimTexts("bo");
    claimTexts("ann");
    expect(hasTexts()).toBe(false);
  });
  it("are not shown to the next person of this tab", () => {
    claimTexts("ann");
    keepText("a", "one");
    claimTexts("ann");
    expect(keptText("a")).toBe("one");
    claimTexts("bo");
    expect(keptText("a")).toBeNull();
  });
  it("a browser without storage is no error", () => {
    vi.stubGlobal("sessionStorage", undefined);
    keepText("a", "one");
    forgetTexts();
    expect(keptText("a")).toBeNull();
  });
});
