// The velocity: what each closed sprint had promised and what was done, drawn by hand as pairs of bars; a table says the same.
import { api, ok } from "../api/client";
import { useRead } from "../api/read";
import { Shown } from "../app/failure";
import { ceremony as words } from "../words/ceremony";
import { sprint as sprintWords } from "../words/sprint";
import { number, t } from "../words/words";
import { paceOf, type Pace } from "./model";

const [WIDE, TALL] = [44, 120];

export function Velocity({ project, turn }: { project: string; turn: unknown }) {
  const read = useRead(() => ok(api.GET("/api/v1/projects/{id}/velocity/", { params: { path: { id: project } } })), [project, turn]);
  return (
    <section class="card stack" aria-label={t(words.velocity)}>
      <Shown read={read} lines={4}>
        {(facts) => {
          const pace = paceOf(facts);
          return (
            <>
              <div class="row wrap">
                <h2>{t(words.velocity)}</h2>
                {pace.bars.length > 0 && (
                  <span class="quiet small">{t(pace.unit === "points" ? sprintWords.inPoints : sprintWords.inTasks)}</span>
                )}
              </div>
              {pace.bars.length === 0 ? (
                <p class="quiet">{t(facts.velocity_suppressed ? words.hidden : words.noVelocity)}</p>
              ) : (
                <Bars pace={pace} />
              )}
              {pace.mean !== null && (
                <p class="small">
                  <b>{t(words.average, { n: number(pace.mean, 1) })}</b>
                  {facts.forecast_range_low !== null &&
                    facts.forecast_range_high !== null &&
                    pace.unit === "points" &&
                    ` · ${t(words.range, { low: facts.forecast_range_low, high: facts.forecast_range_high })}`}
                </p>
              )}
            </>
          );
        }}
      </Shown>
    </section>
  );
}

function Bars({ pace }: { pace: Pace }) {
  const top = Math.max(1, pace.mean ?? 0, ...pace.bars.flatMap((one) => [one.promised ?? 0, one.done]));
  const y = (value: number) => TALL - (value / top) * (TALL - 16);
  const width = pace.bars.length * WIDE;
  return (
    <div class="scroll-x">
      <svg class="pace" width={width} height={TALL + 4} viewBox={`0 0 ${width} ${TALL + 4}`} aria-hidden="true">
        {pace.bars.map((one, at) => (
          <g key={one.name} class={one.counts ? "" : "pace-out"}>
            {one.promised !== null && (
              <rect
                class="pace-promised"
                x={at * WIDE + 6.5}
                y={y(one.promised) + 0.5}
                width={14}
                height={Math.max(1, TALL - y(one.promised))}
              />
            )}
            <rect class="pace-done" x={at * WIDE + 22} y={y(one.done)} width={14} height={Math.max(1, TALL - y(one.done))} />
            <text x={at * WIDE + 29} y={y(one.done) - 3}>
              {number(one.done)}
            </text>
          </g>
        ))}
        {pace.mean !== null && <line class="pace-mean" x1={0} x2={width} y1={y(pace.mean)} y2={y(pace.mean)} />}
      </svg>
      <table class="table pace-table">
        <thead>
          <tr>
            <th>{t(sprintWords.name)}</th>
            <th class="num">{t(words.committed)}</th>
            <th class="num">{t(words.completed)}</th>
          </tr>
        </thead>
        <tbody>
          {pace.bars.map((one) => (
            <tr key={one.name}>
              <td>
                {one.name} {!one.counts && <span class="chip">{t(words.excluded)}</span>}
              </td>
              <td class="num">{one.promised ?? "–"}</td>
              <td class="num">{one.done}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
