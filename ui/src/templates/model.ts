// What a template says of itself, in words: what it holds, and for whom it is.
import type { Schemas } from "../api/client";
import { home } from "../words/shell";
import { templates as words } from "../words/templates";
import { type Message, t } from "../words/words";

export type Template = Schemas["ProjectTemplate"];
export type Counts = Schemas["TemplateCounts"];

const NUMBERS: [Exclude<keyof Counts, "methodology" | "carries">, Message][] = [
  ["task_count", home.rows],
  ["phase_count", words.phases],
  ["milestone_count", words.milestones],
  ["gate_count", words.gates],
  ["dependency_count", words.links],
];

/** `21 rows`, `4 phases` …; what there is none of is not named. */
export function holds(counts: Counts): string[] {
  return NUMBERS.filter(([name]) => counts[name] > 0).map(([name, word]) => t(word, { n: counts[name] }));
}

/** What it holds besides what is counted: `durations`, `notes`. */
export function carries(counts: Counts): string[] {
  return (["durations", "notes", "sprint_length"] as const).filter((word) => counts.carries.includes(word)).map((word) => t(words[word]));
}

/** For whom it is. A program is named if the person can see it. */
export function forWhom(template: Pick<Template, "source_kind" | "program">, programs: { id: string; name: string }[]): string {
  if (!template.program || template.source_kind === "personal") return t(words[template.source_kind]);
  const name = programs.find((one) => one.id === template.program)?.name;
  return name ? t(words.program, { name }) : t(words.aProgram);
}

/** The newest versions, and the older ones too if they are wanted. */
export const shownOf = (list: Template[], older: boolean): Template[] => list.filter((one) => older || !one.is_superseded);
