// A headless Chromium with a profile of its own, and the few steps that every story needs. Steps wait for what they need,
// never for a time.
import { readdirSync, readFileSync } from "node:fs";
import { chromium } from "playwright-core";

const FLAGS = [
  "--no-sandbox",
  "--lang=en-GB",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-dev-shm-usage",
  "--font-render-hinting=none",
  "--force-color-profile=srgb",
];
/** How long a step may take on a busy machine. */
export const PATIENCE = Number(process.env.PLANWRIGHT_STORY_PATIENCE ?? 90_000);
export const PASSWORD = process.env.PLANWRIGHT_STORY_PASSWORD ?? "planwright-demo";

/** Opens a browser with an empty profile; `close` ends it. */
export async function open({ width = 1440, height = 900, dark = false, touch = false, locale = "en-GB" } = {}) {
  const server = await chromium.launchServer({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", headless: true, args: FLAGS });
  const browser = await chromium.connect(server.wsEndpoint());
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: dark ? "dark" : "light",
    reducedMotion: "reduce",
    timezoneId: "UTC",
    hasTouch: touch,
    isMobile: touch,
    locale,
  });
  context.setDefaultTimeout(PATIENCE);
  context.setDefaultNavigationTimeout(PATIENCE);
  await context.addInitScript(() => {
    window.socketsOpened = 0;
    window.WebSocket = class extends window.WebSocket {
      constructor(...given) {
        super(...given);
        this.addEventListener("open", () => window.socketsOpened++);
      }
    };
  });
  const page = await context.newPage();
  const problems = [];
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  page.on("pageerror", (error) => problems.push(error.stack ?? String(error)));
  return {
    context,
    page,
    problems,
    // A browser that is asked to close waits for pages that still write; nobody needs it any more.
    close: () => server.kill(),
  };
}

/** Waits until `test` answers something true, and answers it; false after a long time. */
export async function until(test, limit = PATIENCE) {
  const end = Date.now() + limit;
  for (;;) {
    const found = await test();
    if (found) return found;
    if (Date.now() > end) return false;
    await new Promise((done) => setTimeout(done, 60));
  }
}

/** Signs in through the page. */
export async function signIn(page, base, user = "admin", password = PASSWORD) {
  await page.goto(`${base}/`);
  await page.fill("input[name=username]", user);
  await page.fill("input[name=password]", password);
  await page.click("button[type=submit]");
  await page.waitForSelector(".rail");
}

const kept = new Map();

/** A token for the steps that a story does without the page. */
export async function token(base, user = "admin", password = PASSWORD) {
  if (!kept.has(user)) {
    const answer = await fetch(`${base}/api/v1/auth/token/`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ username: user, password }),
    });
    if (!answer.ok) throw new Error(`${user} cannot sign in: ${answer.status} ${(await answer.text()).slice(0, 200)}`);
    kept.set(user, (await answer.json()).access);
  }
  return kept.get(user);
}

export async function call(base, access, method, path, body) {
  const answer = await fetch(`${base}/api/v1${path}`, {
    method,
    headers: { ...(access ? { authorization: `Bearer ${access}` } : {}), "content-type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path} ${answer.status} ${text.slice(0, 400)}`);
  return text ? JSON.parse(text) : null;
}

/** Opens the schedule of a project and waits until its rows are there and its socket is open. */
export async function openPlan(page, base, project, rows) {
  await page.goto(`${base}/projects/${project}/schedule?measure`);
  await page.waitForFunction(
    (n) => window.desk?.plan.count === n && window.desk.canAuthor.value && (n === 0 || document.querySelector(".grid-row .cell.name")),
    rows,
  );
  await page.waitForFunction(() => window.socketsOpened > 0);
}

/** Opens the editor of a cell by a double click. On a slow machine the editor can stand between the two clicks: then it is open. */
export async function openEditor(page, cell) {
  const opened = () => page.$(".cell-editor");
  const tried = async () => (await opened()) || (await page.dblclick(cell, { timeout: 3000 }).catch(() => null), opened());
  if (!(await until(tried))) throw new Error(`no editor opens at ${cell}`);
}

/** Presses Tab, or in a menu an arrow, until the focus is on what the selector names. */
export async function tabTo(page, selector, more = "", key = "Tab") {
  const there = () =>
    page.evaluate(
      ([one, text]) =>
        document.activeElement?.matches(one) &&
        (
          (document.activeElement.closest("label") ?? document.activeElement).textContent + (document.activeElement.ariaLabel ?? "")
        ).includes(text),
      [selector, more],
    );
  for (let step = 0; step < 120; step++) {
    if (await there()) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${key} does not come to ${selector} ${more}`);
}

/** Presses keys one after the other. */
export async function keys(page, ...chords) {
  for (const chord of chords) {
    const [key, times = "1"] = chord.split(" × ");
    for (let n = 0; n < Number(times); n++) await page.keyboard.press(key);
  }
}

/** Finds a command in the palette and runs it. */
export async function command(page, name) {
  await page.keyboard.press("Control+k");
  await page.waitForSelector(".palette input");
  await page.keyboard.type(name);
  await page.waitForFunction(
    (wish) => document.querySelector(".palette-item[aria-selected=true]")?.textContent.trim().startsWith(wish),
    name,
  );
  await page.keyboard.press("Enter");
  await page.waitForSelector(".palette", { state: "detached" });
}

/** The link of the letter to an address, as the server wrote it into its folder of mail. */
export function invitedLink(folder, address) {
  let files;
  try {
    files = readdirSync(folder);
  } catch {
    return null;
  }
  for (const file of files) {
    const letter = readFileSync(`${folder}/${file}`, "utf8")
      .replace(/=\r?\n/g, "")
      .replace(/=3D/g, "=");
    const link = letter.includes(address) && /\/invite\/accept\?token=[\w~.-]+/.exec(letter);
    if (link) return link[0];
  }
  return null;
}

/** The password of those who are invited. */
export const GUEST_PASSWORD = "a-long-way-to-harbour-7";

/** Somebody is invited, accepts, and joins a project with a role; answers who it is. */
export async function joins(base, access, project, who, role) {
  const email = `${who}@example.org`;
  await call(base, access, "POST", "/workspace/invites/", { email, role: 100 });
  const link = await until(() => invitedLink(process.env.PLANWRIGHT_STORY_MAIL, email));
  await call(base, "", "POST", "/workspace/invites/accept/", { token: link.split("token=")[1], username: who, password: GUEST_PASSWORD });
  const [found] = await call(base, access, "GET", `/users/search/?q=${who}`);
  await call(base, access, "POST", `/projects/${project}/members/`, { user: found.id, role });
  return found.id;
}
