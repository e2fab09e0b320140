// A headless Chromium with a profile of its own, and the few steps that every story needs.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

const FLAGS = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync",
];

/** Opens a browser; `close` ends it and deletes its profile. */
export async function open({ width = 1440, height = 900, dark = false, touch = false, locale = "en-GB" } = {}) {
  const profile = mkdtempSync(join(tmpdir(), "planwright-story-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    headless: true,
    args: FLAGS,
    viewport: { width, height },
    colorScheme: dark ? "dark" : "light",
    hasTouch: touch,
    isMobile: touch,
    locale,
  });
  const page = context.pages()[0] ?? (await context.newPage());
  const problems = [];
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  page.on("pageerror", (error) => problems.push(String(error)));
  return {
    context, page, problems,
    close: async () => {
      await context.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
}

/** Signs in through the page; waits if the server says that there were too many sign-ins. */
export async function signIn(page, base, user = "admin", password = "planwright-demo") {
  await page.goto(`${base}/`);
  await page.fill("input[name=username]", user);
  await page.fill("input[name=password]", password);
  for (let turn = 0; turn < 8; turn++) {
    await page.click("button[type=submit]");
    await Promise.race([page.waitForSelector(".rail").catch(() => null), page.waitForSelector(".failure", { timeout: 15_000 }).catch(() => null)]);
    if (await page.$(".rail")) return;
    await page.waitForTimeout(10_000);
  }
  throw new Error("nobody could sign in");
}

const kept = new Map();

/** A token for the steps that a story does without the page. */
export async function token(base, user = "admin", password = "planwright-demo") {
  for (let turn = 0; turn < 8 && !kept.has(user); turn++) {
    const answer = await fetch(`${base}/api/v1/auth/token/`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ username: user, password }) });
    if (answer.ok) kept.set(user, (await answer.json()).access);
    else await new Promise((done) => setTimeout(done, 10_000));
  }
  return kept.get(user);
}

export async function call(base, access, method, path, body) {
  const answer = await fetch(`${base}/api/v1${path}`, {
    method, headers: { authorization: `Bearer ${access}`, "content-type": "application/json" }, body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path} ${answer.status} ${text.slice(0, 400)}`);
  return text ? JSON.parse(text) : null;
}
