import { beforeEach, describe, expect, it, vi } from "vitest";

vi.mock("../plan/load", () => ({
  readRow: async (id: string) => ({ id, duration: 5, server_version: 3 }),
  readProject: vi.fn(),
  readLinks: vi.fn(),
}));
const sent: { base: unknown; body: unknown }[] = [];
vi.mock("../../api/client", async (original) => {
  const real = await original<typeof import("../../api/client")>();
  const { CallError } = await import("../../api/errors");
  return {
    ...real,
    ok: (call: Promise<unknown>) => call,
    api: {
      PATCH: async (_path: string, { params, body }: { params: { header: Record<string, unknown> }; body: Record<string, unknown> }) => {
        const base = params.header["X-Base-Version"];
        sent.push({ base, body });
        if (base === 1 && "duration" in body)
          throw new CallError(
            409,
            { code: "sync_conflict", conflict_fields: ["duration"], server_value: { duration: 5 }, client_value: { ...body } },
            null,
          );
        return { ...body, server_version: 4 };
      },
    },
  };
});

import { Desk } from "../desk";
import { draftRow } from "../plan/row";
import { shownValue } from "./conflict";
import { kept, patch } from "./patch";

function desk(): Desk {
  globalThis.requestAnimationFrame = (() => 0) as never;
  const made = new Desk("p");
  made.plan.setRows([{ ...draftRow("t", null), name: "Dig", wbs_path: "1", duration: 3, server_version: 1 }]);
  return made;
}

beforeEach(() => {
  kept.value = [];
  sent.length = 0;
});

describe("a field that two people changed", () => {
  it("keeps mine as a chip, shows theirs, and sends the other fields", async () => {
    const on = desk();
    await on.edits.run(patch(on, on.plan.rows[0]!, { duration: 8, name: "Dig on" }, { base: 1, chips: true }));
    await new Promise((done) => setTimeout(done, 5));
    expect(kept.value.map(({ field, theirs, mine }) => [field, theirs, mine])).toEqual([["duration", 5, 8]]);
    expect(on.plan.rows[0]!.duration).toBe(5);
    expect(sent.at(-1)).toEqual({ base: undefined, body: { name: "Dig on" } });
  });
  it("is written when I keep mine", async () => {
    const on = desk();
    await on.edits.run(patch(on, on.plan.rows[0]!, { duration: 8 }, { base: 1, chips: true }));
    kept.value[0]!.keepMine();
    await new Promise((done) => setTimeout(done, 5));
    expect(kept.value).toEqual([]);
    expect(sent.at(-1)).toEqual({ base: undefined, body: { duration: 8 } });
  });
  it("my own edit before is no conflict", async () => {
    const on = desk();
    on.written.set("t", 2);
    expect(await on.edits.run(patch(on, on.plan.rows[0]!, { duration: 8 }, { base: 1, chips: true }))).toBe(true);
    expect(sent[0]!.base).toBe(2);
  });
  it("is shown as people read it", () => {
    expect(shownValue("deadline", null)).toBe("–");
    expect(shownValue("duration", 5)).toContain("5");
    expect(shownValue("deadline", "2027-01-04")).not.toBe("2027-01-04");
  });
});
