// Makes a plan with many rows on a running server, for measurements: phases of nineteen tasks, each linked to the one before.
import { call } from "../stories/browser.mjs";

const SIZE = 500;

/** The id of the project with this many rows; it is made if it is not there. */
export async function bigPlan(base, access, rows) {
  const name = `Measured plan ${rows}`;
  const { results } = await call(base, access, "GET", `/projects/?search=${encodeURIComponent(name)}`);
  if (results.length) return results[0].id;
  const { id } = await call(base, access, "POST", "/projects/", { name, start_date: "2026-01-05" });
  const ids = Array.from({ length: rows }, () => uuid());
  const isPhase = (at) => at % 20 === 0;
  for (let from = 0; from < rows; from += SIZE) {
    const operations = [];
    const created = [];
    for (let at = from; at < Math.min(rows, from + SIZE); at++) {
      const data = { name: isPhase(at) ? `Phase ${at / 20 + 1}` : `Task ${at} of the measured plan`, duration: 1 + ((at * 7) % 9) };
      if (!isPhase(at)) data.parent_id = ids[at - (at % 20)];
      operations.push({ op: "create", id: ids[at], data });
      if (!isPhase(at) && at % 20 > 1)
        created.push({ predecessor: ids[at - 1], successor: ids[at], dep_type: "FS", lag: at % 3 === 0 ? 1 : 0 });
      else if (at % 20 === 1 && at > 40) created.push({ predecessor: ids[at - 22 - (at % 7)], successor: ids[at], dep_type: "SS", lag: 5 });
    }
    const links = created.filter((link) => !isPhase(ids.indexOf(link.predecessor)));
    const answer = await call(base, access, "POST", `/projects/${id}/tasks/bulk/`, { operations, dependencies: { created: links } });
    if (answer.rejected.length) throw new Error(JSON.stringify(answer.rejected[0]));
  }
  return id;
}

/** A version 7 UUID, as the server makes them. */
function uuid() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  new DataView(bytes.buffer).setUint32(0, Math.floor(Date.now() / 65536));
  new DataView(bytes.buffer).setUint16(4, Date.now() & 65535);
  bytes[6] = 0x70 | (bytes[6] & 15);
  bytes[8] = 0x80 | (bytes[8] & 63);
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
