// Measures the schedule with many rows in headless Chromium: first rows, and the frames of wheel, fast wheel, zoom and drag.
// Usage: node tools/frames.mjs [SERVER] [ROWS]. The gate is p95 ≤ 17.5 ms; an empty page reads 16.7 to 16.8.
import { open, signIn, token } from "../stories/browser.mjs";
import { bigPlan } from "./big_plan.mjs";
import { serve } from "./serve.mjs";

const [server = "http://127.0.0.1:8080", rows = "10000"] = process.argv.slice(2);
const GATE = 17.5;
const FIRST_ROWS = 500;

const host = await serve(0, server);
const base = `http://127.0.0.1:${host.address().port}`;
const project = await bigPlan(base, await token(base), Number(rows));
const browser = await open({ width: 1920, height: 1080 });
const { page } = browser;
await signIn(page, base);

await page.goto(`${base}/projects/${project}/schedule?measure`);
await page.waitForSelector(".grid-row .cell.name");
const first = await page.evaluate(() => {
  const paint = performance.getEntriesByType("mark").find((mark) => mark.name === "planwright.first_rows");
  return paint ? paint.startTime : NaN;
});
await page.waitForFunction((n) => window.desk?.plan.count === n && window.desk.plan.links.count > 0, Number(rows), { timeout: 60_000 });
await page.waitForTimeout(1500);

/** Collects the time between frames while `act` runs. */
async function frames(name, act) {
  await page.evaluate(() => {
    window.frameTimes = [];
    let before = performance.now();
    window.frameRun = true;
    const tick = (now) => {
      window.frameTimes.push(now - before);
      before = now;
      if (window.frameRun) requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  });
  await act();
  const times = await page.evaluate(() => {
    window.frameRun = false;
    return window.frameTimes.slice(2);
  });
  times.sort((a, b) => a - b);
  const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))];
  const line = { name, frames: times.length, p50: at(0.5), p95: at(0.95), p99: at(0.99), longest: times[times.length - 1] };
  const show = (value) => value.toFixed(1).padStart(6);
  const shares = `p50 ${show(line.p50)}  p95 ${show(line.p95)}  p99 ${show(line.p99)}`;
  console.log(`${name.padEnd(12)} ${String(line.frames).padStart(5)} frames  ${shares}  longest ${show(line.longest)}`);
  return line;
}

const wheel = (dx, dy, count, pause) => async () => {
  for (let i = 0; i < count; i++) {
    await page.mouse.wheel(dx, dy);
    await page.waitForTimeout(pause);
  }
};

await page.mouse.move(1300, 600);
const lines = [];
lines.push(await frames("idle", () => page.waitForTimeout(2000)));
lines.push(await frames("wheel", wheel(0, 100, 120, 12)));
lines.push(await frames("fast wheel", wheel(0, 1400, 120, 12)));
lines.push(await frames("pan", wheel(60, 0, 120, 12)));
await page.evaluate(() => window.desk.fit());
lines.push(
  await frames("zoom", async () => {
    await page.keyboard.down("Control");
    for (let i = 0; i < 120; i++) {
      await page.mouse.wheel(0, i % 60 < 30 ? -40 : 40);
      await page.waitForTimeout(12);
    }
    await page.keyboard.up("Control");
  }),
);
const bar = await page.evaluate(() => {
  const { desk } = window;
  desk.view.place(desk.plan.start[desk.plan.visible[2]] - 4, 24);
  desk.scroll(0);
  const task = desk.plan.visible[2];
  const box = document.querySelector(".chart").getBoundingClientRect();
  return { x: box.left + desk.view.x(desk.plan.start[task]) + 12, y: box.top + 48 + 2.5 * desk.view.rowHeight };
});
await page.waitForTimeout(300);
lines.push(
  await frames("drag", async () => {
    await page.mouse.move(bar.x, bar.y);
    await page.mouse.down();
    for (let i = 0; i < 120; i++) {
      await page.mouse.move(bar.x + 4 * i, bar.y);
      await page.waitForTimeout(10);
    }
    await page.keyboard.press("Escape");
  }),
);
await page.mouse.move(10, 10);
console.log(`first rows   ${first.toFixed(0)} ms after the navigation began (limit ${FIRST_ROWS})`);
const bad = lines.filter((line) => line.name !== "idle" && line.p95 > GATE);
console.log(bad.length ? `too slow: ${bad.map((line) => line.name).join(", ")}` : `every p95 is at most ${GATE} ms`);
await browser.close();
host.close();
process.exit(bad.length || first > FIRST_ROWS ? 1 : 0);
