import { beforeEach, describe, expect, it, vi } from "vitest";
import { dayFrom, dayOf, isoOf, partsOf } from "../../dates/days";
import { Desk } from "../desk";
import { checkSeeds, type Random } from "../models/random";
import { FIRST_DAY, randomPlan } from "../models/random_plan";
import { Recorder, type Stroke } from "../models/recorder";
import { cascade } from "../plan/cascade";
import { MILESTONE, SUMMARY } from "../plan/flags";
import { eachPeriod, paintAxis, tiers } from "./axis";
import type { Colours } from "./colours";
import { paintMain } from "./paint";
import { BAR, barBox, paintBars } from "./paint_bars";
import { paintOverlay } from "./paint_overlay";
import { SvgPen } from "./svg_pen";
import { MAX_PX, MIN_PX, View } from "./view";

const TRIES = 200;

/** Each colour is its own name. */
const colours = new Proxy({}, { get: (_, name) => String(name) }) as Colours;

/** Every path that was made since the test began. */
let paths: Recorder[] = [];

beforeEach(() => {
  paths = [];
  vi.stubGlobal(
    "Path2D",
    class extends Recorder {
      constructor() {
        super();
        paths.push(this);
      }
    },
  );
});

/** Any zoom, each magnitude as often as another. */
const anyPx = (random: Random): number => MIN_PX * (MAX_PX / MIN_PX) ** random.share();

function lookSomewhere(random: Random, view: View, rows: number): void {
  view.rowHeight = random.pick([24, 28, 36]);
  view.chartWidth = random.whole(1, 2000);
  view.height = random.whole(1, 600);
  view.px = anyPx(random);
  view.origin = FIRST_DAY + random.whole(-200, 200) + random.share();
  view.scrollTop = random.whole(0, rows * view.rowHeight);
}

/** A plan with all that a bar can be, and a view on some part of it. */
function randomDesk(random: Random, size: number): Desk {
  const desk = new Desk("p");
  const { plan, calendar } = randomPlan(random, size, { foreign: random.chance(0.3) });
  for (const row of plan.rows) {
    row.status = random.pick(["NOT_STARTED", "IN_PROGRESS", "COMPLETE"]);
    row.is_summary = random.chance(0.15);
    if (random.chance(0.1)) Object.assign(row, { early_start: null, early_finish: null });
    if (random.chance(0.4)) row.baseline_start = isoOf(FIRST_DAY + random.whole(-30, 30));
    if (row.baseline_start && random.chance(0.8)) row.baseline_finish = isoOf(dayOf(row.baseline_start) + random.whole(0, 20));
    if (random.chance(0.1)) row.schedule_issue = "circle" as never;
  }
  desk.calendar = calendar;
  desk.plan.setRows(plan.rows);
  desk.plan.setLinks([...plan.linkRows.values()]);
  lookSomewhere(random, desk.view, size);
  return desk;
}

function expectSound(strokes: Stroke[]): void {
  const odd = strokes.filter(({ x, y, width, height }) => ![x, y, width, height].every(Number.isFinite) || width < 0 || height < 0);
  expect(odd).toEqual([]);
}

/** The visible rows with dates that a view shows, and whether their bar is in sight. */
function barsInView({ plan, view }: Desk): { task: number; inSight: boolean }[] {
  const rows = [...plan.visible].slice(view.firstRow(), view.lastRow() + 1);
  return rows
    .filter((task) => plan.start[task]! > 0)
    .map((task) => {
      const { left, right } = barBox({ plan, view } as Desk, task);
      return { task, inSight: right >= -200 && left <= view.chartWidth + 40 };
    });
}

describe("the view", () => {
  it("finds the day and the row of a place that it gave", () => {
    checkSeeds(TRIES, (random) => {
      const view = new View();
      lookSomewhere(random, view, 1000);
      const [day, row] = [FIRST_DAY + random.whole(-20000, 20000), random.whole(0, 10000)];
      expect(view.dayAt(view.x(day))).toBeCloseTo(day, 6);
      expect(view.rowAt(view.y(row))).toBe(row);
      expect(view.rowAt(view.y(row) + view.rowHeight - 1)).toBe(row);
    });
  });

  it("keeps the day below the pointer when it zooms, as far as it may", () => {
    vi.stubGlobal("requestAnimationFrame", () => 1);
    checkSeeds(TRIES, (random) => {
      const view = new View();
      lookSomewhere(random, view, 1000);
      const x = random.share() * view.chartWidth;
      const day = view.dayAt(x);
      for (let turn = 0; turn < 5; turn++) view.zoom(random.pick([0.1, 0.8, 1.25, 10]), x);
      expect(view.dayAt(x)).toBeCloseTo(day, 6);
      expect(view.px >= MIN_PX && view.px <= MAX_PX).toBe(true);
    });
  });
});

describe("the days of a year", () => {
  it("come back from their parts and their text, from the year 1 on", () => {
    checkSeeds(TRIES, (random) => {
      const day = random.whole(dayOf("0001-01-01"), dayOf(random.chance(0.5) ? "0200-12-31" : "9999-12-31"));
      const { year, month, date } = partsOf(day);
      expect(dayFrom(year, month, date)).toBe(day);
      expect(dayOf(isoOf(day))).toBe(day);
    });
  });
});

