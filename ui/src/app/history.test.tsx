// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from "vitest";
import { go, guardHistory, place, startRouter } from "./router";

/** A history of the browser that moves at once: happy-dom's does not keep the states of its entries. */
let entries: { state: unknown; path: string }[] = [];
let at = 0;
const show = () =>
  Object.defineProperty(globalThis, "location", { configurable: true, value: new URL(`http://house${entries[at]!.path}`) });
const history = {
  get state() {
    return entries[at]!.state;
  },
  pushState(state: unknown, _: string, path: string) {
    entries = [...entries.slice(0, ++at), { state, path }];
    show();
  },
  replaceState(state: unknown, _: string, path: string) {
    entries[at] = { state, path: path || entries[at]!.path };
    show();
  },
  go(way: number) {
    at += way;
    show();
    window.dispatchEvent(Object.assign(new Event("popstate"), { state: entries[at]!.state }));
  },
};

let answer: ((yes: boolean) => void) | null = null;
const asked = vi.fn(() => new Promise<boolean>((done) => (answer = done)));

vi.stubGlobal("history", history);
entries = [{ state: null, path: "/" }];
show();
startRouter();

describe("Back with a text that is not saved", () => {
  beforeEach(() => {
    go("/projects/7/board");
    go("/projects/7/risks");
    asked.mockClear();
    guardHistory(asked);
  });

  it("stays and asks", async () => {
    history.go(-1);
    expect([asked.mock.calls.length, place.value.path, at]).toEqual([1, "/projects/7/risks", entries.length - 1]);
    answer!(false);
    await Promise.resolve();
    expect(place.value.path).toBe("/projects/7/risks");
  });

  it("goes as far as was asked for after a yes", async () => {
    history.go(-2);
    answer!(true);
    await Promise.resolve();
    expect([asked.mock.calls.length, place.value.path]).toEqual([1, entries[at]!.path]);
    expect(at).toBe(entries.length - 3);
  });

  it("asks again the next time", async () => {
    history.go(-1);
    answer!(true);
    await Promise.resolve();
    history.go(-1);
    expect(asked.mock.calls.length).toBe(2);
  });

  it("goes at once when nothing would be lost", () => {
    guardHistory(() => null);
    history.go(-1);
    expect(place.value.path).toBe("/projects/7/board");
  });
});
