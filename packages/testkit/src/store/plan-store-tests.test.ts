import { inMemoryStore, type StoreCapabilities } from "@throughline/core";
import { describe, expect, it } from "vitest";
import { planStoreTests } from "./plan-store-tests.ts";
import type { StoreHooks } from "./run-store-case.ts";
import type { StoreSuite } from "./store-suite.ts";

const hooks: StoreHooks = { create: () => inMemoryStore() };

const suites: readonly StoreSuite[] = [
  {
    name: "plain",
    cases: [
      { rules: ["J1"], title: "passes", run: async () => {} },
      { rules: ["J1"], title: "fails", run: () => Promise.reject(new Error("broken")) },
    ],
  },
  {
    name: "lasting",
    applies: ({ capabilities }) => capabilities.durable,
    needsReopen: true,
    cases: [{ rules: ["E2"], title: "is there again", run: async () => {} }],
  },
];

const none: StoreCapabilities = {
  durable: false,
  multiProcess: false,
  keywordSearch: false,
  vectorSearch: false,
  rowLevelSecurity: false,
  changeFeed: false,
  checkpoints: false,
};

/** The titles of the planned tests that pass, and of those that fail. */
async function outcome(skip: Record<string, string>, capabilities = none, given = hooks) {
  const passed: string[] = [];
  const failed: string[] = [];
  for (const test of planStoreTests({ capabilities, hasPeek: false }, given, skip, suites)) {
    await test.run().then(
      () => passed.push(test.title),
      () => failed.push(test.title),
    );
  }
  return { passed, failed };
}

describe("planStoreTests", () => {
  it("J1: runs what applies and says what doesn't", async () => {
    const plan = planStoreTests({ capabilities: none, hasPeek: false }, hooks, {}, suites);
    expect(plan.map((test) => [test.suite, test.mode])).toEqual([
      ["plain", "run"],
      ["plain", "run"],
      ["lasting", "not-shown"],
    ]);
  });

  it("J1: fails where a durable store can't be opened again", async () => {
    const { failed } = await outcome({}, { ...none, durable: true });
    expect(failed).toContainEqual(expect.stringContaining("reopen"));
    const able = await outcome({}, { ...none, durable: true }, { ...hooks, reopen: () => inMemoryStore() });
    expect(able.passed).toContain("E2: is there again");
  });

  it("J1: holds a skip only while it is needed", async () => {
    expect(await outcome({ "J1: fails": "known" })).toMatchObject({ failed: [] });
    expect((await outcome({ "J1: passes": "not needed" })).failed).toHaveLength(2);
    expect(await outcome({ plain: "one of them fails" })).toMatchObject({ failed: [] });
  });

  it("J1: fails a skip that names nothing or has no reason", async () => {
    expect((await outcome({ "J1: fails": "known", "J9: gone": "stale" })).failed).toHaveLength(1);
    expect((await outcome({ "J1: fails": " " })).failed).toEqual([expect.stringContaining("no reason")]);
    expect((await outcome({ "J1: fails": "known", lasting: "does not apply" })).failed).toHaveLength(1);
  });
});
