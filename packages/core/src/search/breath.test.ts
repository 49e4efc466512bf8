import { afterEach, expect, it, vi } from "vitest";
import { turnsOfOthers } from "../../test/turns-of-others.ts";
import { Breath } from "./breath.ts";
import type { Slices } from "./slices.ts";

afterEach(() => vi.restoreAllMocks());

/** Every look at the clock finds so much more time gone, in milliseconds. */
function passing(ms: number): void {
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => {
    now += ms;
    return now;
  });
}

/** Work that ends after so many slices; tells of each. */
function* work(slices: number, done: (slice: number) => void): Slices<string> {
  for (let slice = 1; slice <= slices; slice++) {
    done(slice);
    yield;
  }
  return "done";
}

it("E5: work goes no further once its signal fired and it lets others have their turn", async () => {
  passing(5);
  const controller = new AbortController();
  const done: number[] = [];
  const running = new Breath(controller.signal).through(
    work(1_000, (slice) => {
      done.push(slice);
      if (slice === 3) controller.abort(new Error("enough"));
    }),
  );
  await expect(running).rejects.toMatchObject({
    code: "ABORTED",
    cause: expect.objectContaining({ message: "enough" }),
  });
  expect(done).toEqual([1, 2, 3]);
});

it("J7: others have their turn as often as the work goes on for long", async () => {
  passing(5);
  const { result, turns } = await turnsOfOthers(() => new Breath().through(work(50, () => undefined)));
  expect(result).toBe("done");
  expect(turns).toBeGreaterThanOrEqual(50);
});

it("J7: short work is done without a pause", async () => {
  passing(0.001);
  let turns = 0;
  setImmediate(() => turns++);
  expect(await new Breath().through(work(50, () => undefined))).toBe("done");
  expect(turns).toBe(0);
});
