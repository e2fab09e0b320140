import { describe, expect, it } from "vitest";
import { fittingPx, fittingWidth } from "./edge";

describe("the right edge of pictures", () => {
  it("leaves room for the longest reach", () => {
    expect(
      fittingPx(
        [
          { days: 10, label: 100 },
          { days: 20, label: 20 },
        ],
        220,
        4,
        40,
      ),
    ).toBe(10);
    expect(fittingPx([{ days: 1, label: 10 }], 500, 4, 40)).toBe(40);
    expect(fittingPx([{ days: 400, label: 50 }], 500, 4, 40)).toBe(4);
    expect(fittingPx([], 500, 4, 40)).toBe(40);
  });
  it("grows until the labels of what it shows fit", () => {
    expect(fittingWidth([{ bar: 90, label: 180 }], 100)).toBe(180);
    expect(
      fittingWidth(
        [
          { bar: 90, label: 180 },
          { bar: 150, label: 260 },
          { bar: 400, label: 500 },
        ],
        100,
      ),
    ).toBe(260);
    expect(
      fittingWidth(
        [
          { bar: -20, label: 180 },
          { bar: 50, label: 80 },
        ],
        100,
      ),
    ).toBe(100);
  });
});
