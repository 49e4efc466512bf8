import { expect } from "vitest";
import { AGENT, at, factIds, factOf, factsOf, putFacts } from "../fixtures.ts";
import type { StoreSuite } from "../store-suite.ts";

const ANN = factsOf("user", "ann");

/** Facts: whole commits, compare-and-set, history, expiry, tombstones, operations. */
export const factsSuite: StoreSuite = {
  name: "facts",
  cases: [
    {
      rules: ["F1"],
      title: "a fact comes back with every member, whatever JSON its value is",
      async run({ store }) {
        const full = factOf("full", {
          topic: "travel",
          value: { list: [1, 2.5, -1e-7, true, null, ""], "": { 'quo"te': "日本" } },
          type: "preference",
          tags: ["a", "b"],
          origin: "user-confirmed",
          confidence: 0.75,
          source: { conversation: "c", turn: "t", quote: "I said so" },
          expiresAt: at(99),
          disputedWith: "other",
          truncated: true,
          version: 4,
        });
        const { key: _key, ...keyless } = factOf("keyless", { value: null });
        await putFacts(store, ANN, full, keyless);
        const [set] = await store.readFacts([ANN], { now: at(1), limit: 9 });
        expect(set?.facts).toEqual([full, keyless]);
        expect(set).toMatchObject({ owner: ANN, version: 1, total: 2 });
      },
    },
    {
      rules: ["F12"],
      title: "a commit at a version that is over changes nothing and names the one that is",
      async run({ store }) {
        const first = await store.commitFacts(ANN, { expectedVersion: 0, now: at(1), put: [factOf("a")] });
        expect(first).toEqual({ status: "committed", version: 1 });
        const late = await store.commitFacts(ANN, {
          expectedVersion: 0,
          now: at(2),
          put: [factOf("b")],
          erase: ["a"],
          tombstones: { add: ["hash"] },
          operation: { key: "op", result: "late" },
        });
        expect(late).toEqual({ status: "conflict", version: 1 });
        expect(await factIds(store, ANN)).toEqual(["a"]);
        const next = {
          expectedVersion: 1,
          now: at(3),
          put: [],
          unlessTombstoned: ["hash"],
          operation: { key: "op", result: "" },
        };
        expect(await store.commitFacts(ANN, next)).toEqual({ status: "committed", version: 2 });
      },
    },
    {
      rules: ["F12"],
      title: "each owner's version runs by itself",
      async run({ store }) {
        await putFacts(store, ANN, factOf("a"));
        await putFacts(store, ANN, factOf("b"));
        await putFacts(store, factsOf("app", ""), factOf("c"));
        const sets = await store.readFacts([factsOf("app", ""), ANN, factsOf("user", "bob")], { now: at(1), limit: 9 });
        expect(sets.map((set) => [set.version, set.total])).toEqual([
          [1, 1],
          [2, 2],
          [0, 0],
        ]);
      },
    },
    {
      rules: ["F6", "J1"],
      title: "the most recently updated comes first, ties by id, with the total beside a limit",
      async run({ store }) {
        await putFacts(
          store,
          ANN,
          ...["b", "a", "C"].map((id) => factOf(id, { minute: 2 })),
          factOf("z", { minute: 3 }),
        );
        expect(await factIds(store, ANN)).toEqual(["z", "C", "a", "b"]);
        const [set] = await store.readFacts([ANN], { now: at(9), limit: 2 });
        expect(set).toMatchObject({ total: 4, facts: [{ id: "z" }, { id: "C" }] });
      },
    },
    {
      rules: ["F6"],
      title: "id, key, type and tag each narrow the answer, together as well",
      async run({ store }) {
        await putFacts(
          store,
          ANN,
          factOf("a", { key: "one", tags: ["x", "y"], type: "preference" }),
          factOf("b", { key: "two", tags: ["y"] }),
          factOf("c", { key: "three", tags: ["xy"], type: "preference" }),
        );
        expect(await factIds(store, ANN, { ids: ["c", "a", "none"] })).toEqual(["a", "c"]);
        expect(await factIds(store, ANN, { keys: ["two", "none"] })).toEqual(["b"]);
        expect(await factIds(store, ANN, { type: "preference" })).toEqual(["a", "c"]);
        expect(await factIds(store, ANN, { tags: ["x"] })).toEqual(["a"]);
        expect(await factIds(store, ANN, { tags: ["x", "y"] })).toEqual(["a", "b"]);
        expect(await factIds(store, ANN, { tags: ["y"], type: "preference" })).toEqual(["a"]);
        expect(await factIds(store, ANN, { ids: [] })).toEqual([]);
      },
    },
    {
      rules: ["F7"],
      title: "a superseded value is history: read only when asked for",
      async run({ store }) {
        const old = factOf("old", { key: "city", value: "Rome", minute: 1 });
        await putFacts(store, ANN, old);
        await putFacts(
          store,
          ANN,
          { ...old, validTo: at(5), supersededBy: "new", version: 2 },
          factOf("new", { key: "city", value: "Oslo", minute: 5 }),
        );
        expect(await factIds(store, ANN, { keys: ["city"] })).toEqual(["new"]);
        expect(await factIds(store, ANN, { keys: ["city"], history: true })).toEqual(["new", "old"]);
        const [set] = await store.readFacts([ANN], { now: at(9), ids: ["old"], history: true, limit: 1 });
        expect(set?.facts[0]).toMatchObject({ value: "Rome", validTo: at(5), supersededBy: "new", version: 2 });
      },
    },
    {
      rules: ["G5"],
      title: "as of a moment the facts read as they were believed then",
      async run({ store }) {
        await putFacts(
          store,
          ANN,
          factOf("old", { minute: 1, validTo: at(5), supersededBy: "new" }),
          factOf("new", { minute: 5 }),
          factOf("brief", { minute: 2, expiresAt: at(4) }),
        );
        const asOf = (minutes: number) => factIds(store, ANN, { now: at(60), asOf: at(minutes) });
        expect(await asOf(0)).toEqual([]);
        expect(await asOf(1)).toEqual(["old"]);
        expect(await asOf(3)).toEqual(["brief", "old"]);
        expect(await asOf(4)).toEqual(["old"]);
        expect(await asOf(5)).toEqual(["new"]);
      },
    },
    {
      rules: ["F4"],
      title: "an expired fact is not read, from the very moment on, and stays in history",
      async run({ store }) {
        await putFacts(store, ANN, factOf("a", { expiresAt: at(10) }));
        expect(await factIds(store, ANN, { now: at(9.99) })).toEqual(["a"]);
        expect(await factIds(store, ANN, { now: at(10) })).toEqual([]);
        expect(await factIds(store, ANN, { now: at(11), history: true })).toEqual(["a"]);
        const [set] = await store.readFacts([ANN], { now: at(11), limit: 9 });
        expect(set?.total).toBe(0);
      },
    },
    {
      rules: ["F8", "F7"],
      title: "erased facts are gone from every reading; ids that aren't there are passed over",
      async run({ store }) {
        await putFacts(store, ANN, factOf("a"), factOf("b", { validTo: at(1) }));
        const commit = { expectedVersion: 1, now: at(2), put: [], erase: ["a", "b", "none"] };
        expect(await store.commitFacts(ANN, commit)).toEqual({ status: "committed", version: 2 });
        expect(await factIds(store, ANN, { history: true })).toEqual([]);
        expect(await factIds(store, ANN, { asOf: at(0.5) })).toEqual([]);
      },
    },
    {
      rules: ["G3"],
      title: "a tombstone refuses the whole commit until it is lifted, for its owner only",
      async run({ store }) {
        await store.commitFacts(ANN, { expectedVersion: 0, now: at(1), put: [], tombstones: { add: ["h1", "h2"] } });
        const again = {
          expectedVersion: 1,
          now: at(2),
          put: [factOf("a"), factOf("b")],
          unlessTombstoned: ["h0", "h2"],
        };
        expect(await store.commitFacts(ANN, again)).toEqual({ status: "tombstoned", hashes: ["h2"] });
        expect(await factIds(store, ANN)).toEqual([]);
        const other = { ...again, expectedVersion: 0 };
        expect((await store.commitFacts(factsOf("user", "bob"), other)).status).toBe("committed");
        await store.commitFacts(ANN, { expectedVersion: 1, now: at(3), put: [], tombstones: { lift: ["h2"] } });
        expect((await store.commitFacts(ANN, { ...again, expectedVersion: 2 })).status).toBe("committed");
      },
    },
    {
      rules: ["G3", "F11"],
      title: "tombstones are read in order, each once, for their owner only, until they are lifted or the owner erased",
      async run({ store }) {
        expect(await store.readTombstones(ANN)).toEqual([]);
        const add = (expectedVersion: number, ...hashes: string[]) =>
          store.commitFacts(ANN, { expectedVersion, now: at(1), put: [], tombstones: { add: hashes } });
        await add(0, "b", "a", "B");
        await add(1, "c", "a");
        expect(await store.readTombstones(ANN)).toEqual(["B", "a", "b", "c"]);
        for (const other of [factsOf("user", "bob"), factsOf("global", "ann"), factsOf("conversation", "ann")]) {
          expect(await store.readTombstones(other)).toEqual([]);
        }
        await store.commitFacts(ANN, { expectedVersion: 2, now: at(2), put: [], tombstones: { lift: ["a", "none"] } });
        expect(await store.readTombstones(ANN)).toEqual(["B", "b", "c"]);
        await store.erase(AGENT, { kind: "subject", subject: "ann" }, { now: at(3) });
        expect(await store.readTombstones(ANN)).toEqual([]);
      },
    },
    {
      rules: ["F12"],
      title: "the same operation again answers with its first result and writes nothing",
      async run({ store }) {
        const operation = { key: "call-1", result: '{"status":"stored"}' };
        await store.commitFacts(ANN, { expectedVersion: 0, now: at(1), put: [factOf("a")], operation });
        for (const expectedVersion of [0, 1]) {
          const repeat = {
            expectedVersion,
            now: at(2),
            put: [factOf("b")],
            operation: { key: "call-1", result: "other" },
          };
          expect(await store.commitFacts(ANN, repeat)).toEqual({ status: "repeated", result: operation.result });
        }
        expect(await factIds(store, ANN)).toEqual(["a"]);
        const elsewhere = { expectedVersion: 0, now: at(2), put: [factOf("b")], operation };
        expect((await store.commitFacts(factsOf("user", "bob"), elsewhere)).status).toBe("committed");
      },
    },
    {
      rules: ["A2"],
      title: "a fact of work that began before the erasure is refused, one of later work is not",
      async run({ store }) {
        await putFacts(store, ANN, factOf("a"));
        await store.erase(AGENT, { kind: "subject", subject: "ann" }, { now: at(5) });
        for (const beganAt of [at(4), at(5)]) {
          const [set] = await store.readFacts([ANN], { now: at(6), limit: 1 });
          const late = { expectedVersion: set?.version ?? 0, now: at(6), put: [factOf("b")], beganAt };
          expect(await store.commitFacts(ANN, late)).toEqual({ status: "erased" });
        }
        const [set] = await store.readFacts([ANN], { now: at(6), limit: 1 });
        const anew = { expectedVersion: set?.version ?? 0, now: at(6), put: [factOf("c")], beganAt: at(5.5) };
        expect((await store.commitFacts(ANN, anew)).status).toBe("committed");
        expect(await factIds(store, ANN)).toEqual(["c"]);
      },
    },
    {
      rules: ["J1"],
      title: "facts given and answered can be changed without changing the store",
      async run({ store }) {
        const fact = factOf("a", { tags: ["x"], value: { list: [1] } });
        await putFacts(store, ANN, fact);
        fact.tags.push("given");
        const [set] = await store.readFacts([ANN], { now: at(1), limit: 1 });
        set?.facts[0]?.tags.push("answered");
        const [again] = await store.readFacts([ANN], { now: at(1), limit: 1 });
        expect(again?.facts[0]?.tags).toEqual(["x"]);
      },
    },
  ],
};
