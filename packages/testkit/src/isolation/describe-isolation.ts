import { describe, it } from "vitest";
import type { SkipList } from "../store/plan-store-tests.ts";
import { type IsolationHooks, planIsolationTests } from "./plan-isolation-tests.ts";

/** How to test that an adapter keeps people apart. */
export interface DescribeIsolationOptions extends IsolationHooks {
  /** Titles that the adapter is known to fail, each with the reason. They run all the same, and have to fail. */
  skip?: SkipList;
}

/**
 * Registers, with vitest, what shows that nothing crosses a tenant, agent, person or conversation through an adapter,
 * however alike their ids are and however many are served at once.
 */
export function describeIsolation(name: string, { skip, ...hooks }: DescribeIsolationOptions): void {
  describe(`isolation through ${name}`, () => {
    for (const test of planIsolationTests(hooks, skip)) it(test.title, { timeout: 120_000 }, test.run);
  });
}
