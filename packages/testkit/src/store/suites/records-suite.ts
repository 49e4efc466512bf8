import type { MemoryStore, RecordCommit } from "@throughline/core";
import { expect } from "vitest";
import { AGENT, at, HOSTILE_IDS } from "../fixtures.ts";
import type { StoreSuite } from "../store-suite.ts";

async function put(store: MemoryStore, ...commits: RecordCommit[]): Promise<void> {
  expect((await store.commitRecords(AGENT, commits, { now: at(0) })).status).toBe("committed");
}

async function placesUnder(store: MemoryStore, namespace: string[], now = at(1)): Promise<string[]> {
  const records = await store.readRecords(AGENT, { now, namespace, limit: 1_000 });
  return records.map((record) => [...record.namespace, record.key].join("/"));
}

/** Hosts' plain records: exact namespaces, versions, expiry, order. */
export const recordsSuite: StoreSuite = {
  name: "records",
  cases: [
    {
      rules: ["J15"],
      title: "a record comes back as given, with version and times",
      async run({ store }) {
        const value = { any: ["json", null, 1.5, { "": "日本" }] };
        const commit = { namespace: ["app", "users"], key: "k", value, subject: "ann", expiresAt: at(99) };
        expect(await store.commitRecords(AGENT, [commit], { now: at(1) })).toEqual({
          status: "committed",
          versions: [1],
        });
        await store.commitRecords(AGENT, [{ ...commit, value: [] }], { now: at(2) });
        const query = { now: at(3), namespace: ["app", "users"], keys: ["k"], limit: 1 };
        expect(await store.readRecords(AGENT, query)).toEqual([
          { ...commit, value: [], version: 2, createdAt: at(1), updatedAt: at(2) },
        ]);
      },
    },
    {
      rules: ["J15", "L6"],
      title: "a prefix matches whole labels",
      async run({ store }) {
        await put(
          store,
          { namespace: ["u", "1"], key: "a", value: 1 },
          { namespace: ["u", "12"], key: "b", value: 1 },
          { namespace: ["u", "1", "x"], key: "c", value: 1 },
          { namespace: ["u"], key: "d", value: 1 },
          { namespace: ['u","1'], key: "e", value: 1 },
          { namespace: ["u/1"], key: "f", value: 1 },
        );
        expect(await placesUnder(store, ["u", "1"])).toEqual(["u/1/a", "u/1/x/c"]);
        expect(await placesUnder(store, ["u"])).toEqual(["u/d", "u/1/a", "u/1/x/c", "u/12/b"]);
        expect(await placesUnder(store, ["U"])).toEqual([]);
        expect(await placesUnder(store, [])).toHaveLength(6);
      },
    },
    {
      rules: ["J15"],
      title: "keys are looked up in exactly the namespace named",
      async run({ store }) {
        await put(
          store,
          { namespace: ["u", "1"], key: "a", value: 1 },
          { namespace: ["u", "1", "x"], key: "a", value: 2 },
          { namespace: ["u"], key: "1", value: 3 },
        );
        const read = (namespace: string[], keys: string[]) =>
          store.readRecords(AGENT, { now: at(1), namespace, keys, limit: 9 });
        expect((await read(["u", "1"], ["a", "b"])).map((record) => record.value)).toEqual([1]);
        expect((await read(["u"], ["1"])).map((record) => record.value)).toEqual([3]);
        expect(await read(["u"], ["a"])).toEqual([]);
        expect(await read(["u", "1"], [])).toEqual([]);
      },
    },
    {
      rules: ["J15", "PR5"],
      title: "hostile labels and keys stay apart",
      async run({ store }) {
        await put(store, ...HOSTILE_IDS.map((id) => ({ namespace: ["n", id], key: id, value: id })));
        for (const id of HOSTILE_IDS) {
          const records = await store.readRecords(AGENT, { now: at(1), namespace: ["n", id], limit: 9 });
          expect(records.map((record) => [record.namespace, record.key, record.value])).toEqual([[["n", id], id, id]]);
        }
      },
    },
    {
      rules: ["F12", "J15"],
      title: "versions guard puts and deletes; 0 means only where there is none",
      async run({ store }) {
        const place = { namespace: ["n"], key: "k" };
        const commit = (change: Partial<RecordCommit>) =>
          store.commitRecords(AGENT, [{ ...place, ...change }], { now: at(1) });
        expect(await commit({ value: 1, ifVersion: 1 })).toEqual({ status: "conflict", index: 0, version: 0 });
        expect(await commit({ value: 1, ifVersion: 0 })).toEqual({ status: "committed", versions: [1] });
        expect(await commit({ value: 2, ifVersion: 0 })).toEqual({ status: "conflict", index: 0, version: 1 });
        expect(await commit({ value: 2, ifVersion: 1 })).toEqual({ status: "committed", versions: [2] });
        expect(await commit({ ifVersion: 1 })).toEqual({ status: "conflict", index: 0, version: 2 });
        expect(await commit({ ifVersion: 2 })).toEqual({ status: "committed", versions: [0] });
        expect(await placesUnder(store, [])).toEqual([]);
        expect(await commit({})).toEqual({ status: "committed", versions: [0] });
      },
    },
    {
      rules: ["J1", "J15"],
      title: "commits go through together or not at all, in order",
      async run({ store }) {
        await put(store, { namespace: ["n"], key: "old", value: 1 });
        const refused = await store.commitRecords(
          AGENT,
          [
            { namespace: ["n"], key: "new", value: 1 },
            { namespace: ["n"], key: "old" },
            { namespace: ["n"], key: "third", value: 1, ifVersion: 7 },
          ],
          { now: at(1) },
        );
        expect(refused).toEqual({ status: "conflict", index: 2, version: 0 });
        expect(await placesUnder(store, [])).toEqual(["n/old"]);
        const twice = [
          { namespace: ["n"], key: "k", value: 1, ifVersion: 0 },
          { namespace: ["n"], key: "k", value: 2, ifVersion: 1 },
          { namespace: ["n"], key: "old" },
        ];
        const result = await store.commitRecords(AGENT, twice, { now: at(1) });
        expect(result).toEqual({ status: "committed", versions: [1, 2, 0] });
      },
    },
    {
      rules: ["J1", "J15"],
      title: "an expired record is not there: not read, not listed, not in the way",
      async run({ store }) {
        await put(store, { namespace: ["n"], key: "k", value: 1, expiresAt: at(10) });
        expect(await placesUnder(store, ["n"], at(9.99))).toEqual(["n/k"]);
        expect(await placesUnder(store, ["n"], at(10))).toEqual([]);
        expect(await store.listNamespaces(AGENT, { now: at(10), limit: 9 })).toEqual([]);
        const again = { namespace: ["n"], key: "k", value: 2, ifVersion: 0 };
        expect((await store.commitRecords(AGENT, [again], { now: at(11) })).status).toBe("committed");
        expect(await placesUnder(store, ["n"], at(99))).toEqual(["n/k"]);
      },
    },
    {
      rules: ["J15", "J1"],
      title: "listings are ordered by namespace or by time, and paged",
      async run({ store }) {
        const places = [
          [["b"], "a", 3],
          [["a", "b"], "z", 1],
          [["a"], "b", 2],
          [["a"], "B", 2],
          [["a", "B"], "q", 9],
        ] as const;
        for (const [namespace, key, minute] of places) {
          await store.commitRecords(AGENT, [{ namespace, key, value: 1 }], { now: at(minute) });
        }
        expect(await placesUnder(store, [])).toEqual(["a/B", "a/b", "a/B/q", "a/b/z", "b/a"]);
        const read = async (query: { order?: "namespace" | "updated"; limit: number; offset?: number }) => {
          const records = await store.readRecords(AGENT, { now: at(50), namespace: [], ...query });
          return records.map((record) => [...record.namespace, record.key].join("/"));
        };
        expect(await read({ order: "updated", limit: 9 })).toEqual(["a/B/q", "b/a", "a/B", "a/b", "a/b/z"]);
        expect(await read({ order: "updated", limit: 2, offset: 1 })).toEqual(["b/a", "a/B"]);
        expect(await read({ limit: 2, offset: 3 })).toEqual(["a/b/z", "b/a"]);
        expect(await read({ limit: 2, offset: 9 })).toEqual([]);
      },
    },
    {
      rules: ["J15"],
      title: "namespaces are listed once, under whole labels, page by page",
      async run({ store }) {
        const namespaces = [["b"], ["a", "12"], ["a"], ["a", "1", "x"], ["a", "1"]];
        for (const namespace of namespaces) {
          await put(store, { namespace, key: "k1", value: 1 }, { namespace, key: "k2", value: 1 });
        }
        const list = (query: { prefix?: string[]; limit?: number; after?: string[] }) =>
          store.listNamespaces(AGENT, { now: at(1), limit: 9, ...query });
        const sorted = [["a"], ["a", "1"], ["a", "1", "x"], ["a", "12"], ["b"]];
        expect(await list({})).toEqual(sorted);
        expect(await list({ prefix: ["a", "1"] })).toEqual(sorted.slice(1, 3));
        expect(await list({ limit: 2 })).toEqual(sorted.slice(0, 2));
        expect(await list({ limit: 2, after: ["a", "1"] })).toEqual(sorted.slice(2, 4));
        await put(store, { namespace: ["b"], key: "k1" }, { namespace: ["b"], key: "k2" });
        expect(await list({})).toEqual(sorted.slice(0, 4));
      },
    },
  ],
};
