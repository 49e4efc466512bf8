import { describe, expect, it } from "vitest";
import { MEMORY_SUITES } from "../src/memory/memory-suites.ts";
import { runMemoryCase } from "../src/memory/run-memory-case.ts";
import { finishParts } from "../src/store/suites/work-parts.ts";
import { broken } from "./support/broken-store.ts";
import { BROKEN_STORES } from "./support/broken-stores.ts";
import { withWorkTrips } from "./support/work-trips.ts";

const LOSES_ITEMS = broken("items", "keeps the first of several items", "", (store) => ({
  ...store,
  commitItems: (owner, commits, options) => store.commitItems(owner, commits.slice(0, 1), options),
}));

const LEASES_TO_ALL = broken("work", "gives every lease to everybody", "", (store) => ({
  ...store,
  claimLease: async () => true,
}));

const INDEXES_LATE = broken("work trips", "indexes in one trip from anywhere", "", (store) => ({
  ...withWorkTrips(store),
  async finishWork(owner, { index, ...result }) {
    const after = (await store.readConversation(owner))?.watermarks.index ?? 0;
    return finishParts(store, owner, { ...result, ...(index === undefined ? {} : { index: { ...index, after } }) });
  },
}));

/** For each suite of the memory the fault of a store that it has to notice, and where it notices. */
const CAUGHT: readonly [suite: string, store: string, words: string][] = [
  ["turns", "forgets why a turn failed", "why it failed"],
  ["turns", "hides nothing", "in the transcript only"],
  ["continuing", "lets every resume through", "the first answer counts"],
  ["folding", "serves what was folded again", "folded once"],
  ["facts", "lets forgotten values back in", "isn't restated"],
  ["facts", "overwrites what is superseded", "keeps its history"],
  ["people", "knows no identity while writing", "one person's memory"],
  ["people", "takes turns of any subject", "refused from then on"],
  ["people", "takes turns of any subject", "before its first turn"],
  ["administering", "finds what is hidden", "rewound conversation"],
  ["administering", "forgets to compare versions", "nobody overwrites unseen"],
  ["search", "says that everything is indexed", "found at once"],
  ["erasing", "takes late items", "isn't kept"],
  ["erasing", "keeps no track of former subjects", "vectors and artifacts"],
  ["erasing", "lets late turns resurrect what was erased", "under way in it is refused"],
  ["artifacts", LOSES_ITEMS.name, "pages that make the whole"],
  ["work", "leases the same work to everybody", "lease is over"],
  ["work", "takes a conversation for the one before it", "from its first turn on"],
  ["work", INDEXES_LATE.name, "in no index afterwards"],
  ["extracting", "runs an operation twice", "leaves its facts once"],
  ["extracting", LEASES_TO_ALL.name, "only one is at it"],
  ["extracting", "leaves a subject's records", "goes with its person"],
];

describe("J1: the memory's suites fail over a store that breaks its promise", () => {
  it("has a fault for every suite, and no title twice in one", () => {
    for (const suite of MEMORY_SUITES) {
      expect(
        CAUGHT.some(([name]) => name === suite.name),
        suite.name,
      ).toBe(true);
      expect(new Set(suite.cases.map((each) => each.title)).size).toBe(suite.cases.length);
    }
  });

  it.each(CAUGHT)("%s: over a store that %s", async (suiteName, storeName, words) => {
    const suite = MEMORY_SUITES.find((candidate) => candidate.name === suiteName);
    const cases = suite?.cases.filter((each) => each.title.includes(words)) ?? [];
    expect(cases).toHaveLength(1);
    const stores = [...BROKEN_STORES, LOSES_ITEMS, LEASES_TO_ALL, INDEXES_LATE].filter(
      (candidate) => candidate.name === storeName,
    );
    let failed = 0;
    for (const { hooks } of stores) {
      for (const each of cases) await runMemoryCase(hooks, each).catch(() => failed++);
    }
    expect(failed).toBeGreaterThan(0);
  });
});
