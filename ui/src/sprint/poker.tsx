// Planning poker of a planned sprint: rounds that are open, cards to vote with, and the votes once they are revealed.
import { signal } from "@preact/signals";
import { useState } from "preact/hooks";
import { api, ok, patiently, type Schemas } from "../api/client";
import { useAction, useRead } from "../api/read";
import { Failure, Shown } from "../app/failure";
import { Field, value } from "../app/field";
import { say, toast } from "../app/toast";
import { isCard, type Task } from "../board/model";
import { calls } from "../words/calls";
import { ceremony as words } from "../words/ceremony";
import { t } from "../words/words";
import { middleCard, type Sprint } from "./model";

type Round = Schemas["PokerSession"];

/** Rises with each event of a round, so that the votes of others appear. */
export const rounds = signal(0);

export function Poker({ sprint, tasks, changed }: { sprint: Sprint; tasks: Task[]; changed: () => void }) {
  const path = { sprint_pk: sprint.id };
  const read = useRead(() => ok(api.GET("/api/v1/sprints/{sprint_pk}/poker/", { params: { path } })), [sprint.id, rounds.value]);
  const inside = tasks.filter((task) => isCard(task) && task.sprint === sprint.id);
  const [chosen, setChosen] = useState("");
  const live = new Set((read.data ?? []).map((one) => one.task.id));
  const free = inside.filter((task) => !live.has(task.id));
  const task = free.find((one) => one.id === chosen) ?? free.find((one) => one.story_points === null) ?? free[0];
  const open = useAction(async () => {
    await ok(api.POST("/api/v1/sprints/{sprint_pk}/poker/", { params: { path }, body: { task: task!.id } }));
    read.retry();
  });
  return (
    <section class="card stack" aria-label={t(words.poker)}>
      <h2>{t(words.poker)}</h2>
      <p class="quiet small">{t(words.pokerText)}</p>
      {open.error && <Failure error={open.error} />}
      {inside.length === 0 ? (
        <p class="quiet">{t(words.noTask)}</p>
      ) : (
        <form class="row wrap poker-open" onSubmit={(event) => (event.preventDefault(), void open.run())}>
          <Field label={t(words.task)}>
            <select value={task?.id ?? ""} onChange={(event) => setChosen(value(event))}>
              {free.map((one) => (
                <option key={one.id} value={one.id}>
                  {one.name}
                  {one.story_points === null ? "" : ` (${one.story_points})`}
                </option>
              ))}
            </select>
          </Field>
          <button type="submit" class="button primary" disabled={!task || open.busy}>
            {t(words.open)}
          </button>
        </form>
      )}
      <Shown read={read} lines={2}>
        {(list) => (
          <ul class="stack">
            {list.map((one) => (
              <RoundCard
                key={one.id}
                round={one}
                set={(round) =>
                  read.set(
                    list
                      .map((other) => (other.id === round.id ? round : other))
                      .filter((other) => other.state === "open" || other.state === "revealed"),
                  )
                }
                changed={changed}
              />
            ))}
          </ul>
        )}
      </Shown>
    </section>
  );
}

function RoundCard({ round, set, changed }: { round: Round; set: (round: Round) => void; changed: () => void }) {
  const { name } = round.task;
  const params = { path: { id: round.id } };
  const act = useAction(async (work: () => Promise<Round>) => set(await work()));
  const vote = (card: number | null) =>
    act.run(() => patiently(() => ok(api.POST("/api/v1/poker/{id}/vote/", { params, body: { value: card as never } }))));
  const step = (way: "reveal" | "reopen" | "cancel") =>
    act.run(() => ok(api.POST(`/api/v1/poker/{id}/${way}/`, { params, body: {} } as never)) as Promise<Round>);
  const commit = async (points: number) => {
    if (!(await act.run(() => ok(api.POST("/api/v1/poker/{id}/commit/", { params, body: { points: points as never } }))))) return;
    const said = t(words.agreed, { name, n: points });
    say(said);
    toast(said);
    changed();
  };
  const open = round.state === "open";
  return (
    <li class="poker-round stack">
      <div class="row wrap">
        <b class="grow">{name}</b>
        <span class="chip num">{t(words.votes, { n: round.vote_count, all: round.participant_count })}</span>
      </div>
      {act.error && <Failure error={act.error} />}
      {open ? (
        <Vote round={round} busy={act.busy} vote={(card) => void vote(card)} />
      ) : (
        <Size round={round} busy={act.busy} take={(points) => void commit(points)} />
      )}
      <div class="row wrap">
        {open ? (
          <button type="button" class="button small" disabled={act.busy || round.vote_count === 0} onClick={() => void step("reveal")}>
            {t(words.reveal)}
          </button>
        ) : (
          <button type="button" class="button small" disabled={act.busy} onClick={() => void step("reopen")}>
            {t(words.again)}
          </button>
        )}
        <button type="button" class="button small plain" disabled={act.busy} title={t(calls.cancel)} onClick={() => void step("cancel")}>
          {t(words.cancel)}
        </button>
      </div>
    </li>
  );
}

/** The cards of a round that is open: my vote is marked. */
function Vote({ round, busy, vote }: { round: Round; busy: boolean; vote: (card: number | null) => void }) {
  return (
    <div class="row wrap" role="group" aria-label={t(words.myVote, { name: round.task.name })}>
      {(round.cards ?? []).map((card) => (
        <button
          key={card}
          type="button"
          class="button poker-card num"
          disabled={busy}
          aria-pressed={round.my_vote?.value === card}
          onClick={() => vote(card)}
        >
          {card}
        </button>
      ))}
      <button
        type="button"
        class="button poker-card"
        disabled={busy}
        title={t(words.unsure)}
        aria-label={t(words.unsure)}
        aria-pressed={round.my_vote?.value === null}
        onClick={() => vote(null)}
      >
        ?
      </button>
    </div>
  );
}

/** What everybody voted, and below it the sizes that can be taken. The one in the middle of the votes is proposed. */
function Size({ round, busy, take }: { round: Round; busy: boolean; take: (points: number) => void }) {
  const votes = round.votes ?? [];
  const cards = round.cards ?? [];
  const middle = middleCard(
    cards,
    votes.map((one) => one.value),
  );
  const heading = `size-${round.id}`;
  return (
    <>
      <ul class="row wrap" aria-label={t(words.allVotes)}>
        {votes.map((one) => (
          <li key={one.voter?.id} class="chip">
            {one.voter?.display_name || one.voter?.username} <b class="num">{one.value ?? "?"}</b>
          </li>
        ))}
      </ul>
      <div class="poker-size stack" role="group" aria-labelledby={heading}>
        <h3 id={heading}>{t(words.take, { name: round.task.name })}</h3>
        <div class="row wrap">
          {cards.map((card) => (
            <button
              key={card}
              type="button"
              class={card === middle ? "button primary num" : "button num"}
              disabled={busy}
              aria-label={t(words.takeOne, { n: card })}
              onClick={() => take(card)}
            >
              {card === middle ? t(words.takeOne, { n: card }) : card}
            </button>
          ))}
        </div>
      </div>
    </>
  );
}
