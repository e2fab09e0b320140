// Reads a plan with the official clients of the Model Context Protocol and prints a line for each case; the last line has the
// counts. node run.mjs BINARY PYTHON
import { execFile } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { furnish } from "./plan.mjs";
import { startServer } from "./server.mjs";
import { typescript } from "./typescript.mjs";

const [binary, python] = process.argv.slice(2);
const server = await startServer(binary);
const plan = { binary, base: server.base, ...(await furnish(server)) };
const cases = {};
for (const way of ["HTTP", "standard input"]) Object.assign(cases, typescript(plan, way));
const counts = { passed: 0, failed: 0 };
for (const [name, run] of Object.entries(cases)) {
  try {
    await run();
    counts.passed++;
    console.log(`ok   ${name}`);
  } catch (error) {
    counts.failed++;
    console.log(`FAIL ${name}\n    ${(error?.stack ?? String(error)).split("\n").slice(0, 12).join("\n    ")}`);
  }
}
const given = join(mkdtempSync(join(tmpdir(), "planwright-agents-")), "plan.json");
writeFileSync(given, JSON.stringify(plan));
// While this program waits, it goes on to read what the server logs; a full pipe would stop the server.
const told = await new Promise((done) => {
  execFile(python, ["client.py", given], { timeout: 300_000, maxBuffer: 2 ** 26 }, (_, said, wrong) => done({ said, wrong }));
});
process.stdout.write(told.said);
const last = /(\d+) passed, (\d+) failed\s*$/.exec(told.said);
if (!last) console.log(`FAIL the Python client did not end with its counts\n    ${told.wrong.slice(-2000)}`);
counts.passed += Number(last?.[1] ?? 0);
counts.failed += Number(last?.[2] ?? 1);
if (counts.failed) console.log(server.log().slice(-4000));
await server.stop();
console.log(`${counts.passed} passed, ${counts.failed} failed`);
process.exit(counts.failed ? 1 : 0);
