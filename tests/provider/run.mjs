// Runs all cases against a certified provider and prints a line for each; the last line has the counts.
// node run.mjs BINARY [CHROMIUM]
import { Client } from "./client.mjs";
import { IdentityProvider } from "./provider.mjs";
import { protocol } from "./protocol.mjs";
import { startServer } from "./server.mjs";

const [binary, chromium] = process.argv.slice(2);
const server = await startServer(binary);
const idp = new IdentityProvider(`${server.base}/api/v1/auth/oidc/callback/`);
await idp.start();

let access = "";
/** A request of the owner of the workspace. */
async function owner(method, path, json) {
  const client = new Client();
  const send = () => client.send(`${server.base}${path}`, { method, json, token: access });
  const first = access ? await send() : { status: 401 };
  if (first.status !== 401) return first;
  const signedIn = await client.send(`${server.base}/api/v1/auth/token/`, { method: "POST", json: { username: "admin", password: server.password } });
  if (signedIn.status !== 200) throw new Error(`the owner cannot sign in: ${signedIn.text}`);
  access = signedIn.json.access;
  return send();
}

const room = { base: server.base, password: server.password, owner, idp, chromium };
const cases = protocol(room);
if (chromium) Object.assign(cases, (await import("./browser.mjs")).browser(room));
const counts = { passed: 0, failed: 0 };
const problem = (error) => {
  const text = error?.stack ?? String(error);
  return text.split("\n").slice(0, 12).join("\n    ");
};
for (const [name, run] of Object.entries(cases)) {
  try {
    await run();
    counts.passed++;
    console.log(`ok   ${name}`);
  } catch (error) {
    counts.failed++;
    console.log(`FAIL ${name}\n    ${problem(error)}`);
  }
}
await idp.stop();
if (counts.failed) console.log(server.log().slice(-4000));
await server.stop();
console.log(`${counts.passed} passed, ${counts.failed} failed`);
process.exit(counts.failed ? 1 : 0);
