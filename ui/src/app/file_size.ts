// The size of a file as people read it.
import { locale } from "../words/words";

const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte"] as const;

/** `1.4 MB`, with thousands of the unit before, in the way of the language. */
export function fileSize(bytes: number): string {
  const step = Math.min(UNITS.length - 1, bytes < 1000 ? 0 : Math.floor(Math.log10(bytes) / 3));
  const amount = bytes / 1000 ** step;
  return new Intl.NumberFormat(locale(), {
    style: "unit",
    unit: UNITS[step]!,
    unitDisplay: "short",
    maximumFractionDigits: step ? 1 : 0,
  }).format(amount);
}
