// The palette finds rows on the page that is open, ids, people and commands; typed text is not lost on the way.
import { call, command, openPlan, signIn, token } from "../browser.mjs";

export const name = "the palette leads to rows, ids and commands, and typed text stays";

export async function run({ page, base, check }) {
  const access = await token(base);
  const project = await call(base, access, "POST", "/projects/", { name: "Palette", code: "PAL", start_date: "2027-01-04" });
  const tasks = [];
  for (let at = 1; at <= 60; at++) tasks.push(await call(base, access, "POST", "/tasks/", { project: project.id, name: `Stone ${at}`, duration: 2 }));
  await signIn(page, base);
  await openPlan(page, base, project.id, 60);
  const find = async (text) => {
    await page.keyboard.press("Control+k");
    await page.waitForSelector(".palette input");
    await page.keyboard.type(text);
  };
  const chosen = (text) => page.waitForFunction((wish) => document.querySelector(".palette-item[aria-selected=true]")?.textContent.includes(wish), text);

  await find("PAL-55");
  await chosen("Stone 55");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.activeElement?.closest(".grid-row")?.textContent.includes("Stone 55"));
  check("an id leads to its row on the schedule that is open, and the keys stay there", (await page.textContent(".inspector h2")) === "Stone 55");
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
  for (const one of await call(base, access, "GET", "/me/sessions/").then((list) => list.results ?? list)) if (!one.is_current) await call(base, access, "DELETE", `/me/sessions/${one.id}/`);
  // The page may hear of it before the button is pressed: then it is away already.
  await page.evaluate(() => document.querySelector(".sign") ?? document.querySelector(".dialog [type=submit]").click());
  await page.waitForSelector(".sign .why");
  check("a session that was ended elsewhere says so", (await page.inputValue(".sign [name=username]")) === "admin");
  await page.fill(".sign [name=password]", process.env.PLANWRIGHT_STORY_PASSWORD ?? "planwright-demo");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".sign", { state: "detached" });
  check("and the page goes on with what was typed", (await page.inputValue(".dialog input")) === "Half a name");
  await page.click(".dialog .ends .button:not(.primary)");
  await page.goBack();
  await page.waitForSelector(".board-add input");
  check("a card that was not sent is still there", (await page.inputValue(".board-add input >> nth=0")) === "Half a card");
}
