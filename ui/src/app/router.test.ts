import { describe, expect, it } from "vitest";
import { match } from "./router";

describe("addresses", () => {
  it("a pattern gives its names", () => expect(match("/projects/:id/board", "/projects/7/board")).toEqual({ id: "7" }));
  it("another length is another place", () => expect(match("/projects/:id", "/projects/7/board")).toBeNull());
  it("a plain part must be equal", () => expect(match("/programs/:id", "/projects/7")).toBeNull());
});
