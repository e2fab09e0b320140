import { describe, expect, it } from "vitest";
import { addresses, wish } from "./calendar_feed_form";

describe("the form of a calendar feed", () => {
  it("asks for the milestones of one place, or for one's own tasks", () => {
    const form = { name: " Bridge ", withDone: true };
    const rest = { name: "Bridge", include_done: true };
    expect(wish({ ...form, source: "project:7" })).toEqual({ content_kind: "milestones", project: "7", ...rest });
    expect(wish({ ...form, source: "program:8" })).toEqual({ content_kind: "milestones", program: "8", ...rest });
    expect(wish({ ...form, source: "my_tasks" })).toEqual({ content_kind: "my_tasks", ...rest });
  });

  it("makes an address to copy and one that opens a calendar program", () => {
    expect(addresses("https://plan.example.test", "/calendar/x.ics")).toEqual({
      copied: "https://plan.example.test/calendar/x.ics",
      opened: "webcal://plan.example.test/calendar/x.ics",
    });
  });
});
