// The projects of a program as bars over time, with milestones and the part that is critical for all of it.
import { dayFrom, partsOf, today } from "../dates/days";
import { monthName, shortDay } from "../dates/format";
import { programs as words } from "../words/programs";
import { t } from "../words/words";
import type { Span } from "./model";

export function Timeline({ spans, start, finish }: { spans: Span[]; start: number; finish: number }) {
  const length = Math.max(1, finish - start + 1);
  const at = (day: number) => `${(100 * (day - start)) / length}%`;
  const wide = (from: number, to: number) => `${(100 * (to - from + 1)) / length}%`;
  const months: number[] = [];
  for (let { year, month } = partsOf(start); dayFrom(year, month, 1) <= finish; month++)
    if (dayFrom(year, month, 1) >= start) months.push(dayFrom(year, month, 1));
  const step = Math.max(1, Math.ceil(months.length / 12));
  const now = today();
  return (
    <div class="lanes">
      <div class="lanes-line lanes-axis" aria-hidden="true">
        <span />
        <span class="lanes-track">
          {months
            .filter((_, index) => index % step === 0)
            .map((day) => (
              <span key={day} class="lanes-month small quiet" style={{ left: at(day) }}>
                {monthName(day)} {partsOf(day).month === 0 ? partsOf(day).year : ""}
              </span>
            ))}
        </span>
      </div>
      <ul>
        {spans
          .filter((span) => span.finish > span.start)
          .map((span) => (
            <li key={span.id} class="lanes-line">
              {span.accessible ? (
                <a class="plain-link clip strong-name" href={`/projects/${span.id}/schedule`}>
                  {span.name}
                </a>
              ) : (
                <span class="clip">{span.name}</span>
              )}
              <span class="lanes-track">
                {months.map((day) => (
                  <span key={day} class="lanes-grid" style={{ left: at(day) }} />
                ))}
                {now >= start && now <= finish && <span class="lanes-today" style={{ left: at(now) }} />}
                <span
                  class="lanes-bar"
                  style={{ left: at(span.start), width: wide(span.start, span.finish) }}
                  title={`${span.name}: ${shortDay(span.start)} – ${shortDay(span.finish)}`}
                />
                {span.criticalFinish > 0 && (
                  <span
                    class="lanes-critical"
                    style={{ left: at(span.criticalStart), width: wide(span.criticalStart, span.criticalFinish) }}
                  />
                )}
                {span.milestones.map((one) => (
                  <span
                    key={one.id}
                    class={one.critical ? "lanes-stone is-critical" : "lanes-stone"}
                    style={{ left: at(one.day) }}
                    title={`${one.name}: ${shortDay(one.day)}`}
                  />
                ))}
              </span>
              <span class="hidden-text">
                {shortDay(span.start)} – {shortDay(span.finish)}.{" "}
                {span.milestones
                  .map((one) => `${one.name}: ${shortDay(one.day)}${one.critical ? `, ${t(words.critical)}` : ""}`)
                  .join("; ")}
              </span>
            </li>
          ))}
      </ul>
    </div>
  );
}
