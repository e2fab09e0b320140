// An admin invites; the invited person enters by the link of the letter; outsiders fail. The network is lost on the way.
import { call, invitedLink, signIn, token, until } from "../browser.mjs";

export const name = "an admin invites, and an outsider fails";

const NAME = `noor${Date.now() % 1e6}`;
const EMAIL = `${NAME}@example.org`;
/** The names of controls that write. */
const WRITES = /new|add|delete|remove|archive|save|columns and limits|status:|probability:|impact:|goal|start the|close the|role:|link\b/i;

export async function run({ page, context, base, check, open, shot }) {
  const folder = process.env.PLANWRIGHT_STORY_MAIL;
  const access = await token(base);
  const secret = await call(base, access, "POST", "/projects/", { name: "Board papers", start_date: "2027-01-04" });
  await signIn(page, base);
  await page.goto(`${base}/settings?part=members`);
  await page.waitForSelector(".setting-invite input");
  await context.setOffline(true);
  await page.fill(".setting-invite input", EMAIL);
  await page.click(".setting-invite button");
  await page.waitForSelector("main .failure");
  check("without a network the address stays in its field", (await page.inputValue(".setting-invite input")) === EMAIL);
  await context.setOffline(false);
  await page.click(".setting-invite button");
  check("the invite is listed", await until(async () => (await page.textContent(".setting-list").catch(() => "")).includes(EMAIL)));
  check("its field is empty again", await until(async () => (await page.inputValue(".setting-invite input")) === ""));
  await shot("members");
  const link = await until(() => invitedLink(folder, EMAIL));
  check("a letter with a link is sent", link, `${folder}`);
  if (!link) return;

  const guest = await open();
  await guest.page.goto(`${base}${link.slice(0, -4)}AAAA`);
  check("a forged link opens nothing", (await guest.page.$("input[name=password]")) === null);
  await guest.page.goto(`${base}${link}`);
  const enter = async (password, again) => {
    await guest.page.fill("input[name=username]", NAME);
    await guest.page.fill("input[name=password]", password);
    await guest.page.fill("input[name=again]", again);
    await guest.page.click("form button");
  };
  await enter("a-long-way-to-harbour-7", "something else");
  check("two different passwords are refused", await until(async () => (await guest.page.textContent("body")).includes("differ")));
  await enter("a-long-way-to-harbour-7", "a-long-way-to-harbour-7");
  check(
    "the invited person is welcome",
    await until(async () => (await guest.page.$("input[name=password]")) === null && (await guest.page.textContent("body")).includes(NAME)),
  );
  await guest.page.goto(`${base}${link}`);
  check("the link works once", (await guest.page.$("input[name=password]")) === null);

  await signIn(guest.page, base, NAME, "a-long-way-to-harbour-7");
  check("the invited person enters", (await guest.page.$(".rail")) !== null);
  await guest.page.goto(`${base}/settings?part=members`);
  await guest.page.waitForSelector("main h1");
  check(
    "a member sees no settings of the workspace",
    (await guest.page.$(".setting-invite")) === null && !(await guest.page.textContent("main")).includes("Invite"),
  );
  await guest.page.goto(`${base}/projects/${secret.id}/schedule`);
  check("a project of others is not shown", await until(() => guest.page.$("main .lost")));
  check("not even its name", !(await guest.page.textContent("body")).includes("Board papers"));
  const seen = await call(base, access, "POST", "/projects/", { name: "Quay wall", start_date: "2027-01-04" });
  await call(base, access, "POST", "/tasks/", { project: seen.id, name: "Dig" });
  await call(base, access, "POST", `/projects/${seen.id}/risks/`, { title: "Storm", probability: 3, impact: 3 });
  const person = (await call(base, access, "GET", `/workspace/members/?search=${NAME}`)).results.find((one) => one.email === EMAIL);
  await call(base, access, "POST", `/projects/${seen.id}/members/`, { user: person.id, role: 1 });
  const refused = [];
  guest.page.on("response", (answer) => answer.status() === 403 && refused.push(answer.url()));
  const offered = [];
  for (const path of [
    "schedule",
    "board",
    "sprint",
    "forecast",
    "risks",
    "people",
    "history",
    "settings",
    "settings?part=calendar",
    "settings?part=webhooks",
    "settings?part=sharing",
    "settings?part=trash",
  ]) {
    await guest.page.goto(`${base}/projects/${seen.id}/${path}`);
    await guest.page.waitForLoadState("networkidle");
    await guest.page.waitForFunction(() => document.querySelector(".bar-tabs") && !document.querySelector(".skeleton"));
    const names = await guest.page.$$eval("main :is(button, input, select, textarea)", (all) =>
      all.filter((one) => !one.matches(":disabled")).map((one) => one.ariaLabel || one.textContent.trim() || one.placeholder),
    );
    offered.push(...names.filter((one) => WRITES.test(one)).map((one) => `${path}: ${one}`));
  }
  check("the pages of a viewer ask for nothing that is refused", refused.length === 0, refused.join(" "));
  check("and offer nothing that would be", offered.length === 0, offered.join(" | "));
  await guest.close();

  const stranger = await open();
  await stranger.page.goto(`${base}/projects/${secret.id}/schedule`);
  await stranger.page.fill("input[name=username]", NAME);
  await stranger.page.fill("input[name=password]", "not-the-password-of-noor");
  await stranger.page.click("button[type=submit]");
  check(
    "an outsider with a wrong password fails and is told",
    (await until(() => stranger.page.$("[aria-invalid=true]"))) && (await stranger.page.$(".rail")) === null,
  );
  check("the name that was typed stays", (await stranger.page.inputValue("input[name=username]")) === NAME);
  await stranger.page.goto(`${base}/no/such/page`);
  check(
    "an unknown address says so and leads on",
    (await stranger.page.textContent(".lost")).includes("/no/such/page") && (await stranger.page.$(".lost a[href='/']")) !== null,
  );
  await stranger.close();
}
