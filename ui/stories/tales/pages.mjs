// Every page at three widths, light and dark, with axe. Screenshots are kept under stories/out.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { call, signIn, token } from "../browser.mjs";

export const name = "every page passes axe";
export const apart = true;

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const PROJECT_PAGES = ["schedule", "board", "sprint", "forecast", "risks", "people", "history"];

export async function run({ page, context, base, check, shot }) {
  const access = await token(base);
  const { results } = await call(base, access, "GET", "/projects/?page_size=100");
  const project = results.find((one) => one.is_sample || one.code === "NOTES") ?? results[0];
  const look = async (title) => {
    const session = await context.newCDPSession(page);
    const { result } = await session.send("Runtime.evaluate", {
      expression: `${axe}; axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] }).then((found) => JSON.stringify(found.violations.map((one) => one.id + " " + one.nodes.length + " " + one.nodes[0].target + " " + one.nodes[0].failureSummary?.slice(0, 200))))`,
      awaitPromise: true, returnByValue: true,
    });
    await session.detach();
    const found = JSON.parse(result.value ?? "[\"axe did not run\"]");
    check(`${title} has no violation`, found.length === 0, found.join(" | "));
  };
  await page.goto(`${base}/`);
  await page.waitForSelector("input[name=username]");
  await look("sign-in");
  await shot("sign-in");
  await signIn(page, base);
  const pages = [["home", "/"], ["my-work", "/my-work"], ["notifications", "/notifications"], ["settings", "/settings"], ["import", "/import"], ["program", `/programs/${project.program}`], ...PROJECT_PAGES.map((one) => [one, `/projects/${project.id}/${one}`])];
  for (const [title, path] of pages) {
    await page.goto(`${base}${path}`);
    await page.waitForTimeout(1500);
    if ((await page.textContent("h1", { timeout: 300 }).catch(() => "")) === "404") continue;
    await look(title);
    for (const [width, height] of [[1440, 900], [1920, 1080], [375, 812]]) {
      await page.setViewportSize({ width, height });
      await page.waitForTimeout(250);
      await shot(`${title}-${width}`);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.emulateMedia({ colorScheme: "dark" });
    await page.waitForTimeout(200);
    await look(`${title} in the dark`);
    await shot(`${title}-dark`);
    await page.emulateMedia({ colorScheme: "light" });
  }
}
