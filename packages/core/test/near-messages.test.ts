import { describe, expect, it } from "vitest";
import { type Embedder, inMemoryStore, type MemoryStore, type VectorQuery } from "../src/index.ts";
import { WEIGHTS } from "../src/search/weights.ts";
import { testMemory, user } from "./support.ts";

/** More than are read. */
const SAID = WEIGHTS.near + 10;

/** A dog by whatever word is near any other; the number in a text says how near. */
const embedder: Embedder = {
  modelId: "dogs@1",
  dimensions: 3,
  embed: async (texts) =>
    texts.map((text) => {
      const number = Number(/\d+/.exec(text)?.[0] ?? 0);
      return Float32Array.from(/beagle|puppy/.test(text) ? [1, number / 1_000, 0] : [0, 0, 1]);
    }),
};

/** The store, and how many near messages it was asked for. */
function listening(): { store: MemoryStore; limits: number[] } {
  const store = inMemoryStore();
  const limits: number[] = [];
  const { vectors } = store;
  if (vectors === undefined) expect.fail();
  const nearest: typeof vectors.nearest = (owner, scope, query: VectorQuery, call) => {
    limits.push(query.limit);
    return vectors.nearest(owner, scope, query, call);
  };
  return { store: { ...store, vectors: { ...vectors, nearest } }, limits };
}

describe("how many near messages are read", () => {
  it("G8: as many whatever is asked for, so that the hits of a search for few are the first of one for many", async () => {
    const { store, limits } = listening();
    const { memory } = testMemory({ store, embedder, keywordFloor: 0 });
    const chat = memory.conversation({ id: "c", subject: "ana" });
    for (let number = 0; number < SAID; number++) await chat.record({ messages: [user(`a beagle, number ${number}`)] });
    await chat.record({ messages: [user("a kennel for the dog")] });
    await memory.settled();
    for (const query of ["which beagle", "puppy", "puppy kennel"]) {
      const ids = async (k: number) => (await chat.search(query, { k })).hits.map(({ message }) => message.id);
      const most = await ids(100);
      expect(most, query).toHaveLength(100);
      for (const k of [1, 10, 61]) expect(await ids(k), query).toEqual(most.slice(0, k));
    }
    expect(new Set(limits)).toEqual(new Set([WEIGHTS.near]));
  });

  it("W15/S1: what was rewound takes no room, with an index of vectors and without one", async () => {
    const { vectors: _vectors, ...rest } = inMemoryStore();
    const without = { ...rest, capabilities: { ...rest.capabilities, vectorSearch: false } };
    for (const store of [inMemoryStore(), without]) {
      const { memory } = testMemory({ store, embedder, semanticFloor: 0.1 });
      const chat = memory.conversation({ id: "c", subject: "ana" });
      await chat.record({ id: "first", messages: [user("a puppy, number 900")] });
      for (let number = 0; number < SAID; number++) await chat.record({ messages: [user("a beagle, number 0")] });
      await memory.settled();
      await chat.rewind({ to: "first" });
      const { hits } = await chat.search("beagle", { mode: "semantic" });
      expect(hits.map(({ turn }) => turn)).toEqual(["first"]);
    }
  });
});
