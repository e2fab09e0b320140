// A planner builds a plan by keyboard alone, links it, undoes and redoes, moves a bar by key and by mouse, and asks why.
import { call, signIn, token } from "../browser.mjs";

export const name = "a planner builds a plan by keyboard alone";

const ROWS = ["Design", "Sketch", "Review", "Approve", "Build", "Frame", "Roof", "Windows", "Open"];

export async function run({ page, base, check, shot }) {
  const access = await token(base);
  const project = await call(base, access, "POST", "/projects/", { name: `Story plan ${Date.now() % 100000}`, start_date: "2027-01-04" });
  await signIn(page, base);
  await page.goto(`${base}/projects/${project.id}/schedule?measure`);
  await page.waitForSelector(".empty-plan");
  await shot("schedule-empty");
  await page.click(".empty-plan .primary");
  for (const row of ROWS) {
    await page.keyboard.type(row);
    await page.keyboard.press("Enter");
  }
  await page.keyboard.press("Escape");
  const rows = async () => (await call(base, access, "GET", `/tasks/?project=${project.id}&ordering=wbs_path&fields=name,wbs_path,duration,percent_complete,early_start`)).results;
  const wait = async (what, test) => {
    for (let i = 0; i < 60; i++) {
      if (await test(await rows())) return check(what, true);
      await page.waitForTimeout(100);
    }
    return check(what, false, JSON.stringify((await rows()).map((row) => [row.wbs_path, row.name, row.duration])));
  };
  await wait("nine rows are made in their order", (all) => all.map((row) => row.name).join() === ROWS.join());

  const focus = async (row) => {
    await page.keyboard.press("Control+Home");
    for (let i = 0; i < row; i++) await page.keyboard.press("ArrowDown");
  };
  await focus(1);
  await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.press("Alt+Shift+ArrowRight");
  await wait("three rows are below Design", (all) => all.find((row) => row.name === "Approve")?.wbs_path === "1.3");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await focus(5);
  await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.press("Alt+Shift+ArrowRight");
  await wait("three rows are below Build", (all) => all.find((row) => row.name === "Windows")?.wbs_path === "2.3");
  await page.keyboard.press("Control+F2");
  await wait("they are linked", async () => (await call(base, access, "GET", `/dependencies/?project=${project.id}`)).count === 2);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");

  await focus(1);
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.type("5");
  await page.keyboard.press("Enter");
  await page.keyboard.type("2w");
  await page.keyboard.press("Enter");
  await wait("durations are typed", (all) => all.find((row) => row.name === "Sketch")?.duration === 5 && all.find((row) => row.name === "Review")?.duration === 10);
  await page.keyboard.press("Control+z");
  await wait("undo takes the last one back", (all) => all.find((row) => row.name === "Review")?.duration === 1);
  await page.keyboard.press("Control+y");
  await wait("redo brings it again", (all) => all.find((row) => row.name === "Review")?.duration === 10);

  await focus(6);
  for (let i = 0; i < 6; i++) await page.keyboard.press("ArrowRight");
  await page.keyboard.press("F2");
  await page.keyboard.type("2.1FS+2; 1.3");
  await page.keyboard.press("Enter");
  await wait("predecessors are typed", async () => (await call(base, access, "GET", `/dependencies/?project=${project.id}`)).results.some((link) => link.lag === 2));

  await page.keyboard.press("F6");
  await page.waitForTimeout(200);
  check("F6 goes to the chart", await page.evaluate(() => document.activeElement?.classList.contains("chart")));
  await page.keyboard.press("m");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await shot("schedule-move-by-key");
  await page.keyboard.press("Enter");
  await page.waitForTimeout(600);
  if (await page.$(".dialog .primary")) await page.click(".dialog .primary");
  await page.waitForTimeout(600);
  await page.keyboard.press("Shift+F2");
  await page.waitForSelector(".inspector .why li");
  check("the details say why", (await page.textContent(".inspector .why")).length > 10);
  await shot("schedule-why");
}
