// The burndown and the changes of scope of one sprint.
import { useMemo } from "preact/hooks";
import { api, ok, type Schemas } from "../api/client";
import { type Read, useAction } from "../api/read";
import { Failure, Shown } from "../app/failure";
import { LineChart } from "../charts/line_chart";
import { dayOf, today } from "../dates/days";
import { moment, shortDay } from "../dates/format";
import { sprint as words } from "../words/sprint";
import { t } from "../words/words";
import { burnOf, paceStatus, type Sprint } from "./model";

export interface Figures {
  burn: Schemas["SprintBurndown"];
  scope: Schemas["SprintScopeChanges"];
  capacity: Schemas["SprintCapacityPage"] | null;
}

export function Burndown({ sprint, read }: { sprint: Sprint; read: Read<Figures> }) {
  const burn = useMemo(
    () => (read.data && sprint.state !== "PLANNED" ? burnOf(sprint, read.data.burn.snapshots, today()) : null),
    [read.data, sprint],
  );
  const lines = useMemo(
    () =>
      burn && [
        { name: t(words.left), values: burn.left, colour: "task" as const, kind: "area" as const },
        { name: t(words.ideal), values: burn.ideal, colour: "baseline" as const, kind: "dashes" as const },
        { name: t(words.scope), values: burn.scope, colour: "warn" as const, kind: "steps" as const },
      ],
    [burn],
  );
  return (
    <section class="card stack sprint-burn">
      <div class="row wrap">
        <h2>{t(words.burndown)}</h2>
        {burn && <span class="quiet small">{t(burn.unit === "points" ? words.inPoints : words.inTasks)}</span>}
        <span class="grow" />
        {read.data && burn && <BurnChip status={paceStatus(read.data.burn.burn_status, burn)} />}
      </div>
      <Shown read={read} lines={6}>
        {({ burn: facts }) => (
          <>
            {burn && lines ? (
              <LineChart label={t(words.burndown)} days={burn.days} lines={lines} height={250} />
            ) : (
              <p class="quiet">{missing(sprint)}</p>
            )}
            {facts.velocity_suppressed && burn && <p class="quiet small">{t(words.hiddenPoints)}</p>}
            {facts.projected_finish_date && (
              <p class="small">
                {t(words.projected)}: <b>{shortDay(dayOf(facts.projected_finish_date))}</b>
              </p>
            )}
          </>
        )}
      </Shown>
    </section>
  );
}

/** Why there is no chart. */
function missing(sprint: Sprint): string {
  if (sprint.state === "PLANNED") return t(words.noBurn);
  if (sprint.state === "COMPLETED" || dayOf(sprint.start_date) <= today()) return t(words.notRecorded);
  return t(words.burnFrom, { day: shortDay(dayOf(sprint.start_date)) });
}

const TONE = { ahead: "good", on_track: "good", behind: "bad", no_data: "" } as const;

function BurnChip({ status }: { status: Schemas["BurnStatus"] }) {
  return <span class={`chip ${TONE[status]}`}>{t(words[status])}</span>;
}

export function ScopeChanges({ read, changed }: { read: Read<Figures>; changed: () => void }) {
  const decide = useAction(async (id: string, yes: boolean) => {
    const params = { path: { id } };
    if (yes) await ok(api.POST("/api/v1/scope-changes/{id}/accept/", { params, body: {} }));
    else await ok(api.POST("/api/v1/scope-changes/{id}/reject/", { params, body: {} } as never));
    changed();
  });
  return (
    <section class="card stack">
      <h2>{t(words.scopeChanges)}</h2>
      {decide.error && <Failure error={decide.error} />}
      <Shown read={read} lines={2}>
        {({ scope }) =>
          scope.events.length === 0 ? (
            <p class="quiet">{t(words.noScope)}</p>
          ) : (
            <ul class="sprint-list">
              {scope.events.map((one) => (
                <li key={one.id} class="sprint-row">
                  <span class="grow">
                    <b class="sprint-name">{one.item_name}</b>{" "}
                    <span class="small quiet">
                      {t(words.addedBy, { name: one.added_by_name ?? "–" })}, {moment(one.added_at)}
                    </span>
                  </span>
                  {one.status === "pending" ? (
                    <>
                      <button type="button" class="button small" disabled={decide.busy} onClick={() => void decide.run(one.id, true)}>
                        {t(words.accept)}
                      </button>
                      <button
                        type="button"
                        class="button small plain"
                        disabled={decide.busy}
                        onClick={() => void decide.run(one.id, false)}
                      >
                        {t(words.reject)}
                      </button>
                    </>
                  ) : (
                    <span class={one.status === "accepted" ? "chip good" : "chip"}>{t(words[one.status])}</span>
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </Shown>
    </section>
  );
}
