// What the server does with a certified provider, without a window: the walk, and everything that must lead nowhere.
import assert from "node:assert/strict";
import { Client } from "./client.mjs";
import { CLIENT, key } from "./provider.mjs";

/** The word in the address of the client; blank after a sign-in. */
function word(answer) {
  assert.equal(answer.status, 302, answer.text);
  return new URL(answer.location).searchParams.get("error") ?? "";
}

export function protocol({ base, owner, idp }) {
  const callback = `${base}/api/v1/auth/oidc/callback/`;
  const provider = (change) => owner("PUT", "/api/v1/workspace/sso/providers/generic/", change);
  const begin = async (client) => (await client.send(`${base}/api/v1/auth/oidc/login/`)).location;
  const walk = async (person, { client = new Client(), change = (url) => url } = {}) => {
    const sent = new URL(await begin(client));
    const back = await client.agree(change(sent).href, callback, person);
    return { client, back, answer: await client.send(back) };
  };
  const changed = (name, value) => (url) => (url.searchParams.set(name, value), url);

  return {
    "a provider is found by its issuer": async () => {
      const body = {
        slug: "generic", display_name: "Certified", client_id: CLIENT.id, client_secret: CLIENT.secret, server_url: idp.issuer,
        allowed_email_domains: ["example.org"], auto_create_members: true, enabled: true,
      };
      const made = await owner("POST", "/api/v1/workspace/sso/providers/", body);
      assert.equal(made.status, 201, made.text);
      assert.equal(made.json.redirect_uri, callback);
      const tried = await owner("POST", "/api/v1/workspace/sso/providers/generic/test-connection/", {});
      assert.equal(tried.json.ok, true, tried.text);
      assert.equal(tried.json.issuer, idp.issuer);
    },
    "a sign-in asks with PKCE, a nonce and a state, and ends in a session": async () => {
      const client = new Client();
      const sent = new URL(await begin(client)).searchParams;
      assert.equal(sent.get("code_challenge_method"), "S256");
      for (const name of ["code_challenge", "nonce", "state"]) assert.ok(sent.get(name).length >= 20, name);
      const { client: browser, answer } = await walk("ona");
      assert.equal(word(answer), "");
      const access = await browser.send(`${base}/api/v1/auth/token/refresh/`, { method: "POST" });
      assert.equal(access.status, 200, access.text);
      const me = await browser.send(`${base}/api/v1/auth/me/`, { token: access.json.access });
      assert.equal(me.json.username, "ona");
      assert.equal(me.json.display_name, "Ona Maria Li");
    },
    "an answer is used once": async () => {
      const { client, back } = await walk("ona");
      assert.equal(word(await client.send(back)), "invalid_state");
    },
    "an answer that was stolen is of no use in another browser": async () => {
      const client = new Client();
      const back = await client.agree(await begin(client), callback, "ona");
      assert.equal(word(await new Client().send(back)), "invalid_state");
      assert.equal(word(await client.send(back)), "", "and it is still good in its own");
    },
    "looking at an answer does not use it": async () => {
      const client = new Client();
      const back = await client.agree(await begin(client), callback, "ona");
      assert.equal((await client.send(back, { method: "HEAD" })).status, 405);
      assert.equal(word(await client.send(back)), "");
    },
    "a token with another nonce is refused": async () => {
      assert.equal(word((await walk("ona", { change: changed("nonce", "another-nonce") })).answer), "invalid_id_token");
    },
    "a code that was asked for with another challenge is not exchanged": async () => {
      const other = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
      assert.equal(word((await walk("ona", { change: changed("code_challenge", other) })).answer), "token_exchange_failed");
    },
    "the code of another sign-in is refused": async () => {
      const [mine, theirs] = [new Client(), new Client()];
      const own = new URL(await mine.agree(await begin(mine), callback, "ona"));
      const foreign = new URL(await theirs.agree(await begin(theirs), callback, "noor"));
      own.searchParams.set("code", foreign.searchParams.get("code"));
      assert.equal(word(await mine.send(own.href)), "token_exchange_failed");
    },
    "an answer that another issuer gives is refused": async () => {
      const client = new Client();
      const back = new URL(await client.agree(await begin(client), callback, "ona"));
      assert.equal(back.searchParams.get("iss"), idp.issuer);
      back.searchParams.set("iss", "https://evil.example");
      assert.equal(word(await client.send(back.href)), "invalid_state");
    },
    "an answer without a state, or with an unknown one, is refused": async () => {
      const client = new Client();
      const back = new URL(await client.agree(await begin(client), callback, "ona"));
      const none = new URL(back);
      none.searchParams.delete("state");
      assert.equal(word(await client.send(none.href)), "invalid_request");
      back.searchParams.set("state", "unknown");
      assert.equal(word(await client.send(back.href)), "invalid_state");
    },
    "somebody who breaks off at the provider is told so": async () => {
      const client = new Client();
      const back = await client.agree(await begin(client), callback, "ona", { breakOff: true });
      assert.equal(word(await client.send(back)), "access_denied");
    },
    "keys that were exchanged are read once more": async () => {
      idp.keys = [key()];
      await idp.start();
      assert.equal(word((await walk("ona")).answer), "");
    },
    "a token that is signed with ES256 is accepted": async () => {
      idp.keys = [key(), key("ES256")];
      idp.algorithm = "ES256";
      await idp.start();
      assert.equal(word((await walk("ona")).answer), "");
      idp.algorithm = "RS256";
      await idp.start();
    },
    "an address that is not verified, or of another domain, leads nowhere": async () => {
      idp.people.set("vera", { email_verified: false });
      idp.people.set("mara", { email: "mara@elsewhere.test" });
      assert.equal(word((await walk("vera")).answer), "email_unverified");
      assert.equal(word((await walk("mara")).answer), "sso_no_member");
    },
    "an address that somebody else had leads nowhere": async () => {
      idp.people.set("thief", { email: "ona@example.org" });
      assert.equal(word((await walk("thief")).answer), "sso_no_member");
    },
    "a secret that the provider does not know is not accepted": async () => {
      assert.equal((await provider({ client_secret: "another secret" })).status, 200);
      assert.equal(word((await walk("ona")).answer), "token_exchange_failed");
      await provider({ client_secret: CLIENT.secret });
      assert.equal(word((await walk("ona")).answer), "");
    },
    "a provider that is away is 502, at the start and at the exchange": async () => {
      const client = new Client();
      const back = await client.agree(await begin(client), callback, "ona");
      await idp.stop();
      assert.equal((await client.send(back)).status, 502);
      await provider({ display_name: "Away" });
      assert.equal((await client.send(`${base}/api/v1/auth/oidc/login/`)).status, 502);
      await idp.start();
      await provider({ display_name: "Certified" });
      assert.equal(word((await walk("ona")).answer), "");
    },
    "the provider takes somebody out with their account": async () => {
      const members = await owner("GET", "/api/v1/workspace/members/");
      const rows = members.json.results ?? members.json;
      const noor = await walk("noor");
      assert.equal(word(noor.answer), "");
      const found = (await owner("GET", "/api/v1/users/search/?q=noor")).json;
      const id = (found.results ?? found)[0].id;
      assert.ok(rows.every((row) => row.id !== id));
      assert.equal((await owner("PATCH", `/api/v1/workspace/members/${id}/`, { status: "deactivated" })).status, 200);
      assert.equal(word((await walk("noor")).answer), "sso_account_disabled");
    },
  };
}
