// @vitest-environment happy-dom
import { beforeEach, describe, expect, it } from "vitest";
import { closePalette, openings, openPalette, paletteOpen, takeTyped } from "./palette_state";

const press = (key: string, more: KeyboardEventInit = {}): boolean =>
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more }));

beforeEach(closePalette);

describe("keys that come before the palette is there", () => {
  it("are held for it, and reach nothing else", () => {
    openPalette();
    const passed = [press("a"), press("b"), press("Backspace"), press("c"), press("Enter"), press("v", { ctrlKey: true })];
    expect(passed.some(Boolean)).toBe(false);
    expect(takeTyped()).toBe("ac");
    expect(press("d")).toBe(true);
  });

  it("are given to a new palette when it is opened again at once", () => {
    openPalette();
    takeTyped();
    const before = openings.value;
    closePalette();
    openPalette();
    press("a");
    expect([openings.value, takeTyped()]).toEqual([before + 1, "a"]);
  });

  it("go with Escape", () => {
    openPalette();
    press("a");
    press("Escape");
    expect([paletteOpen.value, press("b"), takeTyped()]).toEqual([false, true, ""]);
  });
});
