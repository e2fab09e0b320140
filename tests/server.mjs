// The server under test: a process of its own with a fresh directory, and the owner who was made at its first start.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PASSWORD = "planwright-demo";

async function freePort() {
  const probe = createServer();
  await new Promise((done) => probe.listen(0, "127.0.0.1", done));
  const { port } = probe.address();
  await new Promise((done) => probe.close(done));
  return port;
}

/** Starts the program and waits until it answers. */
export async function startServer(binary) {
  const port = await freePort();
  const directory = mkdtempSync(join(tmpdir(), "planwright-cases-"));
  const base = `http://localhost:${port}`;
  const process_ = spawn(binary, ["serve", "--demo", "--data-dir", directory], {
    env: {
      ...process.env, SVC_LISTEN: `127.0.0.1:${port}`, SVC_PUBLIC_URL: base, SVC_EGRESS_ALLOWLISTED_HOSTS: "127.0.0.1",
      SVC_RATE_LIMIT_ENABLED: "false", SVC_RATE_LIMIT_DISABLE_ACK: "tests", SVC_AUTH_REFRESH_COOKIE_SECURE: "False",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let log = "";
  process_.stdout.on("data", (data) => (log += data));
  process_.stderr.on("data", (data) => (log += data));
  let ended = false;
  process_.on("exit", () => (ended = true));
  for (let turn = 0; turn < 600; turn++) {
    if (ended) throw new Error(`the server ended: ${log.slice(-2000)}`);
    const answer = await fetch(`${base}/api/v1/readyz`).catch(() => null);
    if (answer?.ok) break;
    if (turn === 599) throw new Error(`the server does not answer: ${log.slice(-2000)}`);
    await new Promise((done) => setTimeout(done, 100));
  }
  const stop = async () => {
    const gone = ended ? null : new Promise((done) => process_.once("exit", done));
    process_.kill("SIGTERM");
    await gone;
    rmSync(directory, { recursive: true, force: true });
  };
  return { base, password: PASSWORD, stop, log: () => log };
}
