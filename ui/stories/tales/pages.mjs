// Every page passes axe in light and dark and looks as its kept picture at three widths. The server and the browser live at
// one moment, so that the sample has the same dates each time. With --keep the pictures are written anew.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { call, PATIENCE, signIn, token } from "../browser.mjs";
import { looksAs } from "../looks.mjs";

export const name = "every page passes axe and looks as before";
/** It needs a server whose clock starts at this moment. */
export const apart = true;
const MOMENT = "2026-11-02T09:01:00Z";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
const PROJECT_PAGES = ["schedule", "board", "sprint", "forecast", "risks", "people", "history", "settings"];
/** Width, height, and how many points of the page become one of the kept picture. */
const SIZES = [
  [1440, 900, 2],
  [3840, 2160, 4],
  [375, 812, 1],
];
const looks = new URL("../looks/", import.meta.url).pathname;
const docs = new URL("../../../docs/pictures/", import.meta.url).pathname;
const IN_DOCS = ["schedule", "board", "sprint", "forecast"];
const keep = process.argv.includes("--keep");
/** What is covered in a picture: a simulation draws by the ids of rows, and those are new in each sample. */
const COVERED = { forecast: ".figures, .forecast-two" };
/** Only this page, for work on it. */
const wanted = process.env.PLANWRIGHT_STORY_PAGE;

export async function run({ page, context, base, check, out }) {
  const access = await token(base);
  const loaded = await call(base, access, "POST", "/programs/load-sample/", { sample: "software-launch" });
  const project = loaded.landing_project_id ?? (await call(base, access, "GET", "/projects/")).results[0].id;
  await call(base, access, "POST", `/projects/${project}/monte-carlo/`, { seed: 7 });
  await page.clock.setFixedTime(new Date(MOMENT));

  /** Everything is loaded and drawn. */
  const settled = async () => {
    await page.waitForLoadState("networkidle");
    await page.waitForFunction(() => !document.querySelector(".skeleton"));
    await page.evaluate(() =>
      document.fonts.ready.then(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))),
    );
  };
  const passes = async (title) => {
    const session = await context.newCDPSession(page);
    const line = "[one.id, one.nodes.length, one.nodes[0].target, one.nodes[0].failureSummary?.slice(0, 200)].join(' ')";
    const lines = `(found) => JSON.stringify(found.violations.map((one) => ${line}))`;
    const expression = `${axe}; axe.run(document, { runOnly: ${JSON.stringify(RULES)} }).then(${lines})`;
    const { result } = await session.send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
    await session.detach();
    const found = JSON.parse(result.value ?? '["axe did not run"]');
    check(`${title} has no violation of WCAG 2.2 AA`, found.length === 0, found.join(" | "));
  };
  const looksAsBefore = async (title) => {
    for (const [width, height, by] of SIZES) {
      await page.setViewportSize({ width, height });
      await settled();
      const mask = COVERED[title] ? [page.locator(COVERED[title])] : [];
      const bytes = await page.screenshot({ animations: "disabled", caret: "hide", mask });
      const wrong = looksAs(`${looks}${title}-${width}.png`, bytes, by, keep, `${out}differs-${title}-${width}.png`);
      check(`${title} looks as before at ${width}`, wrong === "", wrong);
      if (keep && width === 1440 && IN_DOCS.includes(title))
        writeFileSync(`${docs}${title}.png`, await page.screenshot({ animations: "disabled", caret: "hide" }));
    }
    await page.setViewportSize({ width: 1440, height: 900 });
  };

  await page.goto(`${base}/`);
  await page.waitForSelector("input[name=username]", { timeout: PATIENCE });
  const inTheDark = async (title) => {
    await page.emulateMedia({ colorScheme: "dark" });
    await settled();
    await passes(`${title} in the dark`);
    await page.emulateMedia({ colorScheme: "light" });
  };
  await passes("sign-in");
  await inTheDark("sign-in");
  await looksAsBefore("sign-in");
  await signIn(page, base);
  const pages = [
    ["home", "/"],
    ["my-work", "/my-work"],
    ["notifications", "/notifications"],
    ["import", "/import"],
    ["templates", "/templates"],
    ["program", `/programs/${loaded.program.id}`],
    ...["profile", "security", "tokens", "notifications", "workspace", "members"].map((part) => [
      `settings-${part}`,
      `/settings?part=${part}`,
    ]),
    ...PROJECT_PAGES.map((one) => [one === "settings" ? "project-settings" : one, `/projects/${project}/${one}`]),
  ];
  for (const [title, path] of pages.filter(([one]) => !wanted || one === wanted)) {
    await page.goto(`${base}${path}`);
    await page.waitForSelector("main h1, main h2, main .grid-row .cell.name");
    await settled();
    if (title === "schedule") await speaksAsAGrid(page, check);
    await passes(title);
    await inTheDark(title);
    await looksAsBefore(title);
  }
}

/** A screen reader finds the plan as a grid: its size, levels, and what each bar shows. */
async function speaksAsAGrid(page, check) {
  const grid = await page.$eval("[role=treegrid]", (one) => ({
    name: one.ariaLabel,
    rows: Number(one.getAttribute("aria-rowcount")),
    columns: Number(one.getAttribute("aria-colcount")),
    heads: one.querySelectorAll("[role=columnheader]").length,
    stops: one.querySelectorAll("[tabindex='0']").length,
    lines: [...one.querySelectorAll(".grid-row:not([hidden])")].map((row) => ({
      level: row.ariaLevel,
      place: row.ariaPosInSet,
      size: row.ariaSetSize,
      index: row.ariaRowIndex,
      head: row.querySelector("[role=rowheader]")?.textContent,
      bar: row.querySelector(".hidden-text")?.textContent,
    })),
    canvases: [...document.querySelectorAll(".chart canvas")].filter(
      (canvas) => !canvas.closest("[aria-hidden=true]") && canvas.getAttribute("aria-hidden") !== "true",
    ).length,
  }));
  check("the plan is a named grid that says how many rows it has", grid.name && grid.rows === 55, JSON.stringify([grid.name, grid.rows]));
  check("each column has a head", grid.heads === grid.columns && grid.columns > 5, JSON.stringify([grid.heads, grid.columns]));
  check(
    "each row says its level, its place and how many stand beside it",
    grid.lines.length > 20 && grid.lines.every((row) => row.level && row.place && row.size && row.index && row.head),
  );
  check(
    "a cell of each row says in words what its bar shows",
    grid.lines.every((row) => /\d/.test(row.bar ?? "")),
    grid.lines.find((row) => !/\d/.test(row.bar ?? ""))?.head,
  );
  check("the grid is one stop of the Tab key", grid.stops === 1, String(grid.stops));
  check("the drawing is hidden from a screen reader", grid.canvases === 0, String(grid.canvases));
}
