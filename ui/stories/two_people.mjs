// Two browsers in one plan: an edit of one is seen by the other, and a field that both changed is settled by hand.
import { call, signIn, token } from "./browser.mjs";

export const name = "two people see each other's edits";

export async function run({ page, base, check, shot, open }) {
  const access = await token(base);
  const project = await call(base, access, "POST", "/projects/", { name: `Two people ${Date.now() % 100000}`, start_date: "2027-01-04" });
  const task = (body) => call(base, access, "POST", "/tasks/", { project: project.id, ...body });
  const a = await task({ name: "Dig", duration: 3 });
  const b = await task({ name: "Pour", duration: 2 });
  await call(base, access, "POST", "/dependencies/", { predecessor: a.id, successor: b.id });
  const other = await open();
  for (const one of [page, other.page]) {
    await signIn(one, base);
    await one.goto(`${base}/projects/${project.id}/schedule?measure`);
    await one.waitForSelector(".grid-row .cell.name");
    await one.waitForTimeout(1200);
  }
  const text = (who, row, column) => who.evaluate(([at, key]) => document.querySelectorAll(".grid-row:not([hidden])")[at].querySelector(`.cell.${key}`).textContent, [row, column]);
  await page.dblclick(`.grid-row[data-id='${a.id}'] .cell.duration`);
  await page.keyboard.type("8");
  await page.keyboard.press("Enter");
  await page.waitForTimeout(1500);
  check("the other browser has the new duration", (await text(other.page, 0, "duration")) === "8 d", await text(other.page, 0, "duration"));
  check("and the new dates of the successor", (await text(other.page, 1, "start")) === (await text(page, 1, "start")), await text(other.page, 1, "start"));
  check("start and finish belong together", (await text(other.page, 1, "finish")) === "15 Jan 27", await text(other.page, 1, "finish"));

  await other.page.dblclick(`.grid-row[data-id='${a.id}'] .cell.duration`);
  await other.page.keyboard.type("4");
  await other.page.keyboard.press("Enter");
  await other.page.waitForTimeout(1200);
  await page.click(`.grid-row[data-id='${a.id}'] .cell.name`);
  await page.keyboard.press("Control+z");
  await page.waitForSelector(".dialog");
  check("an undo over another person's edit asks", (await page.textContent(".dialog")).includes("duration"));
  await shot("schedule-conflict");
  await page.click(".dialog .ends .button:not(.primary)");
  check("theirs stays", (await call(base, access, "GET", `/tasks/${a.id}/?fields=duration`)).duration === 4);
  await other.close();
}
