// The timer: one for a person, seen on every part of My work, counted from what the server said.
import { signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { api, ok, type Schemas } from "../api/client";
import { useAction } from "../api/read";
import { Failure } from "../app/failure";
import { Icon } from "../app/icons";
import { toast } from "../app/toast";
import { work } from "../words/work";
import { number, t } from "../words/words";
import { clock, clockSeconds } from "./time";

type Timer = Schemas["Timer"];

/** The timer and the moment of this page at which it was read. */
export const timer = signal<{ timer: Timer; at: number } | null>(null);

const keep = (read: Timer) => {
  timer.value = { timer: read, at: Date.now() };
};

export async function readTimer(): Promise<void> {
  keep(await ok(api.GET("/api/v1/me/timer/", {})));
}

export async function startTimer(task: string): Promise<void> {
  const { active_timer, finalized_entry } = await ok(api.POST("/api/v1/me/timer/start", { body: { task } }));
  keep(active_timer);
  if (finalized_entry) toast(t(work.logged, { time: clock(finalized_entry.minutes) }));
}

export async function stopTimer(): Promise<void> {
  const entry = await ok(api.POST("/api/v1/me/timer/stop", { body: {} as never }));
  keep({ active: false });
  toast(t(work.logged, { time: clock(entry.minutes) }));
}

export function TimerBar({ changed }: { changed: () => void }) {
  const [, tick] = useState(0);
  const stop = useAction(async () => {
    await stopTimer();
    changed();
  });
  const now = timer.value;
  const active = now?.timer.active ?? false;
  useEffect(() => {
    if (!active) return;
    const every = setInterval(() => tick((n) => n + 1), 1000);
    return () => clearInterval(every);
  }, [active]);
  if (!now || !active) return null;
  const seconds = (now.timer.elapsed_seconds ?? 0) + (Date.now() - now.at) / 1000;
  return (
    <section class="timer" aria-label={t(work.running, { name: now.timer.task_name ?? "" })}>
      <span class="timer-dot" />
      <b class="num timer-clock">{clockSeconds(seconds)}</b>
      <a class="plain-link clip grow" href={`/projects/${now.timer.project}/board?task=${now.timer.task}`}>
        {now.timer.task_name}
      </a>
      {now.timer.stale && <span class="chip warn">{t(work.stale, { n: number(10) })}</span>}
      <button type="button" class="button small" disabled={stop.busy} onClick={() => void stop.run()}>
        <Icon name="stop" size={12} /> {t(work.stop)}
      </button>
      {stop.error && <Failure error={stop.error} retry={() => void stop.run()} />}
    </section>
  );
}
