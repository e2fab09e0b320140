// The pages of a project, in the order in which its bar and the palette show them.
import type { IconName } from "../app/icons";
import { shell } from "../words/shell";
import type { Message } from "../words/words";

export const TABS: [path: string, icon: IconName, name: Message][] = [
  ["schedule", "gantt", shell.schedule],
  ["board", "board", shell.board],
  ["sprint", "sprint", shell.sprint],
  ["forecast", "chart", shell.forecast],
  ["risks", "risk", shell.risks],
  ["people", "people", shell.people],
  ["history", "history", shell.history],
];
