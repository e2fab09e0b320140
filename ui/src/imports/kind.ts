// What kind of file a person brought, told by its name and its first letters.
export type Kind = "table" | "msproject" | "primavera" | "jira" | "document";

export function kindOf(name: string, head: string): Kind | null {
  const ending = name.toLowerCase().split(".").pop() ?? "";
  if (["csv", "tsv", "txt", "xlsx"].includes(ending)) return "table";
  if (ending === "xer" || head.startsWith("ERMHDR")) return "primavera";
  if (ending === "json") return "document";
  if (ending === "xml") return /<rss[\s>]/i.test(head) ? "jira" : "msproject";
  return null;
}

/** `Plan of 2026.final.xml` → `Plan of 2026.final`. */
export const plainName = (name: string): string =>
  name
    .replace(/\.[^.]+$/, "")
    .replace(/[_-]+/g, " ")
    .trim() || name;

/** The columns that a person chose otherwise than they were found, as the server wants them: header → field. */
export function columnMap(columns: { header: string; field: string | null }[], chosen: Record<number, string>): Record<string, string> {
  return Object.fromEntries(
    columns.map((column, index) => [column.header, chosen[index] ?? column.field ?? ""] as const).filter(([header]) => header !== ""),
  );
}
