// The chart by pointer: a bar moves, its edge changes the duration, its end links; a circle is refused; a refusal restores.
import { call, openPlan, signIn, token, until } from "../browser.mjs";

export const name = "bars are moved, stretched and linked with the pointer";

export async function run({ page, base, check, shot }) {
  const access = await token(base);
  const project = await call(base, access, "POST", "/projects/", { name: `Pointer ${Date.now() % 100000}`, start_date: "2027-01-04" });
  const task = (name, duration) => call(base, access, "POST", "/tasks/", { project: project.id, name, duration });
  const [a, b, c] = [await task("Alpha", 4), await task("Beta", 3), await task("Long", 40)];
  const read = (id, fields) => call(base, access, "GET", `/tasks/${id}/?fields=${fields}`);
  await signIn(page, base);
  await openPlan(page, base, project.id, 3);
  const place = () => page.evaluate(() => (desk.view.place(desk.plan.first - 3, 22), desk.view.flush()));
  await place();
  /** A point of a bar: `day` days from its start, on its row. */
  const at = (id, day, more = 0) =>
    page.evaluate(
      ([id, day, more]) => {
        const box = document.querySelector(".chart").getBoundingClientRect();
        const one = desk.plan.task(id);
        return [
          box.left + desk.view.x(desk.plan.start[one] + day) + more,
          box.top + 48 + desk.view.y(desk.plan.rowOf[one]) + desk.view.rowHeight / 2,
        ];
      },
      [id, day, more],
    );
  const drag = async (from, to, before) => {
    await page.mouse.move(...from);
    await page.mouse.down();
    await page.mouse.move((from[0] + to[0]) / 2, (from[1] + to[1]) / 2, { steps: 4 });
    await page.mouse.move(...to, { steps: 4 });
    await before?.();
    await page.mouse.up();
  };
  /** Waits until a task of the server has that value, and answers what it has. */
  const comes = async (id, field, value) => {
    await until(async () => (await read(id, field))[field] === value, 20_000);
    return (await read(id, field))[field];
  };
  /** Waits until the chart has drawn what the server has. */
  const drawn = (id, field, days) =>
    page.waitForFunction(([id, field, days]) => desk.plan.rows[desk.plan.task(id)][field] === days, [id, field, days]);
  await drag(await at(b.id, 1), await at(b.id, 3), () => shot("schedule-drag"));
  const start = await comes(b.id, "early_start", "2027-01-06");
  check("a bar moved by two days starts on Wednesday", start === "2027-01-06", start);
  await drawn(b.id, "early_start", "2027-01-06");
  let writes = 0;
  page.on("request", (request) => request.method() !== "GET" && request.url().includes("/tasks/") && writes++);
  await page.mouse.click(...(await at(a.id, 1)));
  await page.waitForFunction((id) => desk.focus.value.id === id, a.id);
  check("a click moves nothing", writes === 0 && (await read(a.id, "planned_start")).planned_start === null);
  await drag(await at(a.id, 4, -3), await at(a.id, 5, -3));
  const longer = await comes(a.id, "duration", 5);
  check("an edge pulled by a day makes the task longer", longer === 5, String(longer));
  await drawn(a.id, "duration", 5);
  await drag(await at(a.id, 5, 8), await at(b.id, 1));
  const links = async () => (await call(base, access, "GET", `/dependencies/?project=${project.id}`)).results;
  check(
    "the end of a bar drawn to another links them",
    await until(async () => (await links()).length === 1, 20_000),
    JSON.stringify(await links()),
  );
  await comes(b.id, "early_start", "2027-01-11");
  await drawn(b.id, "early_start", "2027-01-11");
  const end = (await read(b.id, "duration")).duration;
  await drag(await at(b.id, end, 8), await at(a.id, 1));
  check(
    "a circle is refused and named",
    await until(() => page.$(".toast.bad:has-text('Alpha → Beta')"), 20_000),
    await page.textContent(".toasts"),
  );
  check("and no second link is made", (await links()).length === 1);
  await shot("schedule-circle");
  await drag(await at(c.id, 2), await at(c.id, 9), undefined);
  check("a move of the finish asks first", await until(() => page.$(".dialog"), 20_000));
  await page.keyboard.press("Escape");
  await page.waitForSelector(".dialog", { state: "detached" });
  check("no is no", (await read(c.id, "planned_start")).planned_start === null);
}
