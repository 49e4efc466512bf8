import type { MemoryStore } from "@throughline/core";
import { expect } from "vitest";
import { AGENT, at, factIds, factOf, factsOf, putFacts } from "../fixtures.ts";
import type { StoreSuite } from "../store-suite.ts";

const ANN = factsOf("user", "ann");

function purge(store: MemoryStore, minute: number, limit = 100, operationsBefore = at(0)) {
  return store.purgeExpired(AGENT, { now: at(minute), operationsBefore, limit });
}

function withoutZeros(counts: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0));
}

/** Removing what is over: no more and no less. */
export const purgeSuite: StoreSuite = {
  name: "purge",
  cases: [
    {
      rules: ["A4", "F4"],
      title: "expired facts and records are removed and counted, others stay, history too",
      async run({ store }) {
        await putFacts(
          store,
          ANN,
          factOf("over", { expiresAt: at(10) }),
          factOf("later", { expiresAt: at(10.01) }),
          factOf("past", { validTo: at(1), supersededBy: "later" }),
        );
        const commits = [
          { namespace: ["n"], key: "over", value: 1, expiresAt: at(10) },
          { namespace: ["n"], key: "later", value: 1, expiresAt: at(11) },
          { namespace: ["n"], key: "always", value: 1 },
        ];
        await store.commitRecords(AGENT, commits, { now: at(0) });
        expect(withoutZeros(await purge(store, 10))).toEqual({ facts: 1, records: 1 });
        expect(await factIds(store, ANN, { history: true })).toEqual(["later", "past"]);
        const records = await store.readRecords(AGENT, { now: at(0), namespace: [], limit: 9 });
        expect(records.map((record) => record.key)).toEqual(["always", "later"]);
        expect(withoutZeros(await purge(store, 10))).toEqual({});
      },
    },
    {
      rules: ["A4"],
      title: "the limit bounds each kind, and what is left goes the next time",
      async run({ store }) {
        await putFacts(store, ANN, ...["a", "b", "c"].map((id) => factOf(id, { expiresAt: at(1) })));
        expect(await purge(store, 9, 2)).toMatchObject({ facts: 2 });
        expect(await factIds(store, ANN, { history: true })).toHaveLength(1);
        expect(await purge(store, 9, 2)).toMatchObject({ facts: 1 });
      },
    },
    {
      rules: ["A4", "F12"],
      title: "operations before the moment named are forgotten, later ones still answer",
      async run({ store }) {
        const commit = (minute: number, key: string, expectedVersion: number) =>
          store.commitFacts(ANN, { expectedVersion, now: at(minute), put: [], operation: { key, result: key } });
        await commit(1, "old", 0);
        await commit(5, "new", 1);
        expect(withoutZeros(await purge(store, 9, 100, at(5)))).toEqual({ operations: 1 });
        expect(await commit(9, "new", 2)).toEqual({ status: "repeated", result: "new" });
        expect((await commit(9, "old", 2)).status).toBe("committed");
      },
    },
    {
      rules: ["A4", "J3"],
      title: "another agent's and another tenant's things are not purged",
      async run({ store }) {
        const other = { ...AGENT, agent: "other" };
        await putFacts(store, factsOf("user", "ann", other), factOf("f", { expiresAt: at(1) }));
        await putFacts(
          store,
          factsOf("global", "ann", { ...AGENT, tenant: "acme2" }),
          factOf("f", { expiresAt: at(1) }),
        );
        await store.commitRecords(other, [{ namespace: ["n"], key: "k", value: 1, expiresAt: at(1) }], { now: at(0) });
        expect(withoutZeros(await purge(store, 9))).toEqual({});
        expect(await factIds(store, factsOf("user", "ann", other), { history: true })).toEqual(["f"]);
        expect(await store.readRecords(other, { now: at(0), namespace: [], limit: 9 })).toHaveLength(1);
      },
    },
    {
      rules: ["A4", "E3"],
      title: "leases that are over are removed, held ones stay held",
      async run({ store }) {
        await store.claimLease(AGENT, { name: "over", holder: "w1", now: at(0), leaseMs: 60_000 });
        await store.claimLease(AGENT, { name: "held", holder: "w1", now: at(0), leaseMs: 60 * 60_000 });
        expect(await purge(store, 9)).toMatchObject({ leases: 1 });
        expect(await store.claimLease(AGENT, { name: "held", holder: "w2", now: at(9), leaseMs: 1 })).toBe(false);
      },
    },
  ],
};
