import { describe, expect, it } from "vitest";
import { language } from "../words/words";
import { dayOf, NO_DAY } from "./days";
import { typedDay } from "./format";

const near = dayOf("2026-11-24");

describe("a typed date", () => {
  it("is ISO, with a month by name, or some days away", () => {
    expect(typedDay("2026-12-01", near)).toBe(dayOf("2026-12-01"));
    expect(typedDay("1 dec", near)).toBe(dayOf("2026-12-01"));
    expect(typedDay("+7", near)).toBe(dayOf("2026-12-01"));
  });
  it("follows the order of the language", () => {
    language.value = "de";
    expect(typedDay("1.12.", near)).toBe(dayOf("2026-12-01"));
    expect(typedDay("01.12.27", near)).toBe(dayOf("2027-12-01"));
    language.value = "en";
  });
  it("is refused if there is no such day", () => {
    expect(typedDay("31.2.2026", near)).toBe(NO_DAY);
    expect(typedDay("soon", near)).toBe(NO_DAY);
  });
});
