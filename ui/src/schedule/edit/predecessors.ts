// The predecessors of a row as text: what a cell shows, and what a person types there.
import type { Schemas } from "../../api/client";
import { schedule } from "../../words/schedule";
import { t } from "../../words/words";
import type { Desk } from "../desk";
import { TYPES } from "../plan/links";
import { typedLag } from "./duration";

export interface TypedLink {
  task: number;
  type: Schemas["DependencyType"];
  lag: number;
}

/** `1.2FS+2; PLAN-7SS-1w` → links to the rows with these numbers or ids; a sentence if a part cannot be read. */
export function parsePredecessors(desk: Desk, text: string): TypedLink[] | string {
  const parts = text.split(/[;,]/).map((one) => one.trim());
  const elapsed = desk.project.peek()?.lag_calendar === "elapsed";
  const links: TypedLink[] = [];
  for (const part of parts.filter(Boolean)) {
    const [, name, type = "FS", lag = "+0"] = /^([A-Z][A-Z0-9_]*-\d+|[\d.]+)\s*(FS|SS|FF|SF)?\s*([+-].*)?$/i.exec(part) ?? [];
    const task = name ? findRow(desk, name) : -1;
    if (task < 0) return t(schedule.badLink, { text: part });
    const days = typedLag(lag, elapsed);
    if (days === null) return t(schedule.badLag, { text: lag });
    links.push({ task, type: type.toUpperCase() as TypedLink["type"], lag: days });
  }
  return links;
}

function findRow(desk: Desk, name: string): number {
  const id = name.toUpperCase();
  return desk.plan.rows.findIndex((row) => row.wbs_path === name || row.short_id_display === id || row.qualified_id.toUpperCase() === id);
}

/** The predecessors of a row, as they can be typed. */
export function predecessorText(desk: Desk, task: number): string {
  const { plan } = desk;
  const parts: string[] = [];
  plan.links.eachIn(task, (link, from) => {
    const type = TYPES[plan.links.type[link]!]!;
    const lag = plan.links.lag[link]!;
    const shown = type === "FS" && lag === 0 ? "" : type;
    parts.push(`${plan.rows[from]!.wbs_path}${shown}${lag > 0 ? `+${lag}` : lag < 0 ? String(lag) : ""}`);
  });
  return parts.join("; ");
}
