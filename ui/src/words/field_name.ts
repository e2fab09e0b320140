// What a field of the server is called where no label of a form says it.
import { fields } from "./history";
import { t } from "./words";

/** `parent_id` → `phase above`; the last name of `owners.0.units`. A name that no catalogue has loses its low lines. */
export function fieldName(path: string): string {
  const last =
    path
      .split(".")
      .filter((part) => !/^\d+$/.test(part))
      .pop() ?? path;
  const name = last.replace(/_id$/, "");
  return fields[name] ? t(fields[name]) : name.replaceAll("_", " ");
}

/** The same at the beginning of a line. */
export function fieldLabel(path: string): string {
  const text = fieldName(path);
  return text.charAt(0).toUpperCase() + text.slice(1);
}
