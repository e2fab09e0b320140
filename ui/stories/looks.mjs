// Compares a picture with the one that is kept. Both are made small first, so that the edges of letters do not count.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { PNG } from "pngjs";

/** How far a colour of a small point may be off, of 255, and how many points may be further off. */
const NEAR = 40;
const SHARE = 0.01;

/** Averages squares of `by` × `by` points. */
export function smaller(image, by) {
  const out = new PNG({ width: Math.floor(image.width / by), height: Math.floor(image.height / by) });
  for (let y = 0; y < out.height; y++) {
    for (let x = 0; x < out.width; x++) {
      for (let part = 0; part < 4; part++) {
        let sum = 0;
        for (let dy = 0; dy < by; dy++)
          for (let dx = 0; dx < by; dx++) sum += image.data[((y * by + dy) * image.width + x * by + dx) * 4 + part];
        out.data[(y * out.width + x) * 4 + part] = Math.round(sum / (by * by));
      }
    }
  }
  return out;
}

/** The share of points of two pictures of one size that differ. */
export function difference(one, other) {
  if (one.width !== other.width || one.height !== other.height) return 1;
  let differing = 0;
  for (let at = 0; at < one.data.length; at += 4) {
    if ([0, 1, 2].some((part) => Math.abs(one.data[at + part] - other.data[at + part]) > NEAR)) differing++;
  }
  return differing / (one.data.length / 4);
}

/** Whether a picture looks like the kept one; `keep` writes it anew. Answers what is wrong, or nothing. */
export function looksAs(path, bytes, by, keep, failed) {
  const now = smaller(PNG.sync.read(bytes), by);
  if (keep) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, PNG.sync.write(now, { colorType: 2, deflateLevel: 9 }));
    return "";
  }
  if (!existsSync(path)) return "no picture is kept";
  // A second step to a quarter of the size: a letter that is drawn a point further to the side is no difference.
  const share = difference(smaller(PNG.sync.read(readFileSync(path)), 4), smaller(now, 4));
  if (share <= SHARE) return "";
  writeFileSync(failed, PNG.sync.write(now));
  return `${(share * 100).toFixed(1)} % of it differ; ${failed} has the new picture`;
}
