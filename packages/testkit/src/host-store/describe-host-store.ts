import { describe, it } from "vitest";
import type { SkipList } from "../store/plan-store-tests.ts";
import { type HostStoreHooks, planHostStoreTests } from "./plan-host-store-tests.ts";

/** How to test a host store. */
export interface DescribeHostStoreOptions extends HostStoreHooks {
  /** Titles that the store is known to fail, each with the reason. They run all the same, and have to fail. */
  skip?: SkipList;
}

/** Registers, with vitest, every test that a framework's store has to pass. The store is made anew for every test. */
export function describeHostStore(name: string, { skip, ...hooks }: DescribeHostStoreOptions): void {
  describe(`${name} as a host's store`, () => {
    for (const test of planHostStoreTests(hooks, skip)) it(test.title, { timeout: 60_000 }, test.run);
  });
}
