// What a field of the server is called on a page, where no label of a form says it.
import { fields } from "./history";
import { t } from "./words";

/** `constraint_date` as people call it, `Date of the constraint`; the last name of `owners.0.units`. */
export function fieldName(path: string): string {
  const name = path.split(".").filter((part) => !/^\d+$/.test(part)).pop() ?? path;
  const text = fields[name] ? t(fields[name]) : name.replaceAll("_", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}
