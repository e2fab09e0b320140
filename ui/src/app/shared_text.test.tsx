// @vitest-environment happy-dom
import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { CallError } from "../api/errors";
import { otherwise, SharedText } from "./shared_text";

let host: HTMLElement;
const write = vi.fn<(text: string, base: number | null) => Promise<{ server_version: number }>>();
const show = (value = "Old", version = 1) =>
  act(() => render(<SharedText kept="task.7.notes" label="Notes" value={value} version={version} write={write} />, host));
const leave = () => act(() => render(null, host));
const field = () => host.querySelector("textarea")!;
const type = (text: string) =>
  act(() => {
    field().value = text;
    field().dispatchEvent(new Event("input", { bubbles: true }));
  });
const blur = () => act(() => void field().dispatchEvent(new FocusEvent("blur")));
const settle = () => act(() => new Promise<void>((done) => setTimeout(done)));

beforeEach(() => {
  document.body.innerHTML = "<div id='host'></div>";
  host = document.getElementById("host")!;
  sessionStorage.clear();
  write.mockReset().mockResolvedValue({ server_version: 2 });
});
afterEach(() => render(null, host));

describe("a text that several people write", () => {
  it("is written when it is left, and then no longer kept", async () => {
    await show();
    await type("New");
    expect(sessionStorage.length).toBe(1);
    await blur();
    await settle();
    expect([write.mock.calls[0]!.slice(0, 2), sessionStorage.length]).toEqual([["New", 1], 0]);
  });

  it("that was refused is there again, and is sent again over what it was written over", async () => {
    write.mockRejectedValueOnce(new CallError(401, { detail: "The session has ended." }, null));
    await show();
    await type("New");
    await blur();
    await settle();
    await leave();
    await show("Theirs", 5);
    await settle();
    expect([field().value, write.mock.calls[1]!.slice(0, 2), sessionStorage.length]).toEqual(["New", ["New", 1], 0]);
  });

  it("that somebody else changed is kept beside theirs until one of them is taken", async () => {
    write.mockRejectedValue(otherwise("Theirs"));
    await show();
    await type("Mine");
    await blur();
    await settle();
    expect([field().value, host.querySelector(".both-theirs")?.textContent?.includes("Theirs"), sessionStorage.length]).toEqual([
      "Mine",
      true,
      1,
    ]);
    await act(() => [...host.querySelectorAll("button")].at(-1)!.click());
    expect([field().value, sessionStorage.length]).toEqual(["Theirs", 0]);
  });

  it("that is typed back to what it was is nothing to keep", async () => {
    await show();
    await type("New");
    await type("Old");
    await leave();
    expect([sessionStorage.length, write.mock.calls.length]).toEqual([0, 0]);
  });
});
