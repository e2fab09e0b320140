// Ids as people say them: `NOTES-20` in any project, `T-20`, `#20` or `20` in the project that is open.

export interface SaidId {
  /** The code of the project, in capitals, or null. */
  code: string | null;
  number: number;
}

export function saidId(typed: string): SaidId | null {
  const found = /^(?:([\p{L}][\p{L}\p{N}_]*)\s*-\s*|#)?0*(\d{1,7})$/u.exec(typed.trim());
  if (!found) return null;
  return { code: found[1]?.toUpperCase() ?? null, number: Number(found[2]) };
}

/** The number as the list of tasks wants it. */
export const shortId = (number: number): string => number.toString(16).toUpperCase().padStart(8, "0");

/** The projects that an id can belong to: those with its code, or the open one for an id without a code. */
export function projectsOf(said: SaidId, projects: { id: string; code?: string | null }[], open: string | null): string[] {
  const coded = said.code ? projects.filter((one) => one.code?.toUpperCase() === said.code).map((one) => one.id) : [];
  if (coded.length || (said.code && said.code !== "T")) return coded;
  return open ? [open] : [];
}
