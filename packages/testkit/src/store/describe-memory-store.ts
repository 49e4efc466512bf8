import { describe, it } from "vitest";
import { planStoreTests, type SkipList } from "./plan-store-tests.ts";
import { type StoreHooks, withPlace } from "./run-store-case.ts";

/** How to test a store. */
export interface DescribeStoreOptions extends StoreHooks {
  /**
   * Suites or full titles that the store is known to fail, each with the reason. They run all the same: one that passes
   * or that names nothing fails, so that the list can only shrink.
   */
  skip?: SkipList;
}

/**
 * Registers, with vitest, every test that a store of these capabilities has to pass.
 *
 * The store is made once beforehand to learn its capabilities, and then anew, in a fresh directory, for every test.
 */
export function describeMemoryStore(name: string, options: DescribeStoreOptions): void {
  const { skip, ...hooks } = options;
  describe(`${name} as a MemoryStore`, async () => {
    const capabilities = await withPlace(hooks, async (store) => store.capabilities);
    const plan = planStoreTests({ capabilities, hasPeek: hooks.peek !== undefined }, hooks, skip);
    for (const suite of new Set(plan.map((test) => test.suite))) {
      describe(suite, () => {
        for (const test of plan.filter((planned) => planned.suite === suite)) {
          if (test.mode === "run") it(test.title, { timeout: 180_000 }, test.run);
          else it.skip(test.title);
        }
      });
    }
  });
}
