import { describe, expect, it } from "vitest";
import { isoOf, NO_DAY } from "../../dates/days";
import { checkSeeds, type Random } from "../models/random";
import { allowed, FIRST_DAY, type RandomPlan, randomPlan } from "../models/random_plan";
import type { WorkCalendar } from "./calendar";
import { type Cascade, cascade } from "./cascade";
import { DONE, SUMMARY } from "./flags";
import type { Plan } from "./plan";

/** Long before every plan, so that no start is in the past. */
const NOW = FIRST_DAY - 1000;
const TRIES = 300;

interface Move {
  task: number;
  days: number;
  found: Cascade;
}

/** The preview of a bar that is moved by some working days. */
function moveBy({ plan, calendar }: RandomPlan, task: number, days: number): Cascade {
  const start = calendar.add(plan.start[task]!, days);
  const length = Math.max(1, calendar.count(plan.start[task]!, plan.finish[task]!));
  return cascade(plan, calendar, task, start, calendar.finish(start, length), NOW);
}

function anyMove(random: Random, made: RandomPlan): Move {
  const task = random.whole(0, made.plan.count - 1);
  const days = random.whole(-8, 12);
  return { task, days, found: moveBy(made, task, days) };
}

/** What can be reached from a task by links. */
function followers(plan: Plan, task: number): Set<number> {
  const reached = new Set([task]);
  for (const at of reached) plan.links.eachOut(at, (_link, other) => reached.add(other));
  return reached;
}

/** Writes a preview into the plan, as the server would: dates, and which links drive. */
function apply({ plan, calendar }: RandomPlan, { moved }: Cascade): void {
  for (const [task, { start, finish }] of moved) {
    Object.assign(plan.rows[task]!, { early_start: isoOf(start), early_finish: isoOf(finish) });
  }
  plan.rebuild();
  for (let link = 0; link < plan.links.count; link++) {
    plan.linkRows.get(plan.links.ids[link]!)!.is_driving =
      linkStart(plan, calendar, link, spanOf(plan)) === plan.start[plan.links.to[link]!];
  }
  plan.relink();
}

type SpanOf = (task: number) => { start: number; finish: number };

const spanOf =
  (plan: Plan, moved?: Cascade["moved"]): SpanOf =>
  (task) =>
    moved?.get(task) ?? { start: plan.start[task]!, finish: plan.finish[task]! };

/** The first start that a link allows its successor, if all tasks stand where `span` says. */
function linkStart(plan: Plan, calendar: WorkCalendar, link: number, span: SpanOf): number {
  const to = plan.links.to[link]!;
  const after = { days: Math.max(1, calendar.count(plan.start[to]!, plan.finish[to]!)), milestone: plan.rows[to]!.is_milestone };
  return allowed(calendar, plan.links.type[link]!, plan.links.lag[link]!, span(plan.links.from[link]!), after);
}

