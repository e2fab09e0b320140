// The samples that come with the server; one click loads one and opens its plan.
import { api, ok } from "../api/client";
import { useAction, useRead } from "../api/read";
import { Failure, Shown } from "../app/failure";
import { go } from "../app/router";
import { home } from "../words/shell";
import { t } from "../words/words";

export function Samples() {
  const read = useRead(() => ok(api.GET("/api/v1/programs/samples/", {})), []);
  const load = useAction(async (sample: string) => {
    const answer = await ok(api.POST("/api/v1/programs/load-sample/", { body: { sample } }));
    go(answer.landing_project_id ? `/projects/${answer.landing_project_id}/schedule` : `/programs/${answer.program.id}`);
  });
  return (
    <section class="stack">
      <h2>{t(home.samples)}</h2>
      {load.error && <Failure error={load.error} />}
      <Shown read={read} lines={2}>
        {(samples) => (
          <div class="cards">
            {samples
              .filter((sample) => sample.available)
              .map((sample) => (
                <article key={sample.key} class="card stack sample-card">
                  <div class="row">
                    <h3 class="grow">{sample.title}</h3>
                    <span class="quiet small num">{t(home.rows, { n: sample.task_count ?? 0 })}</span>
                  </div>
                  <p class="quiet small grow">{sample.description}</p>
                  <div>
                    <button
                      type="button"
                      class="button small"
                      disabled={load.busy}
                      aria-label={`${t(home.open)}: ${sample.title}`}
                      onClick={() => void load.run(sample.key)}
                    >
                      {t(home.open)}
                    </button>
                  </div>
                </article>
              ))}
          </div>
        )}
      </Shown>
    </section>
  );
}
