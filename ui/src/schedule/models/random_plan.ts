// Plans for model tests, as the server could have made them: every row lies where its links let it lie, or later.
import { dayOf, isoOf } from "../../dates/days";
import { WorkCalendar } from "../plan/calendar";
import { TYPES } from "../plan/links";
import { Plan } from "../plan/plan";
import { draftRow, type LinkRow, type TaskRow } from "../plan/row";
import { Random } from "./random";

/** A Monday. */
export const FIRST_DAY = dayOf("2026-01-05");

export interface RandomPlan {
  plan: Plan;
  calendar: WorkCalendar;
  links: LinkRow[];
}

interface Shape {
  /** At most one link into each row, and no row starts later than it must. */
  tight?: boolean;
  /** Dates that the links do not explain: rows have calendars of their own, or lags count all days. */
  foreign?: boolean;
}

interface Work {
  start: number;
  finish: number;
  days: number;
  milestone: boolean;
}

const calendars: WorkCalendar[] = [];

/** One of a few calendars: it takes long to make one. */
function pickCalendar(random: Random): WorkCalendar {
  const at = random.whole(0, 15);
  calendars[at] ??= randomCalendar(new Random(at));
  return calendars[at];
}

function randomCalendar(random: Random): WorkCalendar {
  const exceptions = Array.from({ length: random.whole(0, 4) }, () => {
    const from = FIRST_DAY + random.whole(-10, 120);
    return { from, to: from + random.whole(0, 4), working: random.chance(0.3) };
  });
  return new WorkCalendar(random.pick([31, 31, 63, 15, 127, 21]), exceptions);
}

export function randomPlan(random: Random, size: number, { tight = false, foreign = false }: Shape = {}): RandomPlan {
  const calendar = pickCalendar(random);
  const numbers = random.shuffle(Array.from({ length: size }, (_, at) => at + 1));
  const links = randomLinks(random, size, tight);
  const work: Work[] = [];
  for (let at = 0; at < size; at++) work.push(placed(random, calendar, at, links, work, { tight, foreign }));
  const rows = work.map((one, at) => rowOf(random, numbers[at]!, at, one));
  const plan = new Plan();
  plan.setRows(rows);
  const all = links.map((link): LinkRow => {
    const [before, after] = [work[link.from]!, work[link.to]!];
    const drives = allowed(calendar, link.type, link.lag, before, after) === after.start || (foreign && random.chance(0.3));
    return {
      id: `${link.from}-${link.type}-${link.to}`,
      predecessor: `task-${link.from}`,
      successor: `task-${link.to}`,
      dep_type: TYPES[link.type]!,
      lag: link.lag,
      is_driving: drives,
      pending_acceptance: false,
    };
  });
  plan.setLinks(random.shuffle(all));
  return { plan, calendar, links: all };
}

interface Edge {
  from: number;
  to: number;
  type: number;
  lag: number;
}

function randomLinks(random: Random, size: number, tight: boolean): Edge[] {
  const links: Edge[] = [];
  for (let to = 1; to < size; to++) {
    for (let n = tight ? random.whole(0, 1) : random.whole(0, 3); n > 0; n--) {
      const edge = {
        from: random.whole(0, to - 1),
        to,
        type: random.pick([0, 0, 0, 1, 2, 3]),
        lag: random.chance(0.5) ? 0 : random.whole(-3, 6),
      };
      if (!links.some((link) => link.from === edge.from && link.to === to && link.type === edge.type)) links.push(edge);
    }
  }
  return links;
}

function placed(random: Random, calendar: WorkCalendar, at: number, links: Edge[], work: Work[], { tight, foreign }: Shape): Work {
  const milestone = random.chance(0.15);
  const days = milestone ? 1 : random.whole(1, 9);
  const open = { start: 0, finish: 0, days, milestone };
  const into = links.filter((link) => link.to === at);
  const own = !into.length || !tight ? calendar.next(FIRST_DAY + random.whole(0, 20)) : -Infinity;
  let start = Math.max(own, ...into.map((link) => allowed(calendar, link.type, link.lag, work[link.from]!, open)));
  if (foreign && random.chance(0.4)) start += random.whole(-4, 4);
  return { start, finish: foreign ? start + days - 1 : calendar.finish(start, days), days, milestone };
}

/** The first start that a link allows, said in another way than by the preview. */
export function allowed(
  calendar: WorkCalendar,
  type: number,
  lag: number,
  before: Pick<Work, "start" | "finish">,
  after: Omit<Work, "start" | "finish">,
): number {
  const leavesEnd = type === 0 || type === 2;
  const day = leavesEnd ? before.finish : before.start;
  // A milestone happens in the evening of the day on which what comes before it ends.
  const from = calendar.next(type === 0 && !after.milestone ? day + 1 : day);
  const reached = lag === 0 ? from : calendar.add(from, lag);
  return type >= 2 ? calendar.add(reached, 1 - after.days) : reached;
}

function rowOf(random: Random, number: number, at: number, work: Work): TaskRow {
  return {
    ...draftRow(`task-${at}`, null),
    name: `Task ${at}`,
    wbs_path: String(number),
    short_id_display: `T-${at}`,
    qualified_id: `PLAN-${at}`,
    duration: work.days,
    is_milestone: work.milestone,
    early_start: isoOf(work.start),
    early_finish: isoOf(work.finish),
    total_float: random.whole(0, 10),
    is_critical: random.chance(0.3),
    percent_complete: random.chance(0.3) ? random.whole(0, 100) : 0,
    deadline: random.chance(0.2) ? isoOf(work.finish + random.whole(-3, 5)) : null,
  };
}
