// @vitest-environment happy-dom
import { render } from "preact";
import { act } from "preact/test-utils";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { DayInput } from "./day_input";

let host: HTMLElement;
const tell = vi.fn<(day: string) => unknown>();
const show = (value: string, required = false) => act(() => render(<DayInput value={value} tell={tell} required={required} />, host));
const input = () => host.querySelector("input")!;
const type = (text: string) =>
  act(async () => {
    input().value = text;
    input().dispatchEvent(new Event("input", { bubbles: true }));
  });
const leave = () => act(() => void input().dispatchEvent(new FocusEvent("blur")));

beforeEach(() => {
  document.body.innerHTML = "<div id='host'></div>";
  host = document.getElementById("host")!;
  tell.mockReset();
});

describe("a field for a day", () => {
  it("tells a day when its year is whole, and nothing on the way there", async () => {
    await show("");
    for (const part of ["0002-07-07", "0020-07-07", "0202-07-07", "2027-07-07"]) await type(part);
    expect(tell.mock.calls).toEqual([["2027-07-07"]]);
  });

  it("keeps what is half typed when the page is drawn again", async () => {
    await show("2026-01-05");
    await type("0020-01-05");
    await show("2026-01-05");
    expect(input().value).toBe("0020-01-05");
  });

  it("shows the old day again when it is left half typed, or was refused", async () => {
    await show("2026-01-05");
    await type("0020-01-05");
    await leave();
    expect([input().value, tell.mock.calls.length]).toEqual(["2026-01-05", 0]);
    tell.mockResolvedValue(false);
    await type("2027-01-05");
    await act(() => new Promise<void>((done) => setTimeout(done)));
    expect(input().value).toBe("2026-01-05");
  });

  it("can be emptied, unless there must be a day", async () => {
    await show("2026-01-05");
    await type("");
    expect(tell.mock.calls).toEqual([[""]]);
    await show("2026-01-06", true);
    await type("");
    await leave();
    expect([input().value, tell.mock.calls.length]).toEqual(["2026-01-06", 1]);
  });
});
