import { expect } from "vitest";
import type { HostValue } from "./host-store.ts";
import { type HostStoreCase, keysOf } from "./host-store-case.ts";

const VALUES: readonly HostValue[] = [
  {},
  { text: "", none: null, yes: true, no: false, zero: 0, minus: -1.5 },
  { list: [1, "two", [3], { four: 4 }], nested: { deep: { deeper: ["ä", "日本", "🙂", "\u0000"] } } },
  { "a.b": 1, $eq: 2, "": 3, constructor: 4 },
];

/** Single items and the namespaces they are in. */
export const ITEM_CASES: readonly HostStoreCase[] = [
  {
    rules: ["L6"],
    title: "an item comes back with its key, its namespace and its times",
    async run(store) {
      const before = Date.now();
      await store.put(["users", "1"], "city", { name: "Oslo" });
      const item = await store.get(["users", "1"], "city");
      expect(item).toMatchObject({ namespace: ["users", "1"], key: "city", value: { name: "Oslo" } });
      expect(item?.createdAt).toBeInstanceOf(Date);
      expect(item?.updatedAt.getTime()).toBeGreaterThanOrEqual(item?.createdAt.getTime() ?? before);
      expect(await store.get(["users", "1"], "other")).toBeNull();
      expect(await store.get(["users"], "city")).toBeNull();
    },
  },
  {
    rules: ["L6"],
    title: "any JSON value is kept as given",
    async run(store) {
      for (const [index, value] of VALUES.entries()) await store.put(["v"], `k${index}`, value);
      for (const [index, value] of VALUES.entries()) {
        expect((await store.get(["v"], `k${index}`))?.value).toEqual(value);
      }
    },
  },
  {
    rules: ["L6"],
    title: "nobody changes what is stored by changing what was given or got",
    async run(store) {
      const given = { list: [1] };
      await store.put(["v"], "k", given);
      given.list.push(2);
      const got = await store.get(["v"], "k");
      if (got) got.value.more = true;
      expect((await store.get(["v"], "k"))?.value).toEqual({ list: [1] });
    },
  },
  {
    rules: ["L6"],
    title: "a second put takes the place of the whole value and keeps the first one's time",
    async run(store) {
      await store.put(["v"], "k", { one: 1 });
      const first = await store.get(["v"], "k");
      const kept = first && { ...first, createdAt: first.createdAt.getTime() };
      await store.put(["v"], "k", { two: 2 });
      const second = await store.get(["v"], "k");
      expect(second?.value).toEqual({ two: 2 });
      expect(second?.createdAt.getTime()).toBe(kept?.createdAt);
      expect(keysOf(await store.search(["v"]))).toEqual(["k"]);
    },
  },
  {
    rules: ["L6"],
    title: "a deleted item is gone, and deleting what isn't there is no error",
    async run(store) {
      await store.put(["v"], "k", { one: 1 });
      await store.put(["v"], "other", { one: 1 });
      await store.delete(["v"], "k");
      await store.delete(["v"], "k");
      await store.delete(["w"], "k");
      expect(await store.get(["v"], "k")).toBeNull();
      expect(keysOf(await store.search(["v"]))).toEqual(["other"]);
    },
  },
  {
    rules: ["L6"],
    title: "any id of a person is a label of its own",
    async run(store) {
      const ids = [
        "1",
        "12",
        "auth0|1",
        "50%",
        "5_%",
        "5x%",
        "it's",
        '"q"',
        "a*b",
        "a\\b",
        "日本",
        "🙂",
        "e\u0301",
        "\u00e9",
        " ",
      ];
      for (const id of ids) await store.put(["u", id], "k", { id });
      for (const id of ids) {
        expect((await store.get(["u", id], "k"))?.value).toEqual({ id });
        expect((await store.search(["u", id])).map(({ value }) => value)).toEqual([{ id }]);
      }
    },
  },
  {
    rules: ["L6"],
    title: "a label may hold the signs that join labels elsewhere",
    async run(store) {
      const labels = [["ada@example.com"], ["a", "b"], ["a:b"], ["a.b"], ["a/b"], ["a\u001fb"]];
      // A batch: what the framework's own methods refuse, a caller outside of a graph may ask for.
      await store.batch(labels.map((namespace, index) => ({ namespace, key: "k", value: { index } })));
      const found = await store.batch(labels.map((namespacePrefix) => ({ namespacePrefix })));
      expect(found.map((items) => (items as { value: unknown }[]).map(({ value }) => value))).toEqual(
        labels.map((_, index) => [{ index }]),
      );
    },
  },
  {
    rules: ["L6"],
    title: "an item needs a namespace, and the framework's own one is not for others",
    async run(store) {
      await expect(store.put([], "k", {})).rejects.toThrow();
      await expect(store.put(["langgraph", "x"], "k", {})).rejects.toThrow();
    },
  },
];
