import { describe, expect, it } from "vitest";
import { pause, startTimer, unlessAborted } from "./waiting.ts";

describe("waiting", () => {
  it("E5: a wait ends when its time is over, or at once when the signal fires", async () => {
    await pause(1);
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 1);
    await pause(3_600_000, controller.signal);
    expect(controller.signal.aborted).toBe(true);
  });

  it("W6: a time limit beyond what timers take doesn't fire at once", async () => {
    let isLate = false;
    const cancel = startTimer(Number.POSITIVE_INFINITY, () => {
      isLate = true;
    });
    await pause(5);
    cancel();
    expect(isLate).toBe(false);
  });

  it("E5: work that fails after the signal fired is nobody's unhandled rejection", async () => {
    let fail = (_error: Error): void => {};
    const work = new Promise<never>((_, reject) => {
      fail = reject;
    });
    await expect(unlessAborted(work, AbortSignal.abort("stop"), "The test")).rejects.toMatchObject({
      code: "ABORTED",
      cause: "stop",
    });
    fail(new Error("too late"));
    await pause(1);
    expect(await unlessAborted(Promise.resolve(1), undefined, "The test")).toBe(1);
  });
});
