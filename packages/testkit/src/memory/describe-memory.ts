import { describe, it } from "vitest";
import type { StoreHooks } from "../store/run-store-case.ts";
import { MEMORY_SUITES } from "./memory-suites.ts";
import { runMemoryCase } from "./run-memory-case.ts";

/** How to test the memory over a store. */
export type DescribeMemoryOptions = Pick<StoreHooks, "create" | "destroy" | "peek">;

/**
 * Registers, with vitest, what the whole memory does through its public API, over a store made anew for every test. Where
 * `describeMemoryStore` shows that a store keeps its contract, this shows that nothing of the memory is lost on the way.
 */
export function describeMemory(name: string, options: DescribeMemoryOptions): void {
  describe(`the memory over ${name}`, () => {
    for (const suite of MEMORY_SUITES) {
      describe(suite.name, () => {
        for (const memoryCase of suite.cases) {
          const title = `${memoryCase.rules.join("/")}: ${memoryCase.title}`;
          it(title, { timeout: 30_000 }, () => runMemoryCase(options, memoryCase));
        }
      });
    }
  });
}
