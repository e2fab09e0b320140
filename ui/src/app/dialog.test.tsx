// @vitest-environment happy-dom
import { render } from "preact";
import { act } from "preact/test-utils";
import { useState } from "preact/hooks";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ask, Dialog, Questions } from "./dialog";

let host: HTMLElement;
const press = (key: string, target: Element = document.activeElement ?? document.body) =>
  act(() => void target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true })));

beforeEach(() => {
  document.body.innerHTML = "<button id='before'></button><div id='host'></div>";
  host = document.getElementById("host")!;
  document.getElementById("before")!.focus();
});
afterEach(() => render(null, host));

describe("a dialog", () => {
  it("has the focus as soon as it stands, and gives it back", () => {
    render(
      <Dialog title="Name" close={() => undefined}>
        <input id="name" />
      </Dialog>,
      host,
    );
    expect(document.activeElement?.id).toBe("name");
    render(null, host);
    expect(document.activeElement?.id).toBe("before");
  });

  it("takes the keys of a field that is gone", async () => {
    const close = vi.fn();
    let drop = () => {};
    function Body() {
      const [isGone, setGone] = useState(false);
      drop = () => setGone(true);
      return isGone ? <p>It cannot be done.</p> : <input id="name" />;
    }
    render(
      <Dialog title="Name" close={close}>
        <Body />
      </Dialog>,
      host,
    );
    await act(() => drop());
    (document.activeElement as HTMLElement | null)?.blur();
    await press("Escape", document.body);
    expect(close).toHaveBeenCalledTimes(1);
  });

  it("leaves the keys to a dialog above it", async () => {
    const below = vi.fn();
    const above = vi.fn();
    render(
      <>
        <Dialog title="Below" close={below}>
          <input />
        </Dialog>
        <Dialog title="Above" close={above}>
          <input />
        </Dialog>
      </>,
      host,
    );
    (document.activeElement as HTMLElement).blur();
    await press("Escape", document.body);
    expect([below.mock.calls.length, above.mock.calls.length]).toEqual([0, 1]);
  });
});

describe("a question", () => {
  it("that another one takes the place of is answered with no", async () => {
    render(<Questions />, host);
    const first = ask("First?", "", "Yes");
    await act(() => void ask("Second?", "", "Yes"));
    expect(await first).toBe(false);
    expect(host.querySelector("h2")?.textContent).toBe("Second?");
  });
});
