import { describe, expect, it } from "vitest";
import { typedDuration } from "./duration";

describe("a typed duration", () => {
  it("is days, weeks or months in each language", () => {
    expect(
      ["3", "3d", "2 w", "1 Woche", "2 sem.", "3 días", "2 months", "1mo", "2 Monate", "1 mois", "1,2w", "1.1mo"].map((text) =>
        typedDuration(text),
      ),
    ).toEqual([3, 3, 10, 5, 10, 3, 40, 20, 40, 20, 6, 22]);
  });
  it("is refused if it is no whole number of days", () => {
    expect(["8h", "5 min", "1m", "30 x", "abc", "2.5", "", "-1"].map((text) => typedDuration(text))).toEqual([
      -1, -1, -1, -1, -1, -1, -1, -1,
    ]);
  });
});
