// The same with a window: Chromium goes to the provider and comes back, and a person secures their account in the application with
// an app, recovery codes and a passkey of Chromium's virtual authenticator.
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium as driver } from "playwright-core";

const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

/** The code that an app shows for a secret (RFC 6238). */
function codeOf(secret, seconds = Date.now() / 1000) {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  const bits = [...secret].map((sign) => alphabet.indexOf(sign).toString(2).padStart(5, "0")).join("");
  const bytes = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(seconds / 30)));
  const digest = createHmac("sha1", bytes).update(counter).digest();
  const at = digest[19] & 15;
  return String((digest.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}

async function open(executablePath) {
  const profile = mkdtempSync(join(tmpdir(), "planwright-provider-"));
  const context = await driver.launchPersistentContext(profile, { executablePath, headless: true, args: FLAGS, locale: "en-GB" });
  const page = context.pages()[0] ?? (await context.newPage());
  page.setDefaultTimeout(20_000);
  const close = async () => {
    await context.close();
    rmSync(profile, { recursive: true, force: true });
  };
  return { context, page, close };
}

export function browser({ base, password, idp, chromium }) {
  const inside = async (run) => {
    const opened = await open(chromium);
    try {
      await run(opened);
    } finally {
      await opened.close();
    }
  };
  const signIn = async (page) => {
    await page.goto(`${base}/`);
    await page.fill("input[name=username]", "admin");
    await page.fill("input[name=password]", password);
    await page.click("button[type=submit]");
  };
  const who = (page) => page.evaluate(async () => {
    const renewed = await fetch("/api/v1/auth/token/refresh/", { method: "POST" });
    if (!renewed.ok) return null;
    const { access } = await renewed.json();
    const me = await fetch("/api/v1/auth/me/", { headers: { authorization: `Bearer ${access}` } });
    return (await me.json()).username;
  });
  const signOut = async ({ context }) => context.clearCookies();

  return {
    "a browser signs in at the provider and comes back to the application": () => inside(async ({ page }) => {
      await page.goto(`${base}/`);
      await page.click("text=Certified");
      await page.waitForURL(`${idp.issuer}/**`);
      await page.fill("input[name=login]", "ona");
      await page.fill("input[name=password]", "any");
      await page.click("button[type=submit]");
      await page.click("button[type=submit]");
      await page.waitForURL(`${base}/auth/sso/complete`);
      await page.click("a[href='/']");
      await page.waitForSelector("main");
      assert.equal(await who(page), "ona");
    }),
    "a browser that breaks off at the provider is told so": () => inside(async ({ page }) => {
      await page.goto(`${base}/`);
      await page.click("text=Certified");
      await page.waitForURL(`${idp.issuer}/**`);
      await page.click("text=Cancel");
      await page.waitForURL(`${base}/auth/sso/complete?error=access_denied`);
      assert.match(await page.textContent("body"), /you cancelled/);
    }),
    "a person secures their account with an app and a passkey, and signs in with each": () => inside(async (opened) => {
      const { page, context } = opened;
      const cdp = await context.newCDPSession(page);
      await cdp.send("WebAuthn.enable");
      await cdp.send("WebAuthn.addVirtualAuthenticator", {
        options: { protocol: "ctap2", transport: "internal", hasResidentKey: true, hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
      });
      await signIn(page);
      await page.waitForSelector("main");
      await page.goto(`${base}/settings?part=security`);
      await page.click("button:has-text('Set up')");
      const told = await page.textContent("text=Or type this secret");
      const secret = /[A-Z2-7]{32}/.exec(told)[0];
      await page.waitForSelector("img[alt='Picture for the app']");
      const natural = await page.$eval("img[alt='Picture for the app']", (image) => image.decode().then(() => image.naturalWidth));
      assert.ok(natural >= 200, "the picture can be read");
      await page.fill("input[autocomplete=one-time-code]", codeOf(secret));
      await page.click("button:has-text('Go on')");
      const codes = await page.$$eval(".token-new code", (all) => all.map((one) => one.textContent));
      const shown = codes.length ? codes : await page.waitForSelector(".token-new code").then(() => page.$$eval(".token-new code", (all) => all.map((one) => one.textContent)));
      assert.equal(shown.length, 10);
      await page.fill("form.setting-invite input", "Chromium");
      await page.click("button:has-text('Add a passkey')");
      await page.waitForSelector("b:has-text('Chromium')");

      await signOut(opened);
      await signIn(page);
      await page.fill("input[name=code]", "000000");
      await page.click("button[type=submit]");
      await page.waitForSelector("text=This code is not accepted.");
      await page.fill("input[name=code]", codeOf(secret, Date.now() / 1000 + 30));
      await page.click("button[type=submit]");
      await page.waitForSelector("main");
      assert.equal(await who(page), "admin");

      await signOut(opened);
      await signIn(page);
      await page.fill("input[name=code]", shown[0]);
      await page.click("button[type=submit]");
      await page.waitForSelector("main");

      await signOut(opened);
      await page.goto(`${base}/`);
      await page.click("text=Sign in with a passkey");
      await page.waitForSelector("main");
      assert.equal(await who(page), "admin");
    }),
  };
}
