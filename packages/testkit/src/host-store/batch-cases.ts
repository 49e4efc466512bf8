import { expect } from "vitest";
import { type HostStoreCase, keysOf } from "./host-store-case.ts";

/** Operations together, and listing namespaces. */
export const BATCH_CASES: readonly HostStoreCase[] = [
  {
    rules: ["L6"],
    title: "a batch answers each operation in its place",
    async run(store) {
      await store.put(["v"], "a", { one: 1 });
      const [put, got, found, missing, namespaces] = await store.batch([
        { namespace: ["v"], key: "b", value: { two: 2 } },
        { namespace: ["v"], key: "a" },
        { namespacePrefix: ["v"] },
        { namespace: ["v"], key: "c" },
        { matchConditions: [], limit: 10, offset: 0 },
      ]);
      expect(put ?? null).toBeNull();
      expect(got).toMatchObject({ key: "a", value: { one: 1 } });
      expect(keysOf(found as { key: string }[])).toEqual(["a"]);
      expect(missing).toBeNull();
      expect(namespaces).toEqual([["v"]]);
    },
  },
  {
    rules: ["L6"],
    title: "a batch that lists without conditions answers in its place as well",
    async run(store) {
      await store.put(["v"], "a", { one: 1 });
      const [namespaces, got] = await store.batch([
        { limit: 10, offset: 0 },
        { namespace: ["v"], key: "a" },
      ]);
      expect(namespaces).toEqual([["v"]]);
      expect(got).toMatchObject({ key: "a" });
    },
  },
  {
    rules: ["L6"],
    title: "reads of a batch see what was there before its writes",
    async run(store) {
      await store.put(["v"], "a", { version: 1 });
      const [, got] = await store.batch([
        { namespace: ["v"], key: "a", value: { version: 2 } },
        { namespace: ["v"], key: "a" },
      ]);
      expect(got).toMatchObject({ value: { version: 1 } });
      expect(await store.get(["v"], "a")).toMatchObject({ value: { version: 2 } });
    },
  },
  {
    rules: ["L6"],
    title: "of several writes of one key in a batch the last one counts",
    async run(store) {
      await store.batch([
        { namespace: ["v"], key: "a", value: { version: 1 } },
        { namespace: ["v"], key: "a", value: { version: 2 } },
        { namespace: ["v"], key: "gone", value: { version: 1 } },
        { namespace: ["v"], key: "gone", value: null },
        { namespace: ["v"], key: "back", value: null },
        { namespace: ["v"], key: "back", value: { version: 3 } },
      ]);
      expect((await store.search(["v"])).map(({ key, value }) => [key, value.version]).toSorted()).toEqual([
        ["a", 2],
        ["back", 3],
      ]);
    },
  },
  {
    rules: ["L6"],
    title: "writes of one key at once leave one of them, whole",
    async run(store) {
      const values = Array.from({ length: 8 }, (_, index) => ({ a: index, b: index }));
      await Promise.all(values.map((value) => store.put(["v"], "k", value)));
      const value = (await store.get(["v"], "k"))?.value;
      expect(values).toContainEqual(value);
    },
  },
  {
    rules: ["L6"],
    title: "namespaces are listed once each, in order, and page by page",
    async run(store) {
      for (const namespace of [["b"], ["a", "2"], ["a", "10"], ["a"], ["a", "2", "x"]]) {
        await store.put(namespace, "k", {});
        await store.put(namespace, "l", {});
      }
      expect(await store.listNamespaces()).toEqual([["a"], ["a", "10"], ["a", "2"], ["a", "2", "x"], ["b"]]);
      expect(await store.listNamespaces({ limit: 2, offset: 1 })).toEqual([
        ["a", "10"],
        ["a", "2"],
      ]);
    },
  },
  {
    rules: ["L6"],
    title: "namespaces are listed by prefix, by suffix, by both, and with wildcards",
    async run(store) {
      for (const namespace of [
        ["a", "1", "x"],
        ["a", "12", "x"],
        ["a", "1", "y"],
        ["b", "1", "x"],
      ]) {
        await store.put(namespace, "k", {});
      }
      expect(await store.listNamespaces({ prefix: ["a", "1"] })).toEqual([
        ["a", "1", "x"],
        ["a", "1", "y"],
      ]);
      expect(await store.listNamespaces({ suffix: ["1", "x"] })).toEqual([
        ["a", "1", "x"],
        ["b", "1", "x"],
      ]);
      expect(await store.listNamespaces({ prefix: ["a"], suffix: ["x"] })).toEqual([
        ["a", "1", "x"],
        ["a", "12", "x"],
      ]);
      expect(await store.listNamespaces({ prefix: ["*", "1"] })).toEqual([
        ["a", "1", "x"],
        ["a", "1", "y"],
        ["b", "1", "x"],
      ]);
      expect(await store.listNamespaces({ prefix: ["a", "1", "x", "z"] })).toEqual([]);
    },
  },
  {
    rules: ["L6"],
    title: "namespaces deeper than asked for are shown by their beginnings, once each",
    async run(store) {
      for (const namespace of [["a", "1", "x"], ["a", "1", "y"], ["a", "2"], ["b"]])
        await store.put(namespace, "k", {});
      expect(await store.listNamespaces({ maxDepth: 1 })).toEqual([["a"], ["b"]]);
      expect(await store.listNamespaces({ maxDepth: 2 })).toEqual([["a", "1"], ["a", "2"], ["b"]]);
    },
  },
  {
    rules: ["L6"],
    title: "a namespace is gone with its last item",
    async run(store) {
      await store.put(["a"], "k", {});
      await store.put(["b"], "k", {});
      await store.delete(["a"], "k");
      expect(await store.listNamespaces()).toEqual([["b"]]);
    },
  },
];
