// Which rows are shown: by a word in the name, and by what is open, critical or late.
import { signal } from "@preact/signals";
import type { Desk } from "./desk";
import { BROKEN, CRITICAL, DONE, ISSUE, LATE, SUMMARY } from "./plan/plan";

export type Filter = "all" | "open" | "critical" | "late";

export const filterKind = signal<Filter>("all");
export const filterText = signal("");

export function filterBy(desk: Desk, kind: Filter, text: string): void {
  filterKind.value = kind;
  filterText.value = text;
  const words = text.trim().toLocaleLowerCase();
  const { plan } = desk;
  plan.filter =
    kind === "all" && !words
      ? null
      : (task) => {
          const flags = plan.flags[task]!;
          if (kind === "open" && flags & (DONE | SUMMARY)) return false;
          if (kind === "critical" && (!(flags & CRITICAL) || flags & SUMMARY)) return false;
          if (kind === "late" && !(flags & (LATE | BROKEN | ISSUE))) return false;
          return !words || plan.rows[task]!.name.toLocaleLowerCase().includes(words);
        };
  plan.show();
}
