import { afterEach, describe, expect, it } from "vitest";
import { accessToken, ended, forgetToken, holdToken, letIn, sessionState } from "./session";

const enter = () => {
  holdToken("a.e30.c");
  letIn();
};

describe("the end of a session", () => {
  afterEach(() => forgetToken(false));

  it("tells how it ended, and a new sign-in forgets that", () => {
    enter();
    forgetToken(false, "elsewhere");
    expect([sessionState.value, ended.value, accessToken()]).toEqual(["out", "elsewhere", null]);
    enter();
    expect([sessionState.value, ended.value]).toEqual(["in", null]);
  });
  it("says nothing if the person signed out here, or was never in", () => {
    enter();
    forgetToken(false);
    expect(ended.value).toBeNull();
    forgetToken(false, "elsewhere");
    forgetToken(false, "tab");
    expect(ended.value).toBeNull();
  });
  it("drops the waiting page when the person signs out in another tab", () => {
    enter();
    forgetToken(false, "elsewhere");
    forgetToken(false, "elsewhere");
    expect(ended.value).toBe("elsewhere");
    forgetToken(false, "tab");
    expect(ended.value).toBe("tab");
  });
});
