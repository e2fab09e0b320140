// The rules of the register: what is open, the band of a severity, the order, the cells of the matrix.
import type { Schemas } from "../api/client";

export type Risk = Schemas["Risk"];

export const LEVELS = [1, 2, 3, 4, 5] as const;

export const isOpen = (risk: Risk): boolean => risk.status === "OPEN" || risk.status === "MITIGATING";

/** Severity is probability × impact: 15 and more is high, 6 and more is medium. */
export const band = (severity: number): "high" | "medium" | "low" => (severity >= 15 ? "high" : severity >= 6 ? "medium" : "low");

/** Open risks first, the most severe first, then the name. */
export function byWeight(a: Risk, b: Risk): number {
  return Number(isOpen(b)) - Number(isOpen(a)) || b.severity - a.severity || a.title.localeCompare(b.title);
}

/** The simulation counts a risk that is open, has a likelihood, a delay and a task. */
export function counts(risk: Risk): boolean {
  return isOpen(risk) && (risk.likelihood_percent ?? 0) > 0 && (risk.delay_days ?? risk.delay_high_days ?? 0) > 0 && risk.tasks.length > 0;
}

export const inCell = (risks: Risk[], probability: number, impact: number): Risk[] =>
  risks.filter((risk) => risk.probability === probability && risk.impact === impact);
