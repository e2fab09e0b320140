// What is refused leaves everything as it was and says why; the keyboard is never lost.
import { call, keys, openEditor, signIn, token, until } from "../browser.mjs";

export const name = "what is refused stays as it was and says why";

export async function run({ page, base, check }) {
  const access = await token(base);
  await signIn(page, base);
  const project = (await call(base, access, "POST", "/projects/", { name: "Quay wall", start_date: "2027-01-04" })).id;
  await page.goto(`${base}/projects/${project}/schedule`);
  await page.waitForSelector(".empty-plan");
  check(
    "the title names the page and the project",
    await until(async () => (await page.title()) === "Schedule · Quay wall – planwright"),
    await page.title(),
  );
  await page.waitForFunction(() => document.activeElement?.closest(".empty-plan"));
  await keys(page, "Insert");
  await page.waitForSelector(".cell-editor");
  await page.keyboard.type("Only");
  await keys(page, "Enter", "Escape");
  const rows = async () =>
    (await call(base, access, "GET", `/tasks/?project=${project}&ordering=wbs_path&fields=id,name,wbs_path`)).results;
  check("the key of the empty plan makes the first row", await until(async () => (await rows()).length === 1));
  await page.waitForFunction(() => document.activeElement?.closest(".grid-row"));
  await keys(page, "Delete");
  await page.waitForSelector(".empty-plan");
  check("the last row is deleted", await until(async () => (await rows()).length === 0));
  await page.waitForFunction(() => document.activeElement?.closest(".empty-plan"));
  await keys(page, "Control+z");
  check("and a key brings it back", await until(async () => (await rows()).length === 1));

  const made = {};
  for (const one of ["Dig", "Pour", "Cure"])
    made[one] = (await call(base, access, "POST", "/tasks/", { project, name: one, duration: 2 })).id;
  for (const [predecessor, successor] of [
    ["Dig", "Pour"],
    ["Pour", "Cure"],
  ])
    await call(base, access, "POST", "/dependencies/", { predecessor: made[predecessor], successor: made[successor] });
  await page.goto(`${base}/projects/${project}/schedule`);
  await page.waitForSelector(".grid-row");
  const cell = (row, column) => `.grid-row[data-id="${made[row]}"] .cell[data-col="${column}"]`;
  const links = async () =>
    (await call(base, access, "GET", `/dependencies/?project=${project}`)).results.map((one) => one.predecessor_name ?? one.predecessor)
      .length;
  await openEditor(page, cell("Cure", 6));
  await page.waitForSelector(".cell-editor");
  await page.keyboard.press("Control+a");
  await page.keyboard.type("4");
  await keys(page, "Enter");
  check(
    "a circle is named below the cell",
    await until(async () => ((await page.$eval(".cell-note.is-wrong", (note) => note.textContent).catch(() => "")) ?? "").includes("Cure")),
  );
  check("what was typed is still there", (await page.inputValue(".cell-editor")) === "4");
  check("the links that were there are there", (await links()) === 2, String(await links()));
  await keys(page, "Escape");
  await openEditor(page, cell("Dig", 5));
  await page.waitForSelector(".cell-editor");
  await page.keyboard.press("Control+a");
  await page.keyboard.type("150");
  await keys(page, "Enter");
  check(
    "a percentage above 100 is refused in words",
    await until(async () =>
      ((await page.$eval(".cell-note.is-wrong", (note) => note.textContent).catch(() => "")) ?? "").includes("0 to 100"),
    ),
  );
  await keys(page, "Escape");

  await page.click(cell("Cure", 1));
  await keys(page, "Delete");
  check("the last of several rows is deleted", await until(async () => (await rows()).every((row) => row.name !== "Cure")));
  check(
    "and the focus stays in the grid",
    await until(() => page.evaluate(() => document.activeElement?.closest(".grid-row")?.textContent?.includes("Pour"))),
    await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 80)),
  );
  await keys(page, "Control+z");
  check("so that a key brings it back", await until(async () => (await rows()).some((row) => row.name === "Cure")));

  await page.fill(".tool-search", "Pour");
  check("a filter stands in the address", await until(() => new URL(page.url()).searchParams.get("find") === "Pour"), page.url());
  await page.click('a[href$="/board"]');
  await page.waitForSelector(".board");
  await page.click('a[href$="/schedule"]');
  await page.waitForSelector(".grid-row");
  check(
    "and is there again after another page",
    await until(
      async () => (await page.locator(".grid-row:not([hidden])").count()) === 1 && (await page.inputValue(".tool-search")) === "Pour",
    ),
  );

  await page.goto(`${base}/projects/00000000-0000-4000-8000-000000000000/schedule`);
  check(
    "a project that is not there has a page that says so",
    await until(async () => (await page.$("main .lost")) !== null && (await page.$(".failure")) === null),
  );
}
