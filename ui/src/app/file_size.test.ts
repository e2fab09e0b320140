import { expect, it } from "vitest";
import { language } from "../words/words";
import { fileSize } from "./file_size";

it("says a size in the largest unit that leaves a whole part", () => {
  language.value = "en";
  expect([999, 1000, 1_440_000, 3_200_000_000, 5e13].map(fileSize)).toEqual(["999 byte", "1 kB", "1.4 MB", "3.2 GB", "50,000 GB"]);
});

it("follows the language", () => {
  language.value = "de";
  expect(fileSize(1_440_000)).toBe("1,4 MB");
  language.value = "en";
});
