// The network is lost in the middle of an edit: what was typed stays, and goes through when the network is back.
// The session ends in the middle of the work, and nobody notices.
import { call, signIn, token } from "./browser.mjs";

export const name = "a lost network and an ended session lose nothing";

export async function run({ page, context, base, check, shot, problems }) {
  const access = await token(base);
  const project = await call(base, access, "POST", "/projects/", { name: `Offline ${Date.now() % 100000}`, start_date: "2027-01-04" });
  const task = await call(base, access, "POST", "/tasks/", { project: project.id, name: "Dig", duration: 3 });
  await signIn(page, base);
  await page.goto(`${base}/projects/${project.id}/schedule?measure`);
  await page.waitForSelector(".grid-row .cell.name");
  await page.waitForTimeout(1200);
  const cell = `.grid-row[data-id='${task.id}'] .cell.name`;
  const stored = async () => (await call(base, access, "GET", `/tasks/${task.id}/?fields=name`)).name;

  await context.setOffline(true);
  await page.dblclick(cell);
  await page.keyboard.type("Dig deeper");
  await page.keyboard.press("Enter");
  await page.waitForTimeout(700);
  check("the row shows what was typed", (await page.textContent(cell)) === "Dig deeper");
  check("the server has the old name", (await stored()) === "Dig");
  await page.waitForSelector(".banner", { timeout: 20_000 });
  check("a banner says that there is no connection", true);
  await shot("offline");
  await context.setOffline(false);
  await page.waitForFunction(() => !document.querySelector(".banner"), null, { timeout: 20_000 });
  await page.waitForTimeout(1200);
  check("the edit goes through by itself", (await stored()) === "Dig deeper", await stored());
  problems.length = 0;

  let refused = 0;
  await page.route("**/api/v1/tasks/**", async (route) => {
    if (route.request().method() === "PATCH" && refused++ === 0) await route.fulfill({ status: 401, json: { detail: "expired", code: "token_not_valid" } });
    else await route.continue();
  });
  await page.dblclick(cell);
  await page.keyboard.type("Dig deepest");
  await page.keyboard.press("Enter");
  await page.waitForTimeout(1000);
  check("an ended session is renewed and the edit sent again", refused === 2 && (await stored()) === "Dig deepest", `${refused} ${await stored()}`);
  check("nobody sees a sign-in page", (await page.$("input[name=password]")) === null);
}
