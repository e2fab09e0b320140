// Builds the application: types from the API document, type check, bundle, and the size of the first page.
// With --api only the types; with --check the bundle goes to another folder and must be equal to the committed dist/.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const FIRST_PAGE_LIMIT = 250 * 1024;
const check = process.argv.includes("--check");
const run = (command, ...args) => execFileSync("npx", ["--no-install", command, ...args], { stdio: "inherit" });

run("openapi-typescript", "../openapi.json", "-o", "src/api/schema.d.ts");
if (process.argv.includes("--api")) process.exit(0);
run("tsc", "--noEmit");
const dist = check ? mkdtempSync(join(tmpdir(), "planwright-dist-")) : "dist";
run("vite", "build", "--logLevel", check ? "error" : "warn", "--outDir", dist, "--emptyOutDir");

const total = firstPage(dist);
console.log(`first page: ${(total / 1024).toFixed(1)} kB gzipped (limit ${FIRST_PAGE_LIMIT / 1024} kB)`);
const differing = check ? differences("dist", dist) : [];
if (check) rmSync(dist, { recursive: true });
if (differing.length) {
  console.error(`ui/dist is not what a build of this source makes: ${differing.slice(0, 6).join(", ")}`);
  console.error("run: cd ui && npm ci && npm run build, and commit ui/dist");
}
process.exit(total > FIRST_PAGE_LIMIT || differing.length ? 1 : 0);

/** Lists the files of a bundle and answers how many bytes the first page loads, compressed. */
function firstPage(folder) {
  const html = readFileSync(`${folder}/index.html`, "utf8");
  const first = [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)].map((match) => match[1]);
  const size = (path) => gzipSync(readFileSync(`${folder}/${path}`), { level: 9 }).length;
  for (const path of check ? [] : readdirSync(`${folder}/assets`).sort()) {
    const mark = first.includes(`assets/${path}`) ? "first page" : "";
    console.log(`${String(size(`assets/${path}`)).padStart(8)}  ${path}  ${mark}`);
  }
  return first.reduce((sum, path) => sum + size(path), gzipSync(html).length);
}

/** The files that are missing, too many or different in one of two folders. */
function differences(one, other) {
  const files = (folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
  const all = new Set([...files(one), ...files(other)]);
  const same = (path) => {
    try {
      return readFileSync(join(one, path)).equals(readFileSync(join(other, path)));
    } catch {
      return false;
    }
  };
  return [...all].sort().filter((path) => !same(path));
}
