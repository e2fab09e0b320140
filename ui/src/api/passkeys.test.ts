import { describe, expect, it } from "vitest";
import { canUsePasskeys, hasName } from "./passkeys";

describe("passkeys", () => {
  it("belong to a name, never to a number", () => {
    for (const host of ["localhost", "plan.example.org", "10.example"]) expect(hasName(host), host).toBe(true);
    for (const host of ["127.0.0.1", "192.168.0.7", "[::1]", ""]) expect(hasName(host), host).toBe(false);
  });

  it("are not offered where there is no authenticator", () => {
    expect(canUsePasskeys()).toBe(false);
  });
});
