// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { giveBack, startFocus } from "./focus";

const one = (id: string) => document.getElementById(id)!;
startFocus();

beforeEach(() => {
  vi.useFakeTimers();
  document.body.innerHTML = "<main id='page'><ul id='list'><li id='row'><button id='delete'></button></li></ul></main>";
});
afterEach(() => vi.useRealTimers());

describe("the focus of a control that is gone", () => {
  it("goes to the list that its row was in", () => {
    one("delete").focus();
    (document.activeElement as HTMLElement).blur();
    one("row").remove();
    giveBack();
    expect(document.activeElement?.id).toBe("list");
    one("list").blur();
    expect(one("list").hasAttribute("tabindex")).toBe(false);
  });

  it("comes back to a button that could not be used for a time", () => {
    const button = one("delete") as HTMLButtonElement;
    button.focus();
    button.blur();
    button.disabled = true;
    giveBack();
    expect(document.activeElement).toBe(document.body);
    button.disabled = false;
    giveBack();
    expect(document.activeElement).toBe(button);
  });

  it("goes from a question that is gone to the row that it was about", () => {
    const button = one("delete") as HTMLButtonElement;
    button.focus();
    document.body.insertAdjacentHTML("beforeend", "<div id='veil'><div role='dialog'><button id='yes'></button></div></div>");
    one("yes").focus();
    one("yes").blur();
    button.disabled = true;
    one("veil").remove();
    giveBack();
    expect(document.activeElement).toBe(document.body);
    one("row").remove();
    giveBack();
    expect(document.activeElement?.id).toBe("list");
  });

  it("stays where somebody else set it", () => {
    document.body.insertAdjacentHTML("beforeend", "<input id='name'>");
    one("delete").focus();
    one("row").remove();
    one("name").focus();
    giveBack();
    expect(document.activeElement?.id).toBe("name");
  });

  it("is not forced on somebody who pressed on an empty place", () => {
    one("delete").focus();
    one("page").dispatchEvent(new Event("pointerdown", { bubbles: true }));
    one("delete").blur();
    one("row").remove();
    giveBack();
    expect(document.activeElement).toBe(document.body);
  });
});
