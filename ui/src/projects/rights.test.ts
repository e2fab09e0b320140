import { expect, it } from "vitest";
import { may } from "./rights";

const none = { is_scrum_master: false, is_product_owner: false };

it("a viewer may change nothing, and nobody may before the project is read", () => {
  expect(may(null, "takePart")).toBe(false);
  for (const right of ["author", "runSprints", "editProject", "manage", "own", "seeCapacity"] as const)
    expect(may({ my_role: 1, can_author: false }, right)).toBe(false);
});

it("a resource manager links and sees capacity, and does not author the plan", () => {
  const place = { my_role: 200, can_author: false };
  expect([may(place, "link"), may(place, "seeCapacity"), may(place, "author"), may(place, "manage")]).toEqual([true, true, false, false]);
});

it("what was added to a sprint is decided by managers, and by members who lead the team", () => {
  expect(may({ my_role: 100, my_facets: none }, "decideScope")).toBe(false);
  expect(may({ my_role: 100, my_facets: { ...none, is_product_owner: true } }, "decideScope")).toBe(true);
  expect(may({ my_role: 300, my_facets: none }, "decideScope")).toBe(true);
});

it("a project manager publishes and uses templates, but not in an archived project", () => {
  expect([200, 300].map((my_role) => may({ my_role }, "useTemplates"))).toEqual([false, true]);
  expect(may({ my_role: 400, is_archived: true }, "useTemplates")).toBe(false);
});

it("an archived project is only read, exported and owned", () => {
  const place = { my_role: 400, can_author: true, is_archived: true };
  expect([may(place, "author"), may(place, "manage"), may(place, "keepMembers")]).toEqual([false, false, false]);
  expect([may(place, "read"), may(place, "export"), may(place, "own")]).toEqual([true, true, true]);
});
