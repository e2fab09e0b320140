// The pages of a project, in the order in which its bar and the palette show them.
import type { IconName } from "../app/icons";
import { shell } from "../words/shell";
import type { Message } from "../words/words";
import { may, type Place, type Right } from "./rights";

type Tab = [path: string, icon: IconName, name: Message, right?: Right];

const TABS: Tab[] = [
  ["schedule", "gantt", shell.schedule],
  ["board", "board", shell.board],
  ["sprint", "sprint", shell.sprint],
  ["forecast", "chart", shell.forecast],
  ["risks", "risk", shell.risks],
  ["people", "people", shell.people, "seeCapacity"],
  ["history", "history", shell.history],
];

/** The pages that a person can read there; all of them until the place is known. */
export const tabsOf = (place: Place | null): Tab[] => TABS.filter(([, , , right]) => !right || !place || may(place, right));
