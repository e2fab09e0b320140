import { expect, it, vi } from "vitest";
import { untilEnded } from "./jobs";

it("a job is asked for until it is there and has ended", async () => {
  vi.useFakeTimers();
  const answers = [undefined, { status: "pending" }, { status: "done" }];
  const ended = untilEnded(
    async () => answers.shift(),
    (job) => job.status === "done",
  );
  await vi.runAllTimersAsync();
  expect(await ended).toEqual({ status: "done" });
  expect(answers).toEqual([]);
  vi.useRealTimers();
});
