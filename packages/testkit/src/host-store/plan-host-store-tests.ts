import { failing, type PlannedTest, type SkipList, skipped } from "../store/plan-store-tests.ts";
import { BATCH_CASES } from "./batch-cases.ts";
import type { HostStore } from "./host-store.ts";
import type { HostStoreCase } from "./host-store-case.ts";
import { ITEM_CASES } from "./items-cases.ts";
import { SEARCH_CASES } from "./search-cases.ts";

/** How the kit gets at a host store. */
export interface HostStoreHooks {
  /** Makes a store that is empty. */
  create(): HostStore | Promise<HostStore>;
  /** Clears up after a test. */
  destroy?(store: HostStore): void | Promise<void>;
}

export const HOST_STORE_CASES: readonly HostStoreCase[] = [...ITEM_CASES, ...SEARCH_CASES, ...BATCH_CASES];

/** The tests that a host store has to pass. What is on the skip list has to fail. */
export function planHostStoreTests(hooks: HostStoreHooks, skip: SkipList = {}): PlannedTest[] {
  const suite = "host store";
  const unused = new Set(Object.keys(skip));
  const plan = HOST_STORE_CASES.map((hostCase): PlannedTest => {
    const title = `${hostCase.rules.join("/")}: ${hostCase.title}`;
    const run = () => runHostStoreCase(hooks, hostCase);
    const reason = skip[hostCase.title];
    unused.delete(hostCase.title);
    return reason === undefined ? { suite, title, mode: "run", run } : skipped(suite, title, reason, [{ run }]);
  });
  return [...plan, ...[...unused].map((title) => failing(suite, `The skip "${title}" names no title.`))];
}

async function runHostStoreCase(hooks: HostStoreHooks, hostCase: HostStoreCase): Promise<void> {
  const store = await hooks.create();
  try {
    await hostCase.run(store);
  } finally {
    await hooks.destroy?.(store);
  }
}
