// The matrix of probability and impact. A cell is a button that filters the register.
import { risks as words } from "../words/risks";
import { t } from "../words/words";
import { band, inCell, isOpen, LEVELS, type Risk } from "./model";

export interface CellChoice {
  probability: number;
  impact: number;
}

export function Matrix({ risks, chosen, choose }: { risks: Risk[]; chosen: CellChoice | null; choose: (cell: CellChoice | null) => void }) {
  const open = risks.filter(isOpen);
  return (
    <section class="card stack risk-matrix">
      <h2>{t(words.matrix)}</h2>
      <div class="risk-grid" role="group" aria-label={t(words.matrix)}>
        <span class="risk-axis is-up small quiet">↑ {t(words.probability)}</span>
        {[...LEVELS].reverse().map((probability) => (
          <div key={probability} class="risk-line">
            <span class="small quiet num">{probability}</span>
            {LEVELS.map((impact) => {
              const here = inCell(open, probability, impact);
              const on = chosen?.probability === probability && chosen.impact === impact;
              const name = t(words.cell, { n: here.length, p: probability, i: impact });
              return (
                <button
                  key={impact}
                  type="button"
                  class={`risk-cell is-${band(probability * impact)}`}
                  aria-pressed={on}
                  aria-label={name}
                  title={here.length ? here.map((one) => one.title).join("\n") : name}
                  onClick={() => choose(on ? null : { probability, impact })}
                >
                  {here.length || ""}
                </button>
              );
            })}
          </div>
        ))}
        <div class="risk-line">
          <span />
          {LEVELS.map((impact) => (
            <span key={impact} class="small quiet num">
              {impact}
            </span>
          ))}
        </div>
        <span class="risk-axis small quiet">{t(words.impact)} →</span>
      </div>
      {chosen && (
        <button type="button" class="button small" onClick={() => choose(null)}>
          {t(words.clearCell)}
        </button>
      )}
    </section>
  );
}
