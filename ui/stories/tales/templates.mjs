// A plan is published as a template, its name gives the next version, and a new project begins with it. What was brought is
// taken back, except for a row that somebody changed. A viewer is not offered any of it.
import { call, command, GUEST_PASSWORD, joins, signIn, token, until } from "../browser.mjs";

export const name = "a plan is published as a template, used, and taken back";

const MARK = Date.now() % 1e6;
const PLAN = `Footbridge ${MARK}`;
const VIEWER = `iva${MARK}`;

export async function run({ page, base, check, shot, open }) {
  const access = await token(base);
  await signIn(page, base);
  const project = (await call(base, access, "POST", "/projects/", { name: PLAN, start_date: "2027-01-04" })).id;
  const made = {};
  for (const one of ["Dig", "Pour", "Cure"])
    made[one] = (await call(base, access, "POST", "/tasks/", { project, name: one, duration: 2 })).id;
  for (const [predecessor, successor] of [
    ["Dig", "Pour"],
    ["Pour", "Cure"],
  ])
    await call(base, access, "POST", "/dependencies/", { predecessor: made[predecessor], successor: made[successor] });
  const text = async (selector) => (await page.textContent(selector, { timeout: 2000 }).catch(() => "")) ?? "";
  const card = `.template-card:has(h2:text-is("${PLAN}"))`;

  const publish = async () => {
    await page.goto(`${base}/projects/${project}/settings`);
    await page.click('main button:has-text("Publish as a template")');
    await page.waitForSelector(".dialog .template-holds");
  };
  await publish();
  check("the project that one came from is chosen", (await page.inputValue(".dialog select")) === project);
  check(
    "it says what the template holds",
    (await text(".template-holds")).includes("3 rows · 2 links · durations"),
    await text(".template-holds"),
  );
  check("and what is left out", (await text(".template-holds")).includes("Dates, people, estimates and progress"));
  check("it has the name of the project", (await page.inputValue(".dialog input")) === PLAN);
  await page.fill(".dialog textarea", "For small bridges.");
  await shot("templates-publish");
  await page.click(".dialog button[type=submit]");
  check("the template is in the gallery", await until(() => page.$(card)));
  check(
    "with its version, its holdings and its origin",
    await until(async () =>
      /Version 1.*For everybody.*For small bridges.*3 rows · 2 links.*Published by.*Made of the project/s.test(await text(card)),
    ),
    await text(card),
  );

  await publish();
  await page.click(".dialog button[type=submit]");
  check(
    "a name that is taken offers the next version",
    await until(async () => (await text(".dialog button[type=submit]")) === "Publish as version 2"),
  );
  check("and says so", (await text(".template-taken")).includes("in version 1"));
  check("the keyboard stays in the dialog", await until(() => page.evaluate(() => document.activeElement?.closest(".dialog") !== null)));
  await page.fill(".dialog input", `${PLAN} wide`);
  check("another name is published by itself", (await text(".dialog button[type=submit]")) === "Publish");
  await page.fill(".dialog input", PLAN);
  await page.click(".dialog button[type=submit]");
  await until(async () => (await text(".dialog button[type=submit]")) === "Publish as version 2");
  await page.click(".dialog button[type=submit]");
  check(
    "the next version takes the place of the first",
    await until(async () => (await page.locator(card).count()) === 1 && (await text(card)).includes("Version 2")),
  );
  await page.check(".template-filter input[type=checkbox]");
  check("older versions are shown and marked", await until(async () => (await page.locator(`${card} .chip.warn`).count()) === 1));
  await page.uncheck(".template-filter input[type=checkbox]");
  await page.fill(".template-filter input[type=search]", "nothing has this name");
  check("a search that finds nothing says so", await until(async () => (await text("main")).includes("No template fits.")));
  await page.fill(".template-filter input[type=search]", PLAN);
  check(
    "a search finds it, and stands in the address",
    await until(async () => (await page.locator(".template-card").count()) === 1 && new URL(page.url()).searchParams.get("find") === PLAN),
  );

  const program = (await call(base, access, "POST", "/programs/", { name: `Paths ${MARK}` })).id;
  const inside = (await call(base, access, "POST", "/projects/", { name: `Ramp ${MARK}`, start_date: "2027-01-04", program })).id;
  await page.goto(`${base}/templates?publish=${inside}`);
  check(
    "a project without rows cannot be a template, and says why",
    (await until(async () => (await text(".dialog .is-bad")).includes("no tasks"))) &&
      (await page.isDisabled(".dialog button[type=submit]")),
  );
  await call(base, access, "POST", "/tasks/", { project: inside, name: "Pave", duration: 1 });
  await page.reload();
  await page.waitForSelector(".dialog .template-holds");
  await page.selectOption(".dialog select >> nth=1", "program");
  await page.click(".dialog button[type=submit]");
  check(
    "a template can be for a program",
    await until(async () => (await text(`.template-card:has(h2:text-is("Ramp ${MARK}"))`)).includes(`For the program “Paths ${MARK}”`)),
  );

  await page.goto(`${base}/`);
  await command(page, "Go to Templates");
  await page.click(`${card} button:not(:disabled)`);
  await page.fill(".dialog input:not([type=date])", `${PLAN} again`);
  await page.fill(".dialog input[type=date]", "2027-03-01");
  await page.click(".dialog button[type=submit]");
  check("it says where the rows came in", await until(async () => (await text(".dialog h3")).includes(`${PLAN} again`)));
  check("and how many", /Tasks3.*Links2/.test(await text(".dialog .figures")), await text(".dialog .figures"));
  check("the heading has the focus", await page.evaluate(() => document.activeElement?.matches(".dialog h3")));
  await shot("templates-used");
  await page.click(".dialog a.primary");
  check("the schedule has the rows", await until(async () => (await page.locator(".grid-row:not([hidden])").count()) === 3));
  const copy = new URL(page.url()).pathname.split("/")[2];
  const rows = async () => (await call(base, access, "GET", `/tasks/?project=${copy}&ordering=wbs_path`)).results;
  const [first] = await rows();
  check("the first begins with the project", first.early_start === "2027-03-01", first.early_start);
  await call(base, access, "PATCH", `/tasks/${first.id}/`, { name: "Dig deeper" });

  await page.goto(`${base}/templates`);
  const line = `.template-uses li:has-text("${PLAN} again")`;
  await page.click(`${line} button`);
  await page.click(".dialog button.primary");
  check(
    "taking it back says what stays",
    await until(async () => (await text(".toasts")).includes("2 rows were deleted. 1 row stays")),
    await text(".toasts"),
  );
  check(
    "the line says so",
    await until(async () => (await text(line)).includes("Taken back") && (await page.$(`${line} button`)) === null),
  );
  const left = await rows();
  check(
    "the row that was changed is there",
    left.length === 1 && left[0].name === "Dig deeper",
    JSON.stringify(left.map((one) => one.name)),
  );

  const empty = (await call(base, access, "POST", "/projects/", { name: `${PLAN} empty`, start_date: "2027-01-04" })).id;
  await page.goto(`${base}/projects/${empty}/schedule`);
  await page.click('.empty-plan a[href^="/templates"]');
  await page.click(`${card} button:not(:disabled)`);
  check("an empty plan is where its template goes", (await page.inputValue(".dialog select")) === empty);
  await page.click(".dialog button[type=submit]");
  await page.click('.dialog button:has-text("Take it back")');
  check("it can be taken back at once", await until(async () => (await text(".dialog h3")) === "3 rows were deleted."));
  await page.keyboard.press("Escape");
  check("a key closes the dialog", await until(async () => (await page.$(".dialog")) === null));

  await asViewer({ base, access, project, check, open, card });
}

/** Somebody who may only look at the project. */
async function asViewer({ base, access, project, check, open, card }) {
  await joins(base, access, project, VIEWER, 1);
  const guest = await open();
  await signIn(guest.page, base, VIEWER, GUEST_PASSWORD);
  await guest.page.goto(`${base}/projects/${project}/settings`);
  await guest.page.waitForSelector('main button:has-text("Publish as a template")');
  check("a viewer is not offered publishing", await guest.page.isDisabled('main button:has-text("Publish as a template")'));
  await guest.page.goto(`${base}/templates?publish=${project}`);
  check(
    "not even by the address",
    await until(
      async () =>
        ((await guest.page.textContent(".dialog").catch(() => "")) ?? "").includes("Project Manager") &&
        (await guest.page.$(".dialog button[type=submit]")) === null,
    ),
  );
  await guest.page.keyboard.press("Escape");
  await guest.page.click(`${card} button:not(:disabled)`);
  const offered = await guest.page.$$eval(".dialog select option", (all) => all.map((one) => one.value));
  check("and can use a template in a new project only", offered.length === 1 && offered[0] === "", offered.join());
  await guest.close();
}
