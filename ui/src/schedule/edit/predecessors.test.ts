import { describe, expect, it } from "vitest";
import { schedule } from "../../words/schedule";
import { t } from "../../words/words";
import { Desk } from "../desk";
import { checkSeeds, type Random } from "../models/random";
import { randomPlan } from "../models/random_plan";
import { TYPES } from "../plan/links";
import { draftRow } from "../plan/row";
import { setPredecessors } from "./link_edits";
import { parsePredecessors, predecessorText, type TypedLink } from "./predecessors";

function randomDesk(random: Random, size: number): Desk {
  const desk = new Desk("p");
  const { plan } = randomPlan(random, size);
  desk.plan.setRows(plan.rows);
  desk.plan.setLinks([...plan.linkRows.values()]);
  return desk;
}

/** A desk with the rows 1 to 3, and no links. */
function threeRows(): Desk {
  const desk = new Desk("p");
  desk.plan.setRows(["1", "2", "2.1"].map((path) => ({ ...draftRow(path, null), wbs_path: path })));
  return desk;
}

/** The lag that is read from a text behind `1FS`, or the reason why none is. */
function lagOf(text: string, desk = threeRows()): number | string {
  const read = parsePredecessors(desk, `1FS${text}`);
  return typeof read === "string" ? read : read[0]!.lag;
}

describe("the predecessors of a row as text", () => {
  it("mean the same when they are typed again", () => {
    checkSeeds(100, (random, size) => {
      const desk = randomDesk(random, size);
      for (let task = 0; task < desk.plan.count; task++) {
        const text = predecessorText(desk, task);
        const read = parsePredecessors(desk, random.chance(0.5) ? text : text.toLowerCase().replaceAll("; ", ","));
        const links: unknown[] = [];
        desk.plan.links.eachIn(task, (link, from) => {
          links.push({ task: from, type: TYPES[desk.plan.links.type[link]!]!, lag: desk.plan.links.lag[link]! });
        });
        expect(read).toEqual(links);
      }
    });
  });

  it("need no edit when they are typed again in any order, and one for each that is left out or has another lag", () => {
    checkSeeds(100, (random, size) => {
      const desk = randomDesk(random, size);
      for (let task = 0; task < desk.plan.count; task++) {
        const same = random.shuffle(parsePredecessors(desk, predecessorText(desk, task)) as TypedLink[]);
        expect(setPredecessors(desk, task, same)).toEqual([]);
        if (!same.length) continue;
        expect(setPredecessors(desk, task, same.slice(1)).length).toBe(1);
        expect(setPredecessors(desk, task, [{ ...same[0]!, lag: same[0]!.lag + 1 }, ...same.slice(1)]).length).toBe(1);
      }
    });
  });

  it("name a row by its number or one of its ids", () => {
    checkSeeds(50, (random, size) => {
      const desk = randomDesk(random, size);
      const task = random.whole(0, size - 1);
      const { wbs_path, short_id_display, qualified_id } = desk.plan.rows[task]!;
      for (const name of [wbs_path, short_id_display, qualified_id, qualified_id.toLowerCase()]) {
        expect(parsePredecessors(desk, ` ${name} ss - 2 `)).toEqual([{ task, type: "SS", lag: -2 }]);
      }
    });
  });
});

describe("a typed lag", () => {
  it("is days, weeks of five or months of twenty in each language", () => {
    expect(
      ["", "+2", "-3", "+ 2 d", "-1t", "+2w", "-1 Woche", "+2 sem.", "+3 días", "+1mo", "-2 mois", "+1.2w"].map((text) => lagOf(text)),
    ).toEqual([0, 2, -3, 2, -1, 10, -5, 10, 3, 20, -40, 6]);
  });

  it("is refused with a reason if it is no whole number of days", () => {
    for (const lag of ["-8h", "+2 x", "+1.5", "+2.5d", "+5 min", "+1m", "+", "-", "+2w3", "+50%"]) {
      expect(lagOf(lag), lag).toBe(t(schedule.badLag, { text: lag }));
    }
  });

  it("counts weeks of seven days and months of thirty where lags count all days", () => {
    const desk = threeRows();
    desk.project.value = { lag_calendar: "elapsed" } as never;
    expect(["+2", "+2w", "-1mo"].map((text) => lagOf(text, desk))).toEqual([2, 14, -30]);
  });

  it("is not guessed from letters behind the number of a row", () => {
    const desk = threeRows();
    for (const text of ["1EA", "1 x", "2.1w", "1FSS", "1FS2"])
      expect(parsePredecessors(desk, text), text).toBe(t(schedule.badLink, { text }));
  });
});
