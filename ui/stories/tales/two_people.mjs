// Two browsers in one plan: an edit of one is seen by the other, and a field that both changed is settled by hand.
import { call, openEditor, openPlan, signIn, token, until } from "../browser.mjs";

export const name = "two people see each other's edits";

export async function run({ page, base, check, open, shot }) {
  const access = await token(base);
  const project = await call(base, access, "POST", "/projects/", { name: "Two people", start_date: "2027-01-04" });
  const task = (body) => call(base, access, "POST", "/tasks/", { project: project.id, ...body });
  const a = await task({ name: "Dig", duration: 3 });
  const b = await task({ name: "Pour", duration: 2 });
  await call(base, access, "POST", "/dependencies/", { predecessor: a.id, successor: b.id });
  const other = await open();
  for (const one of [page, other.page]) {
    await signIn(one, base);
    await openPlan(one, base, project.id, 2);
  }
  const text = (who, id, column) => who.textContent(`.grid-row[data-id='${id}'] .cell.${column}`);
  const type = async (who, value) => {
    await openEditor(who, `.grid-row[data-id='${a.id}'] .cell.duration`);
    await who.keyboard.type(value);
    await who.keyboard.press("Enter");
  };
  await type(page, "8");
  check(
    "the other browser has the new duration",
    await until(async () => (await text(other.page, a.id, "duration")) === "8 d"),
    await text(other.page, a.id, "duration"),
  );
  check(
    "and the new dates of the successor",
    await until(async () => (await text(other.page, b.id, "finish")) === "15 Jan 27"),
    await text(other.page, b.id, "finish"),
  );
  check(
    "both browsers show the same start",
    await until(async () => (await text(other.page, b.id, "start")) === (await text(page, b.id, "start"))),
  );

  await type(other.page, "4");
  await until(async () => (await text(page, a.id, "duration")) === "4 d");
  await page.click(`.grid-row[data-id='${a.id}'] .cell.name`);
  await page.keyboard.press("Control+z");
  await page.waitForSelector(".dialog");
  check("an undo over another person's edit asks", (await page.textContent(".dialog")).includes("Duration"));
  await page.click(".dialog .ends .button:not(.primary)");
  await page.waitForSelector(".dialog", { state: "detached" });
  check("theirs stays", (await call(base, access, "GET", `/tasks/${a.id}/?fields=duration`)).duration === 4);

  await openEditor(page, `.grid-row[data-id='${a.id}'] .cell.duration`);
  await page.keyboard.type("9");
  await type(other.page, "6");
  await until(async () => (await call(base, access, "GET", `/tasks/${a.id}/?fields=duration`)).duration === 6);
  await page.keyboard.press("Enter");
  const note = await page.waitForSelector(".kept-note");
  const [row, box] = [await (await page.$(`.grid-row[data-id='${a.id}']`)).boundingBox(), await note.boundingBox()];
  check("what both changed waits below its row", Math.abs(box.y - row.y - row.height) < 4, `${row.y} ${row.height} ${box.y}`);
  check("and marks its cell", (await page.$(`.grid-row[data-id='${a.id}'] .cell.duration.is-kept`)) !== null);
  await shot("kept-note");
  await note.$("button:has-text('Keep mine')").then((button) => button.click());
  check(
    "mine is kept when it is chosen",
    await until(async () => (await call(base, access, "GET", `/tasks/${a.id}/?fields=duration`)).duration === 9),
  );
  check("and nothing waits any more", await until(async () => (await page.$(".kept-note")) === null));
  await other.close();
}
