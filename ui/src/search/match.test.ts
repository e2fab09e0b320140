import { describe, expect, it } from "vitest";
import { best, score } from "./match";

describe("the palette", () => {
  it("puts beginnings before words before parts", () => {
    expect(best(["Late notes", "denotes", "Notes app"], "notes", (one) => one, 9)).toEqual(["Notes app", "Late notes", "denotes"]);
  });
  it("takes words in any order and without accents", () => expect(score("Café déjà vu", "vu cafe")).toBeGreaterThan(0));
  it("takes beginnings of words, but not letters from anywhere", () => {
    expect(score("Notes app", "nap")).toBeGreaterThan(0);
    expect(score("Notes app", "na")).toBe(0);
    expect(score("Tools of the street", "test")).toBe(0);
  });
  it("leaves out what does not fit, and shows everything for no text", () => {
    expect(score("Notes", "xyz")).toBe(0);
    expect(score("Notes", "")).toBe(1);
  });
});
