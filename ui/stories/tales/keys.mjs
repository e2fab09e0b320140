// The keys never go astray: what is undone, hidden or deleted leaves them in the plan; and on a phone Back closes what covers it.
import { call, openPlan, signIn, token, until } from "../browser.mjs";

export const name = "the keys stay in the plan";

export async function run({ page, base, check, open }) {
  const access = await token(base);
  await signIn(page, base);
  const project = (await call(base, access, "POST", "/projects/", { name: "Weir", start_date: "2027-01-04" })).id;
  const [dig, pour] = [
    await call(base, access, "POST", "/tasks/", { project, name: "Dig", duration: 2 }),
    await call(base, access, "POST", "/tasks/", { project, name: "Pour", duration: 2 }),
  ];
  await call(base, access, "POST", "/dependencies/", { predecessor: dig.id, successor: pour.id });
  const names = async () =>
    (await call(base, access, "GET", `/tasks/?project=${project}&ordering=wbs_path`)).results.map((one) => one.name).join();
  const inGrid = () => page.evaluate(() => Boolean(document.activeElement?.closest(".grid")));
  const cell = (task, column) => `.grid-row[data-id='${task.id}'] .cell[data-col='${column}']`;
  await openPlan(page, base, project, 2);

  await page.click(`.grid-row[data-id='${pour.id}'] .cell.name`);
  for (const one of ["Cure", "Strike"]) {
    await page.keyboard.press("Control+Enter");
    await page.waitForSelector(".cell-editor");
    await page.keyboard.type(one);
    await page.keyboard.press("Tab");
    await until(async () => (await names()).endsWith(one));
  }
  check("two rows are made", (await names()) === "Dig,Pour,Cure,Strike", await names());
  for (const left of ["Dig,Pour,Cure", "Dig,Pour"]) {
    await page.keyboard.press("Control+z");
    check(`one after the other is undone: ${left}`, await until(async () => (await names()) === left), await names());
    check("and the keys stay in the grid", await until(inGrid));
  }
  await page.keyboard.press("Control+y");
  check("and are redone", await until(async () => (await names()) === "Dig,Pour,Cure"), await names());

  const predecessors = await page.$eval(
    `.grid-row[data-id='${pour.id}']`,
    (row) =>
      [...row.querySelectorAll(".cell")].find((one) => one.textContent === "1")?.dataset.col ??
      [...row.querySelectorAll(".cell")].find((one) => /^1/.test(one.textContent) && one.dataset.col > 4)?.dataset.col,
  );
  await page.click(cell(pour, predecessors));
  await page.keyboard.press("Delete");
  check(
    "Delete empties a cell of links and leaves the row",
    (await until(async () => (await call(base, access, "GET", `/dependencies/?project=${project}`)).count === 0)) &&
      (await names()) === "Dig,Pour,Cure",
    await names(),
  );

  await page.goto(`${base}/projects/${project}/schedule?find=Pour`);
  await page.click(`.grid-row[data-id='${pour.id}'] .cell.name`);
  await page.keyboard.press("Insert");
  await page.waitForSelector(".cell-editor");
  check("a new row shows the rows that a filter hid", Boolean(await until(() => page.$(`.grid-row[data-id='${dig.id}']`))));
  await page.keyboard.type("Shield");
  await page.keyboard.press("Tab");
  check("and its name is its own", await until(async () => (await names()) === "Dig,Shield,Pour,Cure"), await names());
  await page.click('.toasts button:has-text("Back to the view before")');
  check("the filter comes back", await until(async () => (await page.locator(".grid-row:not([hidden])").count()) === 1));

  await call(base, access, "PATCH", `/tasks/${dig.id}/`, { percent_complete: 40, actual_start: "2026-11-02", duration: 10 });
  await page.goto(`${base}/projects/${project}/schedule`);
  const finish = await page.waitForSelector(`.grid-row[data-id='${dig.id}'] .cell[data-col='4']`);
  await finish.dblclick();
  const wish = (await call(base, access, "GET", `/tasks/${dig.id}/`)).early_finish;
  const later = new Date(Date.parse(wish) + 7 * 86_400_000).toISOString().slice(0, 10);
  await page.keyboard.press("Control+a");
  await page.keyboard.type(later);
  await page.keyboard.press("Enter");
  const ends = async () => (await call(base, access, "GET", `/tasks/${dig.id}/`)).early_finish;
  check(
    "a finish typed for work under way is its finish",
    await until(async () => (await ends()) === later, 20_000),
    `${await ends()} for ${later}`,
  );

  const start = () => call(base, access, "GET", `/projects/${project}/`).then((one) => one.start_date);
  await page.goto(`${base}/projects/${project}/schedule?measure`);
  await page.click(cell(pour, 3));
  await page.keyboard.press("F2");
  await page.waitForSelector(".cell-editor");
  await page.keyboard.press("Control+a");
  await page.keyboard.type("2026-12-14");
  await page.keyboard.press("Enter");
  check(
    "a start before the project takes its start along, and says so",
    (await until(async () => (await start()) === "2026-12-14")) &&
      (await until(async () => /project starts on/.test(await page.textContent(".toasts")))),
    await start(),
  );
  await page.keyboard.press("Control+z");
  check(
    "an undo brings both back",
    await until(
      async () => (await start()) === "2027-01-04" && (await call(base, access, "GET", `/tasks/${pour.id}/`)).planned_start === null,
    ),
    await start(),
  );

  const phone = await open({ width: 375, height: 812, touch: true });
  await signIn(phone.page, base);
  await phone.page.goto(`${base}/projects/${project}/schedule`);
  await phone.page.click('.phone-mode button:has-text("Pour")');
  await phone.page.waitForSelector(".inspector");
  await phone.page.goBack();
  await phone.page.waitForSelector(".inspector", { state: "detached" });
  check(
    "on a phone Back closes the details and stays on the plan",
    phone.page.url().endsWith(`/projects/${project}/schedule`),
    phone.page.url(),
  );
  await phone.close();
}