describe("the axis", () => {
  it("has periods without gaps over the whole view, at any time and zoom", () => {
    checkSeeds(TRIES, (random) => {
      const view = new View();
      lookSomewhere(random, view, 1);
      view.origin = random.whole(dayOf("0011-01-01"), dayOf(random.chance(0.3) ? "0200-12-31" : "9900-01-01")) + random.share();
      for (const unit of tiers(view.px)) {
        const periods: [number, number][] = [];
        eachPeriod(unit, view, (from, to) => periods.push([from, to]));
        expect(periods[0]![0], unit).toBeLessThanOrEqual(view.origin);
        expect(periods.at(-1)![1], unit).toBeGreaterThan(view.dayAt(view.chartWidth));
        for (const [at, [from, to]] of periods.entries()) {
          expect(to, unit).toBeGreaterThan(from);
          if (at) expect(from, unit).toBe(periods[at - 1]![1]);
        }
      }
    });
  });
});

describe("the painters", () => {
  it("draw nothing without a place or with a negative size", () => {
    checkSeeds(TRIES, (random, size) => {
      const desk = randomDesk(random, size);
      const recorder = new Recorder();
      paintAxis(recorder.pen, desk.view, colours, { today: FIRST_DAY, data: FIRST_DAY + 3 });
      desk.view.paper = random.chance(0.2);
      desk.progressLine.value = random.chance(0.5);
      paintMain(recorder.pen, desk, colours);
      const task = random.whole(0, size - 1);
      const [start, finish] = [desk.plan.start[task]! + random.whole(-9, 9), desk.plan.finish[task]! + random.whole(-9, 9)];
      if (desk.plan.start[task]! > 0 && random.chance(0.5)) {
        const found = cascade(desk.plan, desk.calendar, task, start, Math.max(start, finish));
        desk.gesture.value = { kind: "move", task, start, finish: Math.max(start, finish), cascade: found };
      } else desk.hover = task;
      paintOverlay(recorder.pen, desk, colours);
      expectSound(recorder.strokes);
      expectSound(paths.flatMap((path) => path.strokes));
      expect(recorder.depth).toBe(0);
    });
  });

  it("draw each bar in sight once, where it belongs, and an arrow for each other row in sight", () => {
    checkSeeds(TRIES, (random, size) => {
      const desk = randomDesk(random, size);
      const { plan, view } = desk;
      const recorder = new Recorder();
      paintBars(recorder.pen, desk, colours);
      const bars = recorder.strokes.filter(({ kind, height }) => kind === "round" && height === BAR);
      const wanted = barsInView(desk).filter(({ task, inSight }) => inSight && !(plan.flags[task]! & (MILESTONE | SUMMARY)));
      const boxes = wanted.map(({ task }) => barBox(desk, task));
      expect(bars.map(({ x, y, width }) => [x, y, width])).toEqual(boxes.map(({ left, right, top }) => [left, top, right - left]));
      const arrows = recorder.strokes.filter(({ x, kind }) => kind === "point" && (x === 4 || x === view.chartWidth - 4));
      expect(arrows.length).toBeGreaterThanOrEqual(barsInView(desk).filter(({ inSight }) => !inSight).length);
    });
  });

  it("draw nothing outside of the rows in sight", () => {
    checkSeeds(TRIES, (random, size) => {
      const desk = randomDesk(random, size);
      const { view } = desk;
      const recorder = new Recorder();
      paintBars(recorder.pen, desk, colours);
      const [top, bottom] = [view.y(view.firstRow()), view.y(view.lastRow() + 1)];
      expect(recorder.strokes.filter(({ y, height }) => y < top || y + height > bottom + view.rowHeight)).toEqual([]);
    });
  });

  it("write a picture that can be read", () => {
    checkSeeds(TRIES / 2, (random, size) => {
      const desk = randomDesk(random, size);
      const pen = new SvgPen(new Recorder().pen);
      paintMain(pen as never, desk, colours);
      const svg = pen.svg(desk.view.chartWidth, desk.view.height, "serif");
      expect(svg).not.toMatch(/NaN|Infinity|undefined|(?:width|height|r)="-/);
    });
  });
});

describe("the index of links", () => {
  it("finds each link that touches the rows in sight, once", () => {
    checkSeeds(TRIES, (random, size) => {
      const desk = randomDesk(random, size * 6);
      const { plan } = desk;
      for (const row of plan.rows) if (row.is_summary && random.chance(0.5)) plan.closed.add(row.id);
      plan.show();
      const first = random.whole(0, plan.visible.length);
      const last = first + random.whole(0, 80);
      const wanted: number[] = [];
      for (let link = 0; link < plan.links.count; link++) {
        const [a, b] = [plan.rowOf[plan.links.from[link]!]!, plan.rowOf[plan.links.to[link]!]!];
        if (a >= 0 && b >= 0 && a !== b && Math.max(a, b) >= first && Math.min(a, b) <= last) wanted.push(link);
      }
      expect(plan.linkIndex.find(first, last, []).sort((a, b) => a - b)).toEqual(wanted);
    });
  });
});
