import type { ItemQuery, MemoryStore } from "@throughline/core";
import { expect } from "vitest";
import { bytesOf, CHAT, HOSTILE_IDS } from "../fixtures.ts";
import type { StoreSuite } from "../store-suite.ts";

async function keys(
  store: MemoryStore,
  query: Partial<Extract<ItemQuery, { prefix: string }>> = {},
): Promise<string[]> {
  const items = await store.readItems(CHAT, { prefix: "", limit: 1_000, ...query });
  return items.map((item) => item.key);
}

async function putKeys(store: MemoryStore, ...names: string[]): Promise<void> {
  await store.commitItems(
    CHAT,
    names.map((key) => ({ action: "put", key, bytes: bytesOf(key) })),
  );
}

/** Hosts' byte items: exact bytes, exact keys, ranges in order. */
export const itemsSuite: StoreSuite = {
  name: "items",
  cases: [
    {
      rules: ["J15"],
      title: "bytes come back exactly, none or a megabyte, before any turn was recorded",
      async run({ store }) {
        const large = new Uint8Array(1_048_576).map((_, index) => (index * 31) % 256);
        const all = new Uint8Array(256).map((_, index) => index);
        await store.commitItems(CHAT, [
          { action: "put", key: "all", bytes: all },
          { action: "put", key: "large", bytes: large },
          { action: "put", key: "none", bytes: new Uint8Array() },
        ]);
        const items = await store.readItems(CHAT, { keys: ["none", "large", "all", "missing"] });
        expect(items.map((item) => item.key)).toEqual(["all", "large", "none"]);
        expect(items.map((item) => item.bytes instanceof Uint8Array)).toEqual([true, true, true]);
        expect(
          items.map((item) => Buffer.compare(item.bytes, { all, large, none: new Uint8Array() }[item.key] ?? all)),
        ).toEqual([0, 0, 0]);
        expect(await store.readConversation(CHAT)).toBeNull();
      },
    },
    {
      rules: ["J15"],
      title: "an item given or answered can be changed without changing the store",
      async run({ store }) {
        const bytes = bytesOf("abc");
        await store.commitItems(CHAT, [{ action: "put", key: "k", bytes }]);
        bytes[0] = 0;
        const [first] = await store.readItems(CHAT, { keys: ["k"] });
        first?.bytes.fill(0);
        const [second] = await store.readItems(CHAT, { keys: ["k"] });
        expect(new TextDecoder().decode(second?.bytes)).toBe("abc");
      },
    },
    {
      rules: ["J15", "J1"],
      title: "a range is sorted by key and cut by prefix, exclusive borders and limit, both ways",
      async run({ store }) {
        await putKeys(store, "b:2", "a", "b:10", "b", "b:1", "c", "B:1", "b%", "é", "中");
        expect(await keys(store)).toEqual(["B:1", "a", "b", "b%", "b:1", "b:10", "b:2", "c", "é", "中"]);
        expect(await keys(store, { prefix: "b:" })).toEqual(["b:1", "b:10", "b:2"]);
        expect(await keys(store, { prefix: "b%" })).toEqual(["b%"]);
        expect(await keys(store, { prefix: "b", after: "b", before: "b:2" })).toEqual(["b%", "b:1", "b:10"]);
        expect(await keys(store, { order: "descending", limit: 2 })).toEqual(["中", "é"]);
        expect(await keys(store, { prefix: "b:", order: "descending", before: "b:2", limit: 1 })).toEqual(["b:10"]);
        expect(await keys(store, { after: "zzz", before: "é" })).toEqual([]);
      },
    },
    {
      rules: ["J15", "PR5"],
      title: "hostile keys stay apart, as keys and as prefixes",
      async run({ store }) {
        await putKeys(store, ...HOSTILE_IDS);
        expect(await keys(store)).toEqual(HOSTILE_IDS.toSorted());
        for (const id of HOSTILE_IDS) {
          const [item, ...rest] = await store.readItems(CHAT, { keys: [id] });
          expect(rest).toEqual([]);
          expect(new TextDecoder("utf-8", { ignoreBOM: true }).decode(item?.bytes)).toBe(id);
          const under = await keys(store, { prefix: id });
          expect(under).toEqual(HOSTILE_IDS.filter((other) => other.startsWith(id)).toSorted());
        }
      },
    },
    {
      rules: ["L4", "J15"],
      title: "ifAbsent leaves what is there, a plain put takes its place",
      async run({ store }) {
        const put = (text: string, ifAbsent: boolean) =>
          store.commitItems(CHAT, [{ action: "put", key: "k", bytes: bytesOf(text), ifAbsent }]);
        const read = async () => new TextDecoder().decode((await store.readItems(CHAT, { keys: ["k"] }))[0]?.bytes);
        await put("one", true);
        await put("two", true);
        expect(await read()).toBe("one");
        await put("three", false);
        expect(await read()).toBe("three");
      },
    },
    {
      rules: ["J15", "J1"],
      title: "commits apply in order; deletes take exactly what they name",
      async run({ store }) {
        await putKeys(store, "a", "a:1", "a:2", "a_1", "b");
        await store.commitItems(CHAT, [
          { action: "delete-prefix", prefix: "a:" },
          { action: "put", key: "a:3", bytes: bytesOf("3") },
          { action: "delete", key: "b" },
          { action: "delete", key: "none" },
        ]);
        expect(await keys(store)).toEqual(["a", "a:3", "a_1"]);
        await store.commitItems(CHAT, [{ action: "delete-prefix", prefix: "" }]);
        expect(await keys(store)).toEqual([]);
      },
    },
  ],
};
