// Two people of different names in one project: each sees where the other is in the plan, and a text that both write is settled by
// hand. Whoever may not follow the plan is told so.
import { call, GUEST_PASSWORD, joins, openPlan, signIn, token, until } from "../browser.mjs";

export const name = "two people see where the other is, and no text is overwritten";

export async function run({ page, base, check, open, shot }) {
  const access = await token(base);
  const project = await call(base, access, "POST", "/projects/", { name: "Together", start_date: "2027-01-04" });
  const dig = await call(base, access, "POST", "/tasks/", { project: project.id, name: "Dig", duration: 3 });
  const pour = await call(base, access, "POST", "/tasks/", { project: project.id, name: "Pour", duration: 2 });
  for (const [who, role] of [
    ["vera", 300],
    ["vito", 1],
  ])
    await joins(base, access, project.id, who, role);
  await signIn(page, base);
  await openPlan(page, base, project.id, 2);
  await page.click(`.grid-row[data-id='${dig.id}'] .cell.name`);
  const vera = await open();
  await signIn(vera.page, base, "vera", GUEST_PASSWORD);
  await openPlan(vera.page, base, project.id, 2);
  const visitors = (who, task) => who.getAttribute(`.grid-row[data-id='${task.id}']`, "data-visitors");
  check(
    "who comes later sees who was there, and in which row",
    await until(async () => (await visitors(vera.page, dig)) === "admin"),
    await visitors(vera.page, dig),
  );
  await vera.page.click(`.grid-row[data-id='${pour.id}'] .cell.name`);
  check(
    "who was there sees the row of who came",
    await until(async () => (await visitors(page, pour)) === "vera"),
    await visitors(page, pour),
  );
  await vera.page.keyboard.press("F2");
  check("and the cell that is being edited", await until(() => page.$(`.grid-row[data-id='${pour.id}'] .cell.name.is-theirs`)));
  await shot("where-the-other-is");
  await vera.page.keyboard.press("Escape");

  const notes = async (who) => {
    await who.goto(`${base}/projects/${project.id}/board?task=${dig.id}`);
    return who.waitForSelector(".board-panel label:has-text('Notes') textarea");
  };
  const [mine, theirs] = [await notes(page), await notes(vera.page)];
  await mine.fill("The ground is wet.");
  await theirs.fill("The ground is dry.");
  await theirs.evaluate((field) => field.blur());
  await until(async () => (await call(base, access, "GET", `/tasks/${dig.id}/?fields=notes`)).notes === "The ground is dry.");
  await mine.evaluate((field) => field.blur());
  const both = await page.waitForSelector(".both-texts");
  check(
    "a text that both wrote shows both",
    (await both.textContent()).includes("The ground is dry.") && (await mine.inputValue()) === "The ground is wet.",
  );
  check("and overwrites nothing", (await call(base, access, "GET", `/tasks/${dig.id}/?fields=notes`)).notes === "The ground is dry.");
  await page.click(".both-texts button:has-text('Keep mine')");
  check(
    "until one of them is chosen",
    await until(async () => (await call(base, access, "GET", `/tasks/${dig.id}/?fields=notes`)).notes === "The ground is wet."),
  );
  await vera.close();

  const status = async (wish) => {
    if (wish) await call(base, access, "PATCH", `/tasks/${pour.id}/`, { status: wish });
    return (await call(base, access, "GET", `/tasks/${pour.id}/?fields=status`)).status;
  };
  await page.goto(`${base}/projects/${project.id}/board`);
  await page.focus(`.board [data-task='${pour.id}']`);
  for (const key of ["m", "ArrowRight", "Enter"]) await page.keyboard.press(key);
  check("a card is moved by keys", await until(async () => (await status()) === "IN_PROGRESS"), await status());
  check("and keeps the keys", await until(() => page.evaluate((id) => document.activeElement?.getAttribute("data-task") === id, pour.id)));
  await page.waitForSelector(".toast button:has-text('Undo')");
  await status("ON_HOLD");
  await page.keyboard.press("Control+z");
  await page.waitForSelector(".dialog .danger");
  await page.keyboard.press("Escape");
  check("an undo over another change asks first", (await status()) === "ON_HOLD");

  const named = async () => (await call(base, access, "GET", `/projects/${project.id}/`)).name;
  const rename = (name) => call(base, access, "PATCH", `/projects/${project.id}/`, { name });
  await page.goto(`${base}/projects/${project.id}/settings`);
  const field = await page.waitForSelector("label:has-text('Name') input");
  await page.waitForFunction(() => window.socketsOpened > 0);
  await rename("Together at last");
  check(
    "a name that somebody else gives is shown",
    await until(async () => (await field.inputValue()) === "Together at last"),
    await field.inputValue(),
  );
  await field.fill("Mine");
  await rename("Theirs");
  await field.press("Enter");
  await page.waitForSelector(".both-texts");
  check("and is not overwritten", (await named()) === "Theirs" && (await field.inputValue()) === "Mine");
  await page.click(".both-texts button:has-text('Use theirs')");
  check("until one of them is chosen", await until(async () => (await field.inputValue()) === "Theirs"));

  const vito = await open();
  await signIn(vito.page, base, "vito", GUEST_PASSWORD);
  await vito.page.goto(`${base}/projects/${project.id}/schedule`);
  check(
    "whoever may not follow the plan is told so",
    await until(async () => (await vito.page.textContent(".foot")).includes("every minute")),
    await vito.page.textContent(".foot"),
  );
  await vito.close();
}
