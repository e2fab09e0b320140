// A team runs a sprint: it is planned, begun, worked on at the board, and closed. The network is lost on the way.
import { call, signIn, token, until } from "../browser.mjs";

export const name = "a team runs a sprint from its plan to its end";

const WORK = ["Log in", "List of notes", "Write a note", "Share a note", "Search", "Trash"];

export async function run({ page, context, base, check, shot }) {
  const access = await token(base);
  const project = await call(base, access, "POST", "/projects/", { name: "Notes", start_date: "2027-01-04", methodology: "HYBRID" });
  for (const name of WORK) await call(base, access, "POST", "/tasks/", { project: project.id, name, duration: 2 });
  const tasks = async () => (await call(base, access, "GET", `/tasks/?project=${project.id}&fields=name,status,sprint`)).results;
  const task = async (name) => (await tasks()).find((one) => one.name === name);
  const sprints = async () => (await call(base, access, "GET", `/projects/${project.id}/sprints/`)).results;
  await signIn(page, base);

  await page.goto(`${base}/projects/${project.id}/sprint`);
  await page.click("main button:has-text('New sprint')");
  await page.waitForSelector(".dialog input");
  await page.fill(".dialog label:has-text('Goal') input, .dialog .field:has-text('Goal') input", "Notes can be shared");
  await context.setOffline(true);
  await page.click(".dialog button[type=submit]");
  await page.waitForSelector(".dialog .failure");
  check(
    "without a network the dialog keeps what was typed",
    (await page.$$eval(".dialog input", (all) => all.map((one) => one.value))).includes("Notes can be shared"),
  );
  await context.setOffline(false);
  await page.click(".dialog .failure button");
  check("the sprint is made when the network is back", await until(async () => (await sprints())[0]?.goal === "Notes can be shared"));
  await page.waitForSelector(".dialog", { state: "detached" });

  for (const name of WORK.slice(0, 4)) {
    await page.click(`button[aria-label="Put ${name} into the sprint"]`);
    check(`${name} is planned`, await until(async () => (await task(name)).sprint !== null));
  }
  await page.click("main button:has-text('Start the sprint')");
  await page.click(".dialog .primary");
  check("the sprint begins", await until(async () => (await sprints())[0].state === "ACTIVE"));
  await page.waitForSelector("main button:has-text('Close the sprint')");
  await shot("sprint");

  await page.goto(`${base}/projects/${project.id}/board`);
  const card = (name) => `.board-card:has-text("${name}")`;
  const column = (status) => `[data-column=${status}]`;
  /** Carries a card by pointer. A lift that something moves from under the pointer is tried again, after `again`. */
  const carry = async (name, status, again = () => undefined) => {
    const lifted = async () => {
      // This waits until the card stands still and nothing covers it.
      await page.hover(card(name), { position: { x: 40, y: 20 } });
      await page.mouse.down();
      const to = await (await page.waitForSelector(column(status))).boundingBox();
      await page.mouse.move(to.x + 50, to.y + 50, { steps: 3 });
      await page.mouse.move(to.x + 60, to.y + 60, { steps: 6 });
      const mark = await page.waitForSelector(`${column(status)} .board-mark`, { timeout: 3000 }).catch(() => null);
      if (mark) return mark;
      await page.mouse.up();
      await again();
      return null;
    };
    if (!(await until(lifted))) throw new Error(`${name} is not lifted; the banner ${(await page.$(".banner")) ? "is" : "is not"} there`);
    await page.mouse.up();
  };
  /** The network is back for a moment: ten seconds without it, and no card can be lifted. */
  const losesItAgain = async () => {
    const answered = page.waitForResponse((response) => response.url().endsWith("/health/") && response.ok());
    await context.setOffline(false);
    await answered;
    await page.waitForSelector(".banner", { state: "detached" });
    await context.setOffline(true);
  };
  await carry("Log in", "IN_PROGRESS");
  check(
    "a card is carried by pointer",
    await until(async () => (await task("Log in")).status === "IN_PROGRESS"),
    (await task("Log in")).status,
  );
  await page.waitForSelector(`${column("IN_PROGRESS")} ${card("Log in")}`);
  await page.focus(card("List of notes"));
  await page.keyboard.press("m");
  await page.waitForSelector(".board-mark");
  await page.keyboard.press("ArrowRight");
  await page.waitForSelector(`${column("IN_PROGRESS")} .board-mark`);
  await page.keyboard.press("Enter");
  check(
    "a card is carried by key",
    await until(async () => (await task("List of notes")).status === "IN_PROGRESS"),
    (await task("List of notes")).status,
  );

  const line = `${column("NOT_STARTED")} .board-add input`;
  await context.setOffline(true);
  await page.fill(line, "Undo a deletion");
  await page.press(line, "Enter");
  await page.waitForSelector(`${column("NOT_STARTED")} .failure`);
  check("without a network the line of a new card keeps its text", (await page.inputValue(line)) === "Undo a deletion");
  await carry("Write a note", "IN_PROGRESS", losesItAgain);
  await page.waitForSelector(".banner");
  check(
    "a card that is moved without a network stays where it was put",
    Boolean(await page.$(`${column("IN_PROGRESS")} ${card("Write a note")}`)) && (await task("Write a note")).status === "NOT_STARTED",
  );
  await context.setOffline(false);
  check("and is moved when the network is back", await until(async () => (await task("Write a note")).status === "IN_PROGRESS"));
  await page.click(`${column("NOT_STARTED")} .failure button`);
  check("the card is made when the network is back", await until(async () => (await task("Undo a deletion")) !== undefined));
  check("once", (await tasks()).filter((one) => one.name === "Undo a deletion").length === 1);
  for (const name of ["Log in", "List of notes"]) {
    await page.waitForSelector(card(name));
    await carry(name, "COMPLETE");
    check(`${name} is done`, await until(async () => (await task(name)).status === "COMPLETE"), (await task(name)).status);
    await page.waitForSelector(`${column("COMPLETE")} ${card(name)}`);
  }
  await shot("board");

  await page.goto(`${base}/projects/${project.id}/sprint`);
  await page.click("main button:has-text('Close the sprint')");
  await page.waitForSelector(".dialog select");
  check(
    "the end asks where unfinished work goes",
    (await page.textContent(".dialog")).includes("2 tasks are not finished"),
    await page.textContent(".dialog"),
  );
  await page.selectOption(".dialog select", "backlog");
  await page.click(".dialog button[type=submit]");
  check("the sprint is closed", await until(async () => (await sprints())[0].state === "COMPLETED"), (await sprints())[0].state);
  check(
    "unfinished work is in the backlog again",
    await until(async () => (await tasks()).filter((one) => one.sprint === null).length === 5),
  );
  check("finished work stays with its sprint", (await task("Log in")).sprint !== null);

  await page.goto(`${base}/projects/${project.id}/sprint`);
  await page.waitForSelector(".retro-board");
  check(
    "a closed sprint counts what is done",
    (await page.textContent(".sprint-facts")).includes("2 of "),
    await page.textContent(".sprint-facts"),
  );
  await page.locator(".retro-column input").first().fill("The board was calm");
  await page.fill("input[aria-label='New action item']", "Invite a tester");
  await page.click(".bar-tabs a:has-text('Board')");
  await page.waitForSelector(".board-card");
  await page.goBack();
  await page.waitForSelector(".retro-board");
  check(
    "a note and an action that were being typed are still there",
    (await page.locator(".retro-column input").first().inputValue()) === "The board was calm" &&
      (await page.inputValue("input[aria-label='New action item']")) === "Invite a tester",
  );
  await page.locator(".retro-column input").first().press("Enter");
  await page.waitForSelector(".retro-note");
  check(
    "the line is empty when the note is made",
    await until(async () => (await page.locator(".retro-column input").first().inputValue()) === ""),
  );
}
