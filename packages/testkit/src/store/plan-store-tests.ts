import { runStoreCase, type StoreHooks } from "./run-store-case.ts";
import { type StoreSuite, type StoreTraits, titleOf } from "./store-suite.ts";
import { STORE_SUITES } from "./store-suites.ts";

/** Suites or full titles that the store is known to fail, each with the reason. */
export type SkipList = Readonly<Record<string, string>>;

/** One test to register. */
export interface PlannedTest {
  suite: string;
  title: string;
  /** `not-shown`: nothing runs, and the report says so. */
  mode: "run" | "not-shown";
  run(): Promise<void>;
}

/**
 * The tests that a store with these traits has to pass.
 *
 * What is on the skip list runs all the same and has to fail: a skip that is no longer needed, has no reason or names
 * nothing is itself a failing test.
 */
export function planStoreTests(
  traits: StoreTraits,
  hooks: StoreHooks,
  skip: SkipList = {},
  suites: readonly StoreSuite[] = STORE_SUITES,
): PlannedTest[] {
  const plan: PlannedTest[] = [];
  const unused = new Set(Object.keys(skip));
  for (const suite of suites) {
    if (suite.applies?.(traits) === false) {
      plan.push(notShown(suite, "does not apply to what the store says of itself"));
      continue;
    }
    if (suite.needsReopen === true && hooks.reopen === undefined) {
      plan.push(
        failing(suite.name, `The store's capabilities ask for "${suite.name}": give describeMemoryStore \`reopen\`.`),
      );
      continue;
    }
    const tests = suite.cases.map((storeCase) => ({
      title: titleOf(storeCase),
      run: () => runStoreCase(hooks, storeCase),
    }));
    const reason = skip[suite.name];
    unused.delete(suite.name);
    if (reason !== undefined) {
      plan.push(skipped(suite.name, "the suite", reason, tests));
      continue;
    }
    for (const test of tests) {
      const ownReason = skip[test.title];
      unused.delete(test.title);
      plan.push(
        ownReason === undefined
          ? { suite: suite.name, mode: "run", ...test }
          : skipped(suite.name, test.title, ownReason, [test]),
      );
    }
  }
  for (const name of unused)
    plan.push(failing("skip", `The skip "${name}" names no suite and no title that applies here.`));
  return plan;
}

function notShown(suite: StoreSuite, reason: string): PlannedTest {
  return { suite: suite.name, title: `${suite.cases.length} cases: ${reason}`, mode: "not-shown", run: async () => {} };
}

export function failing(suite: string, problem: string): PlannedTest {
  return {
    suite,
    title: problem,
    mode: "run",
    run: async () => {
      throw new Error(problem);
    },
  };
}

/** Holds as long as one of the tests fails. */
export function skipped(suite: string, title: string, reason: string, tests: { run(): Promise<void> }[]): PlannedTest {
  if (reason.trim() === "") return failing(suite, `The skip of ${title} has no reason.`);
  return {
    suite,
    title: `${title} (known to fail: ${reason})`,
    mode: "run",
    run: async () => {
      for (const test of tests) {
        const failed = await test.run().then(
          () => false,
          () => true,
        );
        if (failed) return;
      }
      throw new Error(`The skip of ${title} is not needed any more: it passes. Take it off the list.`);
    },
  };
}
