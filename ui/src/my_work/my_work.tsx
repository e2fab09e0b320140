// My work: what waits for this person in all projects, the timer, and the timesheet.
import { useEffect, useState } from "preact/hooks";
import { readOnly } from "../api/connection";
import { api, ok, type Schemas } from "../api/client";
import { type Read, useAction, useRead } from "../api/read";
import { Failure, Shown } from "../app/failure";
import { value } from "../app/field";
import { Icon } from "../app/icons";
import { place, setQuery } from "../app/router";
import type { PageProps } from "../app/routes";
import { seen } from "../app/shared_text";
import { useTitle } from "../app/title";
import { toast } from "../app/toast";
import { dayOf, today } from "../dates/days";
import { shortDay } from "../dates/format";
import { board } from "../words/board";
import { calls } from "../words/calls";
import { shell } from "../words/shell";
import { t } from "../words/words";
import { work } from "../words/work";
import { Sheet } from "./sheet";
import { readTimer, startTimer, timer, TimerBar } from "./timer";
import "./my_work.css";

type Task = Schemas["MeWorkTask"];
type Answer = Schemas["PaginatedMeWorkTaskList"];

const GROUPS = ["today", "this_sprint", "upcoming"] as const;

export default function MyWork(_: PageProps) {
  useTitle(t(shell.myWork));
  const read = useRead<Answer>(() => ok(api.GET("/api/v1/me/work/", { params: { query: { limit: 200 } } })), []);
  const clockRead = useRead(readTimer, []);
  const sheet = place.value.query.get("view") === "time";
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const again = () => document.visibilityState === "visible" && read.retry();
    document.addEventListener("visibilitychange", again);
    return () => document.removeEventListener("visibilitychange", again);
  }, []);
  return (
    <div class="page">
      <div class="page-in">
        <header class="row wrap">
          <h1>{t(shell.myWork)}</h1>
          {(read.data?.due_today_count ?? 0) > 0 && (
            <span class="chip warn num">{t(work.todayCount, { n: read.data!.due_today_count })}</span>
          )}
          <span class="grow" />
          <div class="row" role="group" aria-label={t(shell.myWork)}>
            <button type="button" class="button small" aria-pressed={!sheet} onClick={() => setQuery({ view: null })}>
              <Icon name="work" /> {t(work.tasks)}
            </button>
            <button type="button" class="button small" aria-pressed={sheet} onClick={() => setQuery({ view: "time" })}>
              <Icon name="today" /> {t(work.timesheet)}
            </button>
          </div>
        </header>
        {clockRead.error && <Failure error={clockRead.error} retry={clockRead.retry} />}
        <TimerBar changed={() => setTurn(turn + 1)} />
        {sheet ? (
          <Sheet key={turn} tasks={read.data?.results ?? []} />
        ) : (
          <Shown read={read}>{(data) => <Lists data={data} read={read} />}</Shown>
        )}
      </div>
    </div>
  );
}

function Lists({ data, read }: { data: Answer; read: Read<Answer> }) {
  const [text, setText] = useState("");
  const found = data.results.filter((task) => `${task.name} ${task.project_name}`.toLowerCase().includes(text.trim().toLowerCase()));
  const act = useAction(async (change: () => Promise<void>) => {
    await change();
    read.retry();
  });
  const finish = (task: Task) => {
    const params = { path: { id: task.id } };
    read.set({ ...data, results: data.results.filter((one) => one.id !== task.id) });
    void act
      .run(async () => {
        // What an undo brings back: how far the work was, too.
        const { status, percent_complete, actual_start, actual_finish, remaining_points } = await ok(
          api.GET("/api/v1/tasks/{id}/", { params }),
        );
        const after = await ok(api.PATCH("/api/v1/tasks/{id}/", { params, body: { status: "COMPLETE" } }));
        const back = async () =>
          void (await ok(
            api.PATCH("/api/v1/tasks/{id}/", {
              params: { ...params, header: seen(after.server_version) },
              body: { status, percent_complete, actual_start, actual_finish, remaining_points } as never,
            }),
          ));
        toast(t(work.doneNow, { name: task.name }), { label: t(calls.undo), run: () => void act.run(back) });
      })
      .then((done) => done || read.retry());
  };
  if (data.results.length === 0)
    return (
      <section class="card stack welcome-card">
        <h2>{t(work.emptyTitle)}</h2>
        <p class="quiet">{t(work.emptyText)}</p>
      </section>
    );
  return (
    <>
      {act.error && <Failure error={act.error} />}
      <input
        type="search"
        class="input work-find"
        placeholder={t(work.find)}
        aria-label={t(work.find)}
        value={text}
        onInput={(event) => setText(value(event))}
      />
      {GROUPS.map((group) => {
        const rows = found.filter((task) => task.group === group);
        return rows.length === 0 ? null : (
          <section key={group} class="stack work-group">
            <h2 class="row">
              {t(work[group])} <span class="quiet small num">{rows.length}</span>
            </h2>
            <ul class="card work-list">
              {rows.map((task) => (
                <Row key={task.id} task={task} finish={() => finish(task)} />
              ))}
            </ul>
          </section>
        );
      })}
    </>
  );
}

function Row({ task, finish }: { task: Task; finish: () => void }) {
  const start = useAction(() => startTimer(task.id));
  const due = dayOf(task.due);
  const late = due < today() && task.due !== null;
  const running = timer.value?.timer.active && timer.value.timer.task === task.id;
  return (
    <li class="work-row">
      <button
        type="button"
        class="work-tick"
        disabled={readOnly.value}
        aria-label={t(work.done, { name: task.name })}
        title={t(work.done, { name: task.name })}
        onClick={finish}
      >
        <Icon name="check" size={12} />
      </button>
      <span class="grow work-what">
        <a class="plain-link work-name" href={`/projects/${task.project_id}/board?task=${task.id}`}>
          {task.name}
        </a>
        <span class="small quiet row wrap work-where">
          <span class="work-colour" style={{ background: task.program_color || "var(--accent)" }} /> {task.project_name}
          {task.sprint_name && <span>· {task.sprint_name}</span>} <span>· {t(board[task.status])}</span>
        </span>
      </span>
      {task.is_blocked && <span class="chip">{t(board.waits)}</span>}
      {task.is_critical && <span class="chip bad">{t(board.critical)}</span>}
      {task.due && (
        <span class={late ? "small num is-late" : "small num quiet"}>
          {t(task.due_source === "planned" ? work.due : work.expected, { day: shortDay(due) })}
        </span>
      )}
      <button
        type="button"
        class="icon"
        disabled={start.busy || running}
        aria-label={t(work.start, { name: task.name })}
        title={t(work.start, { name: task.name })}
        onClick={() => void start.run()}
      >
        <Icon name="play" />
      </button>
      {start.error && <Failure error={start.error} retry={() => void start.run()} />}
    </li>
  );
}
