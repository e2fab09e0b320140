// The heat map: a row for each person, a cell for each week, the number always in the cell beside its colour.
import type { Schemas } from "../api/client";
import { initials } from "../board/card";
import { weekOf } from "../dates/format";
import { peopleWords as words } from "../words/programs";
import { number, t } from "../words/words";

export function heatOf(percent: number): "none" | "low" | "good" | "full" | "over" {
  return percent === 0 ? "none" : percent < 50 ? "low" : percent < 85 ? "good" : percent <= 100 ? "full" : "over";
}

export function Heat({ data, chosen, choose }: { data: Schemas["ResourceHeatmap"]; chosen: string | null; choose: (id: string) => void }) {
  const move = (event: KeyboardEvent) => {
    const button = (event.target as HTMLElement).closest("button");
    const row = button?.closest("tr");
    const next = event.key === "ArrowDown" ? row?.nextElementSibling : event.key === "ArrowUp" ? row?.previousElementSibling : null;
    if (!next) return;
    event.preventDefault();
    next.querySelector("button")?.focus();
  };
  return (
    <div class="scroll-x">
      <table class="heat" onKeyDown={move}>
        <thead>
          <tr>
            <th scope="col">{t(words.person)}</th>
            {data.weeks.map((week) => (
              <th key={week} scope="col" class="num">
                {weekOf(week)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {data.resources.map((one) => (
            <tr key={one.id} class={one.id === chosen ? "is-chosen" : ""}>
              <th scope="row">
                <button type="button" class="heat-person" aria-pressed={one.id === chosen} onClick={() => choose(one.id)}>
                  <span class="face small">{one.initials || initials(one.name)}</span>
                  <span class="clip">{one.name}</span>
                </button>
              </th>
              {one.util.map((percent, at) => (
                <td
                  key={data.weeks[at]}
                  class={`heat-${heatOf(percent)}`}
                  title={t(words.cell, { name: one.name, week: weekOf(data.weeks[at]!), n: percent })}
                >
                  {percent > 0 ? number(percent) : ""}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
