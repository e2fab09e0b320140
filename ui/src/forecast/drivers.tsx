// The tornado: what moves the date, the strongest first. Each name leads to its row or risk.
import { useEffect, useRef } from "preact/hooks";
import { api, ok, type Schemas } from "../api/client";
import { useAction, useRead } from "../api/read";
import { Failure, Shown } from "../app/failure";
import { Icon } from "../app/icons";
import { forecast } from "../words/forecast";
import { number, t } from "../words/words";

const MOST = 12;
const ASK_AGAIN = 1500;

type Analysis = Schemas["DriverAnalysis"];

async function readDrivers(project: string): Promise<{ analysis: Analysis | null }> {
  return { analysis: await ok(api.GET("/api/v1/projects/{id}/monte-carlo/drivers/latest/", { params: { path: { id: project } } })) };
}

/** `analysed` says whether there is an analysis already. */
export function Drivers({ project, analysed }: { project: string; analysed: boolean }) {
  const begun = useRef(analysed);
  const read = useRead(async () => (begun.current ? readDrivers(project) : { analysis: null }), [project]);
  const waits = read.data?.analysis?.status === "pending" || (read.data?.analysis?.status as string) === "running";
  useEffect(() => {
    if (!waits) return;
    const again = setTimeout(read.retry, ASK_AGAIN);
    return () => clearTimeout(again);
  }, [waits, read.data]);
  const start = useAction(async () => {
    read.set({
      analysis: await ok(api.POST("/api/v1/projects/{id}/monte-carlo/drivers/", { params: { path: { id: project } }, body: {} as never })),
    });
    begun.current = true;
  });
  return (
    <section class="card stack">
      <div class="row wrap">
        <h2 class="grow">{t(forecast.drivers)}</h2>
        <button type="button" class="button small" disabled={start.busy || waits} onClick={() => void start.run()}>
          <Icon name="play" size={12} /> {t(forecast.driversRun)}
        </button>
      </div>
      <p class="quiet small">{t(forecast.driversText)}</p>
      {start.error && <Failure error={start.error} retry={() => void start.run()} />}
      <Shown read={read} lines={4}>
        {({ analysis }) => (
          <>
            {waits && <p role="status">{t(forecast.driversWait)}</p>}
            {analysis?.error_detail && <p class="is-bad">{analysis.error_detail}</p>}
            {analysis?.result && <Tornado project={project} found={analysis.result} />}
          </>
        )}
      </Shown>
    </section>
  );
}

function Tornado({ project, found }: { project: string; found: Schemas["FinishDrivers"] }) {
  const rows = [...found.drivers]
    .filter((one) => one.days !== 0)
    .sort((a, b) => Math.abs(b.days) - Math.abs(a.days))
    .slice(0, MOST);
  const most = Math.max(1, ...rows.map((one) => Math.abs(one.days)));
  if (rows.length === 0) return <p class="quiet">{t(forecast.driversNone)}</p>;
  return (
    <ul class="tornado">
      {rows.map((one) => (
        <li key={one.id}>
          <a
            class="plain-link clip"
            title={one.name ?? ""}
            href={one.kind === "risk" ? `/projects/${project}/risks?risk=${one.id}` : `/projects/${project}/schedule?task=${one.id}`}
          >
            <Icon name={one.kind === "risk" ? "risk" : "gantt"} size={13} /> {one.name}
            <span class="hidden-text"> ({t(one.kind === "risk" ? forecast.risk : forecast.task)})</span>
          </a>
          <span class="tornado-track" aria-hidden="true">
            <span class={one.kind === "risk" ? "is-risk" : ""} style={{ width: `${(100 * Math.abs(one.days)) / most}%` }} />
          </span>
          <span class="num small">{t(forecast.days, { n: number(one.days, 1) })}</span>
        </li>
      ))}
    </ul>
  );
}
