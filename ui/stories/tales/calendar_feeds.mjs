// Somebody subscribes to their tasks: the address is shown once and reads a calendar until it is revoked.
import { signIn, until } from "../browser.mjs";

export const name = "somebody subscribes to their tasks in a calendar program";

const NAME = `My tasks ${Date.now() % 1e6}`;

export async function run({ page, base, check, shot }) {
  await signIn(page, base);
  await page.goto(`${base}/settings?part=calendar-feeds`);
  await page.waitForSelector("main form input:not([type=checkbox])");
  await page.fill("main form input:not([type=checkbox])", NAME);
  await page.click("main form button[type=submit]");
  await page.waitForSelector(".token-new code");
  const address = await page.textContent(".token-new code");
  check("the address is shown", address.endsWith(".ics"), address);
  const opened = await page.getAttribute("main a[href^='webcal:']", "href");
  check("a link opens a calendar program", opened === address.replace(/^https?:/, "webcal:"), opened);
  await shot("calendar-feeds");
  const calendar = async () => (await fetch(address.replace(/^https?:\/\/[^/]+/, base))).status;
  check("a program without a sign-in reads it", (await calendar()) === 200);
  await page.reload();
  await page.waitForSelector(".setting-list li");
  check("it is shown only once", (await page.$(".token-new")) === null);
  await page.click(`.setting-list li:has-text("${NAME}") button.danger`);
  await page.click(".dialog button.danger");
  check("the list has it no more", await until(async () => !((await page.textContent("main")) ?? "").includes(NAME)));
  let status = 0;
  const isGone = async () => {
    status = await calendar();
    return status === 404;
  };
  check("the address reads nothing any more", await until(isGone), status);
}
