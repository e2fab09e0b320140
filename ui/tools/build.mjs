// Builds the application: types from the API document, type check, bundle, and the size of the first page.
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { gzipSync } from "node:zlib";

const FIRST_PAGE_LIMIT = 250 * 1024;
const run = (command, ...args) => execFileSync("npx", ["--no-install", command, ...args], { stdio: "inherit" });

run("openapi-typescript", "../openapi.json", "-o", "src/api/schema.d.ts");
if (process.argv.includes("--api")) process.exit(0);
run("tsc", "--noEmit");
run("vite", "build", "--logLevel", "warn");

const html = readFileSync("dist/index.html", "utf8");
const first = [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)].map((match) => match[1]);
const size = (path) => gzipSync(readFileSync(`dist/${path}`), { level: 9 }).length;
let total = gzipSync(html).length;
for (const path of first) total += size(path);
for (const path of readdirSync("dist/assets").sort()) {
  const mark = first.includes(`assets/${path}`) ? "first page" : "";
  console.log(`${String(size(`assets/${path}`)).padStart(8)}  ${path}  ${mark}`);
}
console.log(`first page: ${(total / 1024).toFixed(1)} kB gzipped (limit ${FIRST_PAGE_LIMIT / 1024} kB)`);
if (total > FIRST_PAGE_LIMIT) process.exit(1);
