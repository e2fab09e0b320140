// What the marks of the chart mean; each is drawn as it is drawn there.
import { arrange } from "../words/arrange";
import { schedule } from "../words/schedule";
import { type Message, t } from "../words/words";

const ENTRIES: [kind: string, name: Message][] = [
  ["task", schedule.task],
  ["critical", schedule.critical],
  ["near", schedule.near],
  ["done", schedule.done],
  ["baseline", schedule.baseline],
  ["milestone", schedule.milestone],
  ["chance", schedule.chance],
  ["deadline", schedule.deadline],
  ["today", schedule.today],
  ["data", schedule.dataDate],
  ["progress", arrange.progressLine],
];

export function Legend() {
  return (
    <ul class="legend" tabIndex={-1}>
      {ENTRIES.map(([kind, name]) => (
        <li key={kind}>
          <span class={`legend-mark ${kind}`} aria-hidden="true" /> {t(name)}
        </li>
      ))}
    </ul>
  );
}
