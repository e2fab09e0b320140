// The owner asks everybody for a second factor; a member sets one up at the gate and goes on where they wanted to go.
import { createHmac } from "node:crypto";
import { call, invitedLink, PASSWORD, signIn, token, until } from "../browser.mjs";

export const name = "a workspace asks everybody for a second factor, and nobody is stuck";

const NAME = `gate${Date.now() % 1e6}`;
const WORD = "a-long-way-to-harbour-8";

/** The code that an app shows for a secret at the moment of the server. */
async function codeOf(base, secret) {
  const bits = [...secret.replace(/=+$/, "")]
    .map((sign) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(sign).toString(2).padStart(5, "0"))
    .join("");
  const key = Buffer.from(bits.match(/.{8}/g).map((byte) => parseInt(byte, 2)));
  const now = Date.parse((await fetch(`${base}/api/v1/health/`)).headers.get("date")) / 1000;
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(now / 30)));
  const digest = createHmac("sha1", key).update(step).digest();
  return String((digest.readUInt32BE(digest[19] & 15) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}

async function member(base, access, username) {
  const email = `${username}@example.org`;
  await call(base, access, "POST", "/workspace/invites/", { email, role: 100 });
  const link = await until(() => invitedLink(process.env.PLANWRIGHT_STORY_MAIL, email));
  await call(base, "", "POST", "/workspace/invites/accept/", { token: link.split("token=")[1], username, password: WORD });
}

export async function run({ page, base, check, open, shot, out }) {
  const access = await token(base);
  await member(base, access, NAME);
  await member(base, access, `${NAME}b`);
  const { secret } = await call(base, access, "POST", "/me/second-factor/totp/", {});
  const { recovery_codes: codes } = await call(base, access, "POST", "/me/second-factor/totp/confirm/", {
    code: await codeOf(base, secret),
  });
  try {
    const writer = await writing(base, open);
    await asked(page, base, check, codes[0], shot);
    await interrupted(writer, base, check, out);
    await passed(base, check, open, out);
  } finally {
    await call(base, access, "PATCH", "/workspace/second-factor/", { second_factor_required: false });
    await call(base, access, "DELETE", "/me/second-factor/totp/");
  }
}

/** The owner signs in with a recovery code and asks everybody. */
async function asked(page, base, check, code, shot) {
  await page.goto(`${base}/settings?part=sign-in`);
  const passkeys = page.locator("button", { hasText: "passkey" });
  check("no passkey is offered at an address that is a number", (await passkeys.count()) === 0);
  await page.fill("input[name=username]", "admin");
  await page.fill("input[name=password]", PASSWORD);
  await page.click("button[type=submit]");
  await page.fill("input[name=code]", code);
  await page.click("button[type=submit]");
  await page.waitForSelector(".setting-part [role=switch]");
  await page.locator(".setting-part [role=switch]").first().click();
  const on = async () => (await call(base, await token(base), "GET", "/workspace/second-factor/")).second_factor_required;
  check("the owner asks everybody for a second factor", await until(on));
  await shot("sign-in-policy");
}

/** Somebody is typing into a dialog when the rule is made. */
async function writing(base, open) {
  const writer = await open();
  await signIn(writer.page, base, `${NAME}b`, WORD);
  await writer.page.click("main button:has-text('New project')");
  await writer.page.fill(".dialog input", `Typed by ${NAME}`);
  return writer;
}

/** The gate stands above the dialog, says that a code is wrong, shows the recovery codes, and gives the dialog back. */
async function interrupted({ page, close }, base, check, out) {
  // The page may come to the gate by a call of its own before the press.
  await until(async () => (await page.click(".dialog button[type=submit]", { timeout: 1000 }).catch(() => null), page.$(".gate")));
  await page.click(".gate button:has-text('Set up')");
  const secret = /[A-Z2-7]{32}/.exec(await page.textContent(".gate form"))[0];
  const onTop = (selector) =>
    page.$eval(selector, (one) => {
      const box = one.getBoundingClientRect();
      return one.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2));
    });
  check("the gate stands above an open dialog", await onTop(".gate form input"));
  check("the keys stay in the gate", await page.evaluate(() => document.activeElement?.closest(".gate") !== null));
  await page.fill(".gate form input", "000000");
  await page.click(".gate form button[type=submit]");
  await page.waitForSelector(".gate form .field .wrong");
  check("a wrong code is said at its field", (await page.textContent(".gate form .field .wrong")).includes("current code"));
  await page.fill(".gate form input", await codeOf(base, secret));
  await page.click(".gate form button[type=submit]");
  await page.waitForSelector(".gate .token-new code");
  check(
    "the recovery codes are not covered",
    (await onTop(".factor-codes li:first-child")) && (await onTop(".factor-codes li:last-child")),
  );
  await page.screenshot({ path: `${out}gate-above.png`, animations: "disabled" });
  await page.click(".gate button:has-text('Go on where I was')");
  await page.waitForSelector(".gate", { state: "detached" });
  check("what was typed in the dialog is still there", (await page.inputValue(".dialog input")) === `Typed by ${NAME}`);
  check("and the refusal is gone", await until(async () => (await page.$(".dialog .failure")) === null));
  await page.click(".dialog button[type=submit]");
  await page.waitForSelector(".dialog", { state: "detached" });
  check("the project is made after all", await until(() => page.url().includes("/projects/")), page.url());
  await close();
}

/** A member comes to the gate, sets an app up, and goes on. */
async function passed(base, check, open, out) {
  const guest = await open();
  await guest.page.goto(`${base}/my-work`);
  await guest.page.fill("input[name=username]", NAME);
  await guest.page.fill("input[name=password]", WORD);
  await guest.page.click("button[type=submit]");
  await guest.page.waitForSelector(".gate .setting-part");
  check("the gate can be left by signing out", (await guest.page.locator(".gate button", { hasText: "Sign out" }).count()) === 1);
  await guest.page.screenshot({ path: `${out}gate.png`, animations: "disabled" });
  await guest.page.locator(".gate button", { hasText: "Set up" }).click();
  const text = await guest.page.textContent(".gate form");
  const secret = /[A-Z2-7]{32}/.exec(text)[0];
  await guest.page.fill(".gate form input", await codeOf(base, secret));
  await guest.page.click(".gate form button[type=submit]");
  await guest.page.waitForSelector(".gate .token-new code");
  check("ten recovery codes are shown before it goes on", (await guest.page.locator(".gate .token-new code").count()) === 10);
  await guest.page.locator(".gate button", { hasText: "Go on where I was" }).click();
  await guest.page.waitForSelector(".gate", { state: "detached" });
  check(
    "the page that was wanted opens by itself",
    await until(
      async () => (await guest.page.$("main .failure")) === null && (await guest.page.$("main .welcome-card, main .work-list")) !== null,
    ),
  );
  check("and it is the one that was asked for", new URL(guest.page.url()).pathname === "/my-work");
  await guest.close();
}
