import { createMemory } from "@throughline/core";
import { scriptedClock } from "../doubles/scripted-clock.ts";
import { sequentialIds } from "../doubles/sequential-ids.ts";
import { type StoreHooks, withPlace } from "../store/run-store-case.ts";
import type { MemoryBench, MemoryCase } from "./memory-suite.ts";

const START = "2026-03-01T09:00:00.000Z";

/** Runs one case over a fresh store and clears up after it. Rejects where the behaviour isn't there. */
export async function runMemoryCase(hooks: StoreHooks, memoryCase: MemoryCase): Promise<void> {
  await withPlace(hooks, async (store, { directory }) => {
    const clock = scriptedClock(START, 1_000);
    let aheadMs = 0;
    let count = 0;
    const bench: MemoryBench = {
      store,
      memory(options = {}) {
        count += 1;
        return createMemory({
          agent: "helper",
          env: {},
          forgetKey: "the kit's",
          onEvent: () => undefined,
          ...options,
          store,
          clock: () => new Date(clock().getTime() + aheadMs),
          createId: sequentialIds(`id-${count}`),
        });
      },
      tick(ms) {
        aheadMs += ms;
      },
      ...(hooks.peek === undefined ? {} : { peek: async () => (await hooks.peek?.(directory)) ?? [] }),
    };
    await memoryCase.run(bench);
  });
}
