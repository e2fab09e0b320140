// Runs the stories against a running server. Usage: node stories/run.mjs [--dist] [--keep] SERVER [NAME …].
// With --dist the pages come from ui/dist and not from the server. Pictures go to stories/out.
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { serve } from "../tools/serve.mjs";
import { open } from "./browser.mjs";

const [server = "http://127.0.0.1:8080", ...only] = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const host = process.argv.includes("--dist") ? await serve(0, server) : null;
const base = host ? `http://127.0.0.1:${host.address().port}` : server;
const out = new URL("out/", import.meta.url).pathname;
mkdirSync(out, { recursive: true });

/** What the browser itself says when the network is gone or the server refuses. */
const EXPECTED = /status of (?:4\d\d|502)|ERR_INTERNET_DISCONNECTED|ERR_FAILED|ERR_NETWORK_CHANGED|WebSocket/;

const files = readdirSync(new URL("tales/", import.meta.url))
  .filter((file) => file.endsWith(".mjs"))
  .sort();
let [passed, failed] = [0, 0];
for (const file of files) {
  const name = file.replace(".mjs", "");
  const story = await import(`./tales/${file}`);
  // A story that needs a server at a certain moment is told only when it is asked for.
  if (only.length ? !only.includes(name) : story.apart) continue;
  const began = Date.now();
  const browser = await open(story.window ?? {});
  const check = (what, holds, more = "") => {
    if (holds) passed++;
    else failed++;
    const seconds = ((Date.now() - began) / 1000).toFixed(1).padStart(6);
    console.log(`${holds ? "  ok  " : "  FAIL"} ${seconds} s  ${what}${holds ? "" : ` ${more}`}`);
  };
  const shot = (picture) => browser.page.screenshot({ path: `${out}${picture}.png`, animations: "disabled", caret: "hide" });
  console.log(story.name);
  rmSync(`${out}failed-${name}.png`, { force: true });
  try {
    await story.run({ ...browser, base, check, shot, open, out });
  } catch (error) {
    await shot(`failed-${name}`).catch(() => undefined);
    check(
      "the story comes to its end",
      false,
      `${String(error?.stack ?? error).slice(0, 900)}\n       ui/stories/out/failed-${name}.png shows the page`,
    );
  }
  const errors = browser.problems.filter((text) => !EXPECTED.test(text));
  check("the browser reports no error", errors.length === 0, errors.slice(0, 3).join(" | "));
  await browser.close();
  check("the browser closes", true);
}
host?.close();
if (passed + failed === 0) failed++;
console.log(`      Tests  ${passed} passed | ${failed} failed`);
process.exit(failed ? 1 : 0);
