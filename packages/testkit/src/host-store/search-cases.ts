import { expect } from "vitest";
import { type HostStoreCase, keysOf, putMany } from "./host-store-case.ts";

const PEOPLE = {
  ada: { age: 36, city: "London", active: true, tags: ["maths"] },
  bob: { age: 41, city: "Oslo", active: false, tags: [] },
  eve: { age: 41, city: "Bergen", active: true },
  kim: { city: null },
};

/** Which people each filter finds. */
const FILTERS: readonly (readonly [filter: { [member: string]: unknown }, keys: readonly string[]])[] = [
  [{ age: 41 }, ["bob", "eve"]],
  [{ city: "Oslo" }, ["bob"]],
  [{ city: "oslo" }, []],
  [{ active: true, age: 41 }, ["eve"]],
  [{ age: { $eq: 36 } }, ["ada"]],
  [{ age: { $ne: 41 } }, ["ada", "kim"]],
  [{ age: { $gt: 36 } }, ["bob", "eve"]],
  [{ age: { $gte: 36 } }, ["ada", "bob", "eve"]],
  [{ age: { $lt: 41 } }, ["ada"]],
  [{ age: { $lte: 41 } }, ["ada", "bob", "eve"]],
  [{ age: { $gt: 36, $lt: 41 } }, []],
  [{ city: { $in: ["Oslo", "Bergen"] } }, ["bob", "eve"]],
  [{ city: { $nin: ["Oslo", "Bergen"] } }, ["ada", "kim"]],
  [{ city: null }, ["kim"]],
  [{ nobody: "has this" }, []],
];

/** Finding items. */
export const SEARCH_CASES: readonly HostStoreCase[] = [
  {
    rules: ["L6"],
    title: "a search finds everything below its prefix and nothing beside it",
    async run(store) {
      const places = [["u"], ["u", "1"], ["u", "1", "notes"], ["u", "12"], ["u", "2", "1"], ["u1"], ["v", "u"]];
      for (const namespace of places) await store.put(namespace, namespace.join("-"), { at: namespace });
      expect(keysOf(await store.search(["u", "1"]))).toEqual(["u-1", "u-1-notes"]);
      expect(keysOf(await store.search(["u"]))).toEqual(["u", "u-1", "u-1-notes", "u-12", "u-2-1"]);
      expect(keysOf(await store.search([]))).toHaveLength(places.length);
      expect(await store.search(["w"])).toEqual([]);
    },
  },
  {
    rules: ["L6"],
    title: "a search answers ten items, or as many as asked for, and pages show each item once",
    async run(store) {
      await putMany(store, ["v"], 23);
      expect(await store.search(["v"])).toHaveLength(10);
      expect(await store.search(["v"], { limit: 3 })).toHaveLength(3);
      const pages = [0, 10, 20].map((offset) => store.search(["v"], { offset, limit: 10 }));
      const all = (await Promise.all(pages)).flat();
      expect(all).toHaveLength(23);
      expect(new Set(keysOf(all)).size).toBe(23);
      expect(await store.search(["v"], { offset: 23 })).toEqual([]);
    },
  },
  ...FILTERS.map(
    ([filter, keys]): HostStoreCase => ({
      rules: ["L6"],
      title: `a search by ${JSON.stringify(filter)} finds ${keys.length === 0 ? "nobody" : keys.join(" and ")}`,
      async run(store) {
        for (const [key, value] of Object.entries(PEOPLE)) await store.put(["people"], key, value);
        expect(keysOf(await store.search(["people"], { filter }))).toEqual(keys);
      },
    }),
  ),
  {
    rules: ["L6"],
    title: "a list or an object is found by what it holds",
    async run(store) {
      for (const [key, value] of Object.entries(PEOPLE)) await store.put(["people"], key, value);
      await store.put(["people"], "zoe", { at: { city: "Oslo", country: "Norway" } });
      expect(keysOf(await store.search(["people"], { filter: { tags: ["maths"] } }))).toEqual(["ada"]);
      expect(keysOf(await store.search(["people"], { filter: { at: { country: "Norway", city: "Oslo" } } }))).toEqual([
        "zoe",
      ]);
    },
  },
  {
    rules: ["L6"],
    title: "an operator that there isn't is refused",
    async run(store) {
      await store.put(["v"], "k", { text: "abc" });
      await expect(store.search(["v"], { filter: { text: { $regex: "a" } } })).rejects.toThrow();
    },
  },
  {
    rules: ["L6"],
    title: "a filter is applied before the limit and the offset",
    async run(store) {
      for (let index = 0; index < 30; index++) await store.put(["v"], `k${index}`, { even: index % 2 === 0 });
      expect(await store.search(["v"], { filter: { even: true }, limit: 20 })).toHaveLength(15);
      expect(await store.search(["v"], { filter: { even: true }, limit: 10, offset: 10 })).toHaveLength(5);
    },
  },
  {
    rules: ["L6"],
    title: "a query finds what holds its words, the best one first, with a score",
    async run(store) {
      await store.put(["v"], "dog", { text: "Rex is a dog. A dog that barks." });
      await store.put(["v"], "cat", { text: "Tom chases the dog." });
      await store.put(["v"], "fish", { text: "Wanda swims." });
      const found = await store.search(["v"], { query: "dog" });
      expect(found.map(({ key }) => key)).toEqual(["dog", "cat"]);
      expect(found[0]?.score).toBeGreaterThanOrEqual(found[1]?.score ?? Number.POSITIVE_INFINITY);
      expect(await store.search(["w"], { query: "dog" })).toEqual([]);
    },
  },
];
