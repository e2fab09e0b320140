// The palette finds rows on the page that is open, ids, people and commands; typed text is not lost on the way.
import { call, command, openPlan, signIn, token, until } from "../browser.mjs";

export const name = "the palette leads to rows, ids and commands, and typed text stays";

export async function run({ page, base, check }) {
  const access = await token(base);
  const project = await call(base, access, "POST", "/projects/", { name: "Palette", code: "PAL", start_date: "2027-01-04" });
  const tasks = [];
  for (let at = 1; at <= 60; at++)
    tasks.push(await call(base, access, "POST", "/tasks/", { project: project.id, name: `Stone ${at}`, duration: 2 }));
  await signIn(page, base);
  await openPlan(page, base, project.id, 60);
  const find = async (text) => {
    await page.keyboard.press("Control+k");
    await page.waitForSelector(".palette input");
    await page.keyboard.type(text);
  };
  const chosen = (text) =>
    page.waitForFunction((wish) => document.querySelector(".palette-item[aria-selected=true]")?.textContent.includes(wish), text);

  // The palette is loaded when it is first opened; what is typed meanwhile is for it, and not for the cell below.
  await page.route(/assets\/palette/, async (route) => {
    await new Promise((done) => setTimeout(done, 400));
    await route.continue();
  });
  await page.click('.grid-row:has-text("Stone 3") .name');
  await page.keyboard.press("Control+k");
  await page.keyboard.type("PAL-7");
  await page.waitForSelector(".palette input");
  check(
    "keys that come before the palette are held for it",
    (await until(async () => (await page.inputValue(".palette input")) === "PAL-7")) && !(await page.$(".cell-editor")),
  );
  await page.keyboard.press("Escape");

  await find("PAL-55");
  await chosen("Stone 55");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.activeElement?.closest(".grid-row")?.textContent.includes("Stone 55"));
  check(
    "an id leads to its row on the schedule that is open, and the keys stay there",
    (await page.textContent(".inspector h2")) === "Stone 55",
  );
  await page.keyboard.press("ArrowUp");
  await page.waitForFunction(() => document.activeElement?.closest(".grid-row")?.textContent.includes("Stone 54"));

  await find("simulation");
  await chosen("Forecast");
  await page.keyboard.press("Enter");
  await page.waitForURL(/forecast/);
  check("another word finds the forecast", true);
  await find("kanban");
  await chosen("Board");
  await page.keyboard.press("Enter");
  await page.fill(".board-add input >> nth=0", "Half a card");
  await find("stone 7");
  await chosen("Stone 7");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.activeElement?.closest(".board-panel") && document.activeElement.value === "Stone 7");
  check("a row opens as a card on the board", true);

  await command(page, "New project");
  await page.waitForSelector(".dialog input");
  await page.keyboard.type("Half a name");
  await page.keyboard.press("Escape");
  await page.waitForSelector(".dialog .danger");
  await page.keyboard.press("Escape");
  check("a dialog with typed text asks before it closes", (await page.inputValue(".dialog input")) === "Half a name");
  for (const one of await call(base, access, "GET", "/me/sessions/").then((list) => list.results ?? list))
    if (!one.is_current) await call(base, access, "DELETE", `/me/sessions/${one.id}/`);
  // The page may hear of it before the button is pressed: then it is away already.
  await page.evaluate(() => document.querySelector(".sign") ?? document.querySelector(".dialog [type=submit]").click());
  await page.waitForSelector(".sign .why");
  check("a session that was ended elsewhere says so", (await page.inputValue(".sign [name=username]")) === "admin");
  await page.fill(".sign [name=password]", process.env.PLANWRIGHT_STORY_PASSWORD ?? "planwright-demo");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".sign", { state: "detached" });
  check("and the page goes on with what was typed", (await page.inputValue(".dialog input")) === "Half a name");
  const before = page.url();
  await page.goBack();
  await page.waitForSelector(".dialog .danger");
  check(
    "Back asks before a dialog with typed text is left",
    page.url() === before && (await page.inputValue(".dialog input")) === "Half a name",
  );
  await page.keyboard.press("Escape");
  await page.waitForSelector(".dialog .danger", { state: "detached" });
  await page.goBack();
  await page.click(".dialog .danger");
  await page.waitForSelector(".board-add input");
  check("a card that was not sent is still there", (await page.inputValue(".board-add input >> nth=0")) === "Half a card");

  const card = `${base}/projects/${project.id}/board?task=${tasks[8].id}`;
  const notes = ".board-panel label:has-text('Notes') textarea";
  await page.goto(card);
  await page.route("**/api/v1/tasks/*/", (route) =>
    route.request().method() === "PATCH" ? route.fulfill({ status: 403, json: { detail: "Not now." } }) : route.fallback(),
  );
  await page.fill(notes, "Half a note");
  await page.keyboard.press("Tab");
  await page.waitForSelector(".board-panel .failure");
  await page.goto(`${base}/projects/${project.id}/risks`);
  await page.unroute("**/api/v1/tasks/*/");
  await page.goto(card);
  check("a note that was not saved is there again", await until(async () => (await page.inputValue(notes)) === "Half a note"));
  check("and is saved now", await until(async () => (await call(base, access, "GET", `/tasks/${tasks[8].id}/`)).notes === "Half a note"));

  const empty = await call(base, access, "POST", "/projects/", { name: "Empty", start_date: "2027-01-04" });
  await page.goto(`${base}/projects/${empty.id}/schedule`);
  await page.waitForFunction(() => document.activeElement?.closest(".empty-plan"));
  await page.keyboard.type("Design");
  await page.keyboard.press("Enter");
  check(
    "a name typed into an empty plan is its first row",
    await until(async () => (await call(base, access, "GET", `/tasks/?project=${empty.id}`)).results[0]?.name === "Design"),
  );

  await call(base, access, "POST", "/me/api-tokens/", { name: "Script", scopes: ["legacy:full"] });
  await page.goto(`${base}/settings?part=tokens`);
  await page.press('li:has-text("Script") .danger', "Enter");
  await page.waitForSelector(".dialog");
  await page.keyboard.press("Enter");
  await page.waitForSelector('li:has-text("Script")', { state: "detached" });
  check(
    "after a row is removed the keys are where it stood",
    await until(() =>
      page.evaluate(() => document.activeElement !== document.body && document.querySelector("main").contains(document.activeElement)),
    ),
  );
}
