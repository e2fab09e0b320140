// Runs the stories against a running server. Usage: node stories/run.mjs [SERVER] [NAME …]. Screenshots go to stories/out.
import { mkdirSync, readdirSync } from "node:fs";
import { serve } from "../tools/serve.mjs";
import { open } from "./browser.mjs";

const [server = "http://127.0.0.1:8080", ...only] = process.argv.slice(2);
const PORT = 5198;
const base = `http://127.0.0.1:${PORT}`;
const out = new URL("out/", import.meta.url).pathname;
mkdirSync(out, { recursive: true });

const files = readdirSync(new URL(".", import.meta.url)).filter((file) => file.endsWith(".mjs") && !["run.mjs", "browser.mjs"].includes(file)).sort();
const host = await serve(PORT, server);
let [passed, failed] = [0, 0];
for (const file of files) {
  if (only.length && !only.some((word) => file.includes(word))) continue;
  const story = await import(`./${file}`);
  const browser = await open(story.window ?? {});
  const check = (what, holds, more = "") => {
    if (holds) passed++;
    else failed++;
    console.log(`${holds ? "  ok  " : "  FAIL"} ${what}${holds ? "" : ` ${more}`}`);
  };
  const shot = (name) => browser.page.screenshot({ path: `${out}${name}.png` });
  console.log(story.name);
  try {
    await story.run({ ...browser, base, check, shot, open });
  } catch (error) {
    await shot(`failed-${file.replace(".mjs", "")}`).catch(() => undefined);
    check("the story comes to its end", false, String(error).slice(0, 600));
  }
  const errors = browser.problems.filter((text) => !/40[149]|412/.test(text));
  check("the browser reports no error", errors.length === 0, errors.slice(0, 3).join(" | "));
  await browser.close();
}
host.close();
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
