import { failing, type PlannedTest, type SkipList, skipped } from "../store/plan-store-tests.ts";
import type { IsolationExtent } from "./identity-families.ts";
import { ISOLATION_CASES } from "./isolation-cases.ts";
import type { IsolationDriver } from "./isolation-driver.ts";

/** How the kit gets at an adapter. */
export interface IsolationHooks {
  /** Gives the body of a test the adapter over fresh storage, and clears up behind it. */
  withDriver(body: (driver: IsolationDriver) => Promise<void>): Promise<void>;
  /** How much is tried. @default "whole" */
  extent?: IsolationExtent;
}

/** The tests that every adapter has to pass. What is on the skip list has to fail. */
export function planIsolationTests(
  { withDriver, extent = "whole" }: IsolationHooks,
  skip: SkipList = {},
): PlannedTest[] {
  const suite = "isolation";
  const unused = new Set(Object.keys(skip));
  const plan = ISOLATION_CASES.map((isolationCase): PlannedTest => {
    const title = `${isolationCase.rules.join("/")}: ${isolationCase.title}`;
    const run = () => withDriver((driver) => isolationCase.run(driver, extent));
    const reason = skip[isolationCase.title];
    unused.delete(isolationCase.title);
    return reason === undefined ? { suite, title, mode: "run", run } : skipped(suite, title, reason, [{ run }]);
  });
  return [...plan, ...[...unused].map((title) => failing(suite, `The skip "${title}" names no title.`))];
}
