// The details of a row follow every change of it, theirs and mine; a choice is undone by key; what somebody may not change
// is not offered.
import { call, GUEST_PASSWORD, joins, openPlan, signIn, token, until } from "../browser.mjs";

export const name = "the details of a row follow it";

const MARK = Date.now() % 1e6;
const MEMBER = `tea${MARK}`;

export async function run({ page, base, check, open }) {
  const access = await token(base);
  await signIn(page, base);
  const project = (await call(base, access, "POST", "/projects/", { name: "Lock gate", start_date: "2027-01-04" })).id;
  const [{ user: me }] = await call(base, access, "GET", `/projects/${project}/members/`);
  const task = await call(base, access, "POST", "/tasks/", {
    project,
    name: "Hang leaves",
    duration: 6,
    constraint_type: "SNET",
    constraint_date: "2027-01-11",
  });
  const now = () => call(base, access, "GET", `/tasks/${task.id}/`);
  const shown = () => page.textContent(".inspector dl");
  await openPlan(page, base, project, 1);
  await page.click(`.grid-row[data-id='${task.id}'] .cell.name`);
  await page.keyboard.press("Shift+F2");
  await page.waitForSelector(".inspector dl");
  check("it shows the duration", (await shown()).includes("6 d"), await shown());
  await call(base, access, "PATCH", `/tasks/${task.id}/`, { duration: 9 });
  check("a change of somebody else is shown", await until(async () => (await shown()).includes("9 d")), await shown());

  const person = page.locator(".inspector label.field", { hasText: "Responsible" }).locator("select");
  await until(async () => (await person.locator("option").count()) > 1);
  await person.selectOption(me);
  check("a person is made responsible", await until(async () => (await now()).assignee === me));
  await person.focus();
  await page.keyboard.press("Control+z");
  check(
    "a key takes it back",
    await until(async () => (await now()).assignee === null && (await person.inputValue()) === ""),
    await person.inputValue(),
  );

  const constraint = page.locator(".inspector label.field", { hasText: "Constraint" }).locator("select");
  await constraint.selectOption("");
  check(
    "without its constraint the row starts earlier",
    await until(async () => (await now()).early_start === "2027-01-04" && !(await shown()).includes("11 January")),
    await shown(),
  );
  await page.keyboard.press("Control+z");
  check(
    "an undo brings the constraint with its date",
    await until(async () => (await now()).constraint_date === "2027-01-11" && (await constraint.inputValue()) === "SNET"),
  );

  for (const [key, where] of [
    ["F6", ".grid"],
    ["F6", ".chart"],
    ["F6", ".inspector"],
    ["Escape", ".chart"],
    ["F6", ".inspector"],
    ["Shift+F2", ".chart"],
  ]) {
    await page.keyboard.press(key);
    await page.waitForFunction((one) => document.activeElement?.closest(one), where);
  }
  check("the keys go to every pane and come back", (await page.$(".inspector")) === null);

  await joins(base, access, project, MEMBER, 100);
  const guest = await open();
  await signIn(guest.page, base, MEMBER, GUEST_PASSWORD);
  await openPlan(guest.page, base, project, 1);
  await guest.page.click(`.grid-row[data-id='${task.id}'] .cell.name`);
  await guest.page.keyboard.press("Shift+F2");
  await guest.page.waitForSelector(".inspector dl");
  const offered = await guest.page.$$eval(".inspector .field select, .inspector .field input[type=date]", (all) =>
    all.filter((one) => !one.disabled).map((one) => one.closest("label").textContent),
  );
  check("a member is not offered what belongs to others", offered.length === 0, offered.join());
  await guest.page.keyboard.press("Alt+Shift+ArrowRight");
  check(
    "and a key says why",
    await until(async () => ((await guest.page.textContent(".toasts").catch(() => "")) ?? "").includes("assigned to you")),
  );
  await guest.close();
}
