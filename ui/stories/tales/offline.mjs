// The network is lost in the middle of an edit: what was typed stays, and goes through when the network is back.
// The session ends in the middle of the work, and nobody notices.
import { call, openEditor, openPlan, signIn, token, until } from "../browser.mjs";

export const name = "a lost network and an ended session lose nothing";

export async function run({ page, context, base, check }) {
  const access = await token(base);
  const project = await call(base, access, "POST", "/projects/", { name: "Offline", start_date: "2027-01-04" });
  const task = await call(base, access, "POST", "/tasks/", { project: project.id, name: "Dig", duration: 3 });
  await signIn(page, base);
  await openPlan(page, base, project.id, 1);
  const cell = `.grid-row[data-id='${task.id}'] .cell.name`;
  const stored = async () => (await call(base, access, "GET", `/tasks/${task.id}/?fields=name`)).name;
  const type = async (text) => {
    await openEditor(page, cell);
    await page.keyboard.type(text);
    await page.keyboard.press("Enter");
  };

  await context.setOffline(true);
  await type("Dig deeper");
  check("the row shows what was typed", await until(async () => (await page.textContent(cell)) === "Dig deeper"));
  await page.waitForSelector(".banner");
  check("a banner says that there is no connection", true);
  check("the server has the old name", (await stored()) === "Dig");
  await context.setOffline(false);
  await page.waitForSelector(".banner", { state: "detached" });
  check("the edit goes through by itself", await until(async () => (await stored()) === "Dig deeper"), await stored());

  await page.goto(`${base}/settings?part=calendars`);
  await page.waitForSelector(".setting-part form button");
  await context.setOffline(true);
  await page.waitForSelector(".banner");
  const open = () => page.locator("main button[type=submit]:enabled, main [role=switch]:enabled, main .button.danger:enabled").count();
  check("without a connection nothing that writes can be pressed", await until(async () => (await open()) === 0), String(await open()));
  await page.fill(".setting-part form input", "Night shifts");
  await context.setOffline(false);
  await page.waitForSelector(".banner", { state: "detached" });
  check(
    "what was typed is still there, and can be sent",
    (await page.inputValue(".setting-part form input")) === "Night shifts" && (await until(async () => (await open()) > 0)),
  );
  await openPlan(page, base, project.id, 1);

  let sent = 0;
  await page.route("**/api/v1/tasks/**", async (route) => {
    if (route.request().method() !== "PATCH") return route.continue();
    return sent++ === 0 ? route.fulfill({ status: 401, json: { detail: "expired", code: "token_not_valid" } }) : route.continue();
  });
  await type("Dig deepest");
  check(
    "an ended session is renewed and the edit sent again",
    (await until(async () => (await stored()) === "Dig deepest")) && sent === 2,
    `${sent} ${await stored()}`,
  );
  check("nobody sees a sign-in page", (await page.$("input[name=password]")) === null);
}