describe("every preview of a moved bar", () => {
  it("changes nothing if the bar goes nowhere, whatever holds the dates", () => {
    checkSeeds(TRIES, (random, size) => {
      const made = randomPlan(random, size, { foreign: random.chance(0.5) });
      const task = random.whole(0, size - 1);
      const { plan, calendar } = made;
      const found = cascade(plan, calendar, task, plan.start[task]!, plan.finish[task]!, NOW);
      expect([...found.moved.keys()]).toEqual([task]);
      expect([found.stays, found.begins, found.missed, found.finishAfter]).toEqual([true, false, [], found.finishBefore]);
    });
  });

  it("moves only what follows, and leaves the plan as it is", () => {
    checkSeeds(TRIES, (random, size) => {
      const made = randomPlan(random, size, { foreign: random.chance(0.5) });
      const before = [made.plan.start.slice(), made.plan.finish.slice()];
      const { task, found } = anyMove(random, made);
      const may = followers(made.plan, task);
      expect([...found.moved.keys()].filter((one) => !may.has(one))).toEqual([]);
      expect([made.plan.start, made.plan.finish]).toEqual(before);
    });
  });

  it("lets nothing start before its links allow, and keeps every length", () => {
    checkSeeds(TRIES, (random, size) => {
      const made = randomPlan(random, size);
      const { plan, calendar } = made;
      const { found } = anyMove(random, made);
      for (let link = 0; link < plan.links.count; link++) {
        const to = plan.links.to[link]!;
        const { start } = spanOf(plan, found.moved)(to);
        expect(start, `${plan.links.ids[link]}`).toBeGreaterThanOrEqual(linkStart(plan, calendar, link, spanOf(plan, found.moved)));
      }
      for (const [one, { start, finish }] of found.moved) {
        expect(calendar.count(start, finish)).toBe(calendar.count(plan.start[one]!, plan.finish[one]!));
        expect([calendar.isWorking(start), calendar.isWorking(finish)]).toEqual([true, true]);
      }
    });
  });

  it("moves nothing to the other side than the bar", () => {
    checkSeeds(TRIES, (random, size) => {
      const made = randomPlan(random, size, { foreign: random.chance(0.5) });
      const { plan, calendar } = made;
      const { task, days, found } = anyMove(random, made);
      // Even a bar that goes nowhere comes to stand on a working day.
      if (!calendar.isWorking(plan.start[task]!) || !calendar.isWorking(plan.finish[task]!)) return;
      for (const [one, { start }] of found.moved) {
        const shift = start - plan.start[one]!;
        expect(days > 0 ? shift >= 0 : shift <= 0, `task ${one} by ${shift} after ${days}`).toBe(true);
      }
    });
  });

  it("moves everything at least as far if the bar goes further", () => {
    checkSeeds(TRIES, (random, size) => {
      const made = randomPlan(random, size, { foreign: random.chance(0.5) });
      const task = random.whole(0, size - 1);
      const near = random.whole(-8, 10);
      const [one, other] = [moveBy(made, task, near), moveBy(made, task, near + random.whole(1, 5))];
      for (const at of followers(made.plan, task)) {
        expect(spanOf(made.plan, other.moved)(at).start).toBeGreaterThanOrEqual(spanOf(made.plan, one.moved)(at).start);
      }
    });
  });

  it("is the same whatever the order of the links", () => {
    checkSeeds(TRIES, (random, size) => {
      const made = randomPlan(random, size, { foreign: random.chance(0.5) });
      const { task, days, found } = anyMove(random, made);
      made.plan.setLinks(random.shuffle(made.links));
      const again = moveBy(made, task, days);
      expect(new Map([...again.moved].sort())).toEqual(new Map([...found.moved].sort()));
      expect([again.finishAfter, again.missed, again.stays]).toEqual([found.finishAfter, found.missed, found.stays]);
    });
  });

  it("forth and back brings everything back, if each row has one link and no room", () => {
    checkSeeds(TRIES, (random, size) => {
      const made = randomPlan(random, size, { tight: true });
      const { plan } = made;
      const before = plan.start.slice();
      const { task, found } = anyMove(random, made);
      const home = { start: plan.start[task]!, finish: plan.finish[task]! };
      apply(made, found);
      apply(made, cascade(plan, made.calendar, task, home.start, home.finish, NOW));
      expect(plan.start).toEqual(before);
    });
  });

  it("tells the finish and the missed deadlines that a plan with these dates has", () => {
    checkSeeds(TRIES, (random, size) => {
      const made = randomPlan(random, size, { foreign: random.chance(0.5) });
      const { plan } = made;
      const { found } = anyMove(random, made);
      const ends = Array.from({ length: size }, (_, task) => spanOf(plan, found.moved)(task).finish);
      expect([found.finishBefore, found.finishAfter]).toEqual([Math.max(...plan.finish), Math.max(...ends)]);
      const late = (task: number, end: number) => plan.deadline[task] !== NO_DAY && end > plan.deadline[task]!;
      expect(found.missed).toEqual(ends.flatMap((end, task) => (late(task, end) && !late(task, plan.finish[task]!) ? [task] : [])));
    });
  });

  it("never moves complete work or phases, except the bar itself", () => {
    checkSeeds(TRIES, (random, size) => {
      const made = randomPlan(random, size);
      for (const row of made.plan.rows) {
        if (random.chance(0.3)) row.status = "COMPLETE";
        else if (random.chance(0.2)) row.is_summary = true;
      }
      made.plan.rebuild();
      const { task, found } = anyMove(random, made);
      expect([...found.moved.keys()].filter((one) => one !== task && made.plan.flags[one]! & (DONE | SUMMARY))).toEqual([]);
    });
  });
});
