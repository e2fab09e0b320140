// Files of a project are saved and say what they leave out; an archive is made, followed and saved; a program has the same.
import { readFileSync, rmSync } from "node:fs";
import { call, signIn, token, until } from "../browser.mjs";

export const name = "files, documents and archives are taken away";

export async function run({ page, base, check, shot, out }) {
  const access = await token(base);
  await signIn(page, base);
  const program = (await call(base, access, "POST", "/programs/", { name: "Harbour" })).id;
  const project = (await call(base, access, "POST", "/projects/", { name: "Quay", start_date: "2027-01-04", program })).id;
  for (const one of ["Drive piles", "Cast caps"])
    await call(base, access, "POST", "/tasks/", { project, name: one, duration: 3, story_points: 5 });
  const saved = async (button) => {
    const [file] = await Promise.all([page.waitForEvent("download"), page.click(button)]);
    const kept = `${out}${file.suggestedFilename()}`;
    await file.saveAs(kept);
    const bytes = readFileSync(kept);
    rmSync(kept);
    return { name: file.suggestedFilename(), bytes };
  };
  await page.goto(`${base}/projects/${project}/settings`);
  const plan = await saved('button:has-text("Microsoft Project")');
  check("a file of another program is saved", plan.name === "Quay.xml" && plan.bytes.includes("Drive piles"), plan.name);
  const left = async () => (await page.textContent(".setting-part [role=status] section", { timeout: 2000 }).catch(() => "")) ?? "";
  check("it says what the file leaves out", await until(async () => /story.points/i.test(await left())), await left());
  const book = await saved('button:has-text("Excel")');
  check("a workbook is saved", book.name === "Quay.xlsx" && book.bytes.subarray(0, 2).toString() === "PK", book.name);
  const document = await saved('button:has-text("Document (JSON)")');
  check("a document is saved", JSON.parse(document.bytes.toString()).projects[0].tasks.length === 2);
  await page.click('button:has-text("Make an archive")');
  await page.waitForSelector('button[aria-label^="Save the archive"]');
  await shot("take-away");
  const archive = await saved('button[aria-label^="Save the archive"]');
  check("an archive is made, kept and saved", /\.tar\.gz$/.test(archive.name) && archive.bytes.readUInt16BE(0) === 0x1f8b, archive.name);
  check("it says until when", /kept until/.test((await page.textContent('li:has(button[aria-label^="Save the archive"])')) ?? ""));

  await page.goto(`${base}/programs/${program}/settings`);
  await page.click('button:has-text("Make an archive")');
  await page.waitForSelector('button[aria-label^="Save the archive"]');
  const whole = await saved('button:has-text("Document (JSON)")');
  check("a program is taken away in the same way", JSON.parse(whole.bytes.toString()).program.name === "Harbour");
}
