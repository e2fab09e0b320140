// A planner builds forty rows by keyboard alone, links them, levels dates with a deadline, defends P80 and keeps a
// baseline. The network is lost twice on the way.
import { call, command, keys, signIn, tabTo, token, until } from "../browser.mjs";

export const name = "a planner builds forty rows by keyboard alone and defends a date";

const PHASES = ["Survey", "Ground works", "Frame", "Fitting out", "Handover"];
const WORK = ["prepare", "order", "deliver", "build", "inspect", "mend", "accept"];
const ROWS = PHASES.flatMap((phase) => [phase, ...WORK.map((work) => `${phase}: ${work}`)]);
const SIZE = WORK.length + 1;

export async function run({ page, context, base, check, shot }) {
  const access = await token(base);
  await signIn(page, base);
  await tabTo(page, "main button", "New project");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".dialog input");
  await page.keyboard.type("Harbour office");
  await keys(page, "Tab");
  await page.keyboard.type("01012027");
  await keys(page, "Enter");
  await page.waitForSelector(".empty-plan");
  const project = page.url().split("/projects/")[1].split("/")[0];
  check("a project is made by keyboard", (await call(base, access, "GET", `/projects/${project}/`)).start_date === "2027-01-01");

  await tabTo(page, ".empty-plan button", "New row");
  await keys(page, "Enter");
  for (const [at, row] of ROWS.entries()) {
    if (at === 20) await context.setOffline(true);
    if (at === 26) await context.setOffline(false);
    await page.waitForSelector(".cell-editor");
    await page.keyboard.type(row);
    await keys(page, "Enter");
  }
  await keys(page, "Escape");
  const fields =
    "pessimistic_duration,name,wbs_path,duration,early_start,early_finish,total_float,deadline,is_summary,baseline_finish,optimistic_duration";
  const rows = async () =>
    (await call(base, access, "GET", `/tasks/?project=${project}&ordering=wbs_path&page_size=100&fields=${fields}`)).results;
  const links = async () => (await call(base, access, "GET", `/dependencies/?project=${project}&page_size=100`)).count;
  const stand = async (what, test) =>
    check(
      what,
      await until(async () => test(await rows())),
      JSON.stringify((await rows()).map((row) => [row.wbs_path, row.name, row.duration])).slice(0, 900),
    );
  await stand(
    "forty rows are there in their order, also those typed without a network",
    (all) => all.map((row) => row.name).join() === ROWS.join(),
  );

  /** Puts the focus on the name of a row, and chooses it with those below it. */
  const focus = async (row, more = 0) => {
    await keys(page, "Escape", "Escape", "Control+Home", `ArrowDown × ${row}`, "Enter", `Shift+ArrowDown × ${more}`);
    await page.waitForFunction(
      ([name, n]) =>
        document.activeElement?.closest(".grid-row")?.querySelector(".cell.name")?.textContent === name &&
        window.document.querySelectorAll(".grid-row.picked:not([hidden])").length >= Math.min(n, 1),
      [ROWS[row + more], more],
    );
  };
  for (const phase of PHASES.keys()) {
    await focus(phase * SIZE + 1, WORK.length - 1);
    await keys(page, "Alt+Shift+ArrowRight");
    await stand(
      `${PHASES[phase]} has its rows`,
      (all) => all.find((row) => row.name === ROWS[phase * SIZE + SIZE - 1])?.wbs_path === `${phase + 1}.${WORK.length}`,
    );
    await keys(page, "Control+F2");
    check(
      `the rows of ${PHASES[phase]} are linked in their order`,
      await until(async () => (await links()) === (phase + 1) * (WORK.length - 1)),
      String(await links()),
    );
    await keys(page, "ArrowRight");
    await page.keyboard.type("5");
    await keys(page, "Enter");
    await stand(
      `one value goes to all rows of ${PHASES[phase]}`,
      (all) => all.filter((row) => row.duration === 5 && !row.is_summary).length === (phase + 1) * WORK.length,
    );
  }
  for (const phase of PHASES.keys()) {
    if (phase === 0) continue;
    await focus(phase * SIZE + 1);
    await keys(page, "Home", "ArrowRight × 6");
    await page.keyboard.type(`${phase}.${WORK.length}`);
    await keys(page, "Enter");
  }
  check("the phases are linked by typed numbers", await until(async () => (await links()) === 34), String(await links()));
  const last = ROWS.at(-1);
  await stand("the plan ends after 175 working days", (all) => all.find((row) => row.name === last)?.early_finish === "2027-09-02");

  await focus(ROWS.length - 1);
  await keys(page, "Shift+F2");
  await page.waitForSelector(".inspector input[type=date]");
  await tabTo(page, ".inspector input[type=date]");
  await page.keyboard.type("07072027");
  await keys(page, "Tab");
  await stand("a deadline is promised", (all) => all.find((row) => row.name === last)?.deadline === "2027-07-07");
  check("the plan says that the promise is broken", await until(() => page.$(".grid-row.broken .cell.name")));
  await shot("deadline-missed");
  await tabTo(page, ".inspector button[aria-label=Close]");
  await keys(page, "Enter");
  await tabTo(page, ".grid .cell, .grid .grid-row");
  for (const phase of [2, 3]) {
    await focus(phase * SIZE + 1, WORK.length - 1);
    await keys(page, "ArrowRight");
    await page.keyboard.type("2");
    await keys(page, "Enter");
    await stand(
      `${PHASES[phase]} is shortened`,
      (all) => all.filter((row) => row.duration === 2 && !row.is_summary).length === (phase - 1) * WORK.length,
    );
  }
  await stand("the deadline holds", (all) => all.find((row) => row.name === last)?.early_finish <= "2027-07-07");
  check("and nothing is broken any more", await until(async () => !(await page.$(".grid-row.broken:not([hidden])"))));

  await tabTo(page, ".tools button", "Columns");
  await keys(page, "Enter");
  for (const column of ["Best case", "Likely", "Worst case"]) {
    await tabTo(page, "label input", column, "ArrowDown");
    await keys(page, "Space");
  }
  await keys(page, "Escape");
  await page.waitForSelector(".grid-head :text('Worst case')");
  await tabTo(page, ".grid .cell, .grid .grid-row");
  await focus(1, WORK.length - 1);
  for (const [at, days] of ["3", "5", "11"].entries()) {
    await keys(page, "End", `ArrowLeft × ${2 - at}`);
    await page.keyboard.type(days);
    await keys(page, "Enter", "ArrowUp");
  }
  await stand(
    "estimates are typed",
    (all) => all.filter((row) => row.optimistic_duration === 3 && row.pessimistic_duration === 11).length === WORK.length,
  );

  await command(page, "Go to Forecast");
  await tabTo(page, "main button", "imulation");
  await context.setOffline(true);
  await keys(page, "Enter");
  check("a simulation without a network fails where it was asked for", await until(() => page.$("main .failure")));
  await context.setOffline(false);
  await tabTo(page, ".failure button", "Retry");
  await keys(page, "Enter");
  await page.waitForSelector(".chance input");
  const run = await call(base, access, "GET", `/projects/${project}/monte-carlo/latest/`);
  check(
    "P80 lies between P50 and P95, after the plan",
    run.cpm_finish < run.p80 && run.p50 <= run.p80 && run.p80 <= run.p95,
    JSON.stringify([run.cpm_finish, run.p50, run.p80, run.p95]),
  );
  const chance = await until(async () => Number.parseFloat((await page.textContent(".chance b").catch(() => "")) ?? ""));
  check("the page says that P80 is met in four of five runs", chance >= 79 && chance <= 90, String(chance));
  await shot("forecast");

  await command(page, "Go to Schedule");
  await page.waitForSelector(".grid-row .cell.name");
  await command(page, "Take a baseline");
  check("a baseline is kept and said", await until(async () => (await page.textContent(".toasts")).includes("Baseline 1")));
  await stand("every task has its promised finish", (all) =>
    all.every((row) => row.is_summary || row.baseline_finish === row.early_finish),
  );
  await shot("schedule");
}
