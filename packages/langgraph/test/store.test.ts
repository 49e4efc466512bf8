import { Embeddings } from "@langchain/core/embeddings";
import { HumanMessage } from "@langchain/core/messages";
import { END, InMemoryStore, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { createMemory, inMemoryStore } from "@throughline/core";
import { describeHostStore, type HostStore } from "@throughline/testkit";
import { assert, asyncProperty, constantFrom, string, uniqueArray } from "fast-check";
import { describe, expect, test } from "vitest";
import { createStore, fromStoreLabel, type StoreOptions, storeLabel } from "../src/index.ts";

const memoryOf = (clock?: () => Date) =>
  createMemory({ agent: "guide", store: inMemoryStore(), env: {}, onEvent: () => {}, ...(clock && { clock }) });
const storeOf = (options?: StoreOptions) => createStore(memoryOf(), options);

describeHostStore("createStore in memory", { create: () => storeOf() });

// What the framework's own one does otherwise, so that nobody takes it for the measure.
describeHostStore("LangGraph's InMemoryStore", {
  // Its types hold more than the suite needs, and less than structural types can show.
  create: () => new InMemoryStore() as unknown as HostStore,
  skip: {
    "nobody changes what is stored by changing what was given or got": "it hands out the objects that it stores",
    "reads of a batch see what was there before its writes": "the answer is the stored object, which the write changes",
    "a label may hold the signs that join labels elsewhere": "it joins labels with `:` and refuses them",
    "an operator that there isn't is refused": "it compares the operators as if they were a value",
    "a list or an object is found by what it holds": "it compares by identity",
    "a query finds what holds its words, the best one first, with a score": "without an index it ignores the query",
    "a batch that lists without conditions answers in its place as well":
      "it skips the operation, and later answers move up",
    "a namespace is gone with its last item": "it keeps empty namespaces",
  },
});

/** Two meanings: animals and cities. */
class TwoMeanings extends Embeddings {
  calls = 0;
  async embedQuery(text: string): Promise<number[]> {
    this.calls += 1;
    return [Number(/dog|cat|pet/i.test(text)), Number(/Oslo|Bergen|town/i.test(text))];
  }
  async embedDocuments(texts: string[]): Promise<number[][]> {
    return Promise.all(texts.map((text) => this.embedQuery(text)));
  }
}
const indexed = (fields?: string[]): StoreOptions => ({
  index: { dims: 2, embeddings: new TwoMeanings({}), ...(fields && { fields }) },
});

describe("L6: a query by meaning", () => {
  test("finds what has none of its words, and before what is about something else", async () => {
    const store = storeOf(indexed());
    await store.put(["v"], "rex", { text: "Rex is a dog" });
    await store.put(["v"], "home", { text: "lives in Oslo" });
    const found = await store.search(["v"], { query: "any pet?" });
    expect(found[0]).toMatchObject({ key: "rex", score: expect.any(Number) });
    expect((await store.search(["v"], { query: "which town", limit: 1 })).map(({ key }) => key)).toEqual(["home"]);
  });

  test("never takes an item for one that a store without an index deleted", async () => {
    const memory = memoryOf();
    const [store, plain] = [createStore(memory, indexed()), createStore(memory)];
    await store.put(["v"], "k", { text: "Tom is a cat" });
    await plain.delete(["v"], "k");
    await plain.put(["v"], "k", { text: "a stone" });
    expect(await store.search(["v"], { query: "any pet?" })).toEqual([]);
  });

  test("goes with the words: what fits both comes first", async () => {
    const store = storeOf(indexed());
    await store.put(["v"], "tom", { text: "Tom is a cat" });
    await store.put(["v"], "rex", { text: "Rex is a dog" });
    const found = await store.search(["v"], { query: "the dog" });
    expect(found.map(({ key }) => key)).toEqual(["rex", "tom"]);
  });

  test("looks at the fields that were named, for the store or for one put, or at none", async () => {
    const store = storeOf(indexed(["title", "chapters[*].title"]));
    await store.put(["v"], "a", { title: "On dogs", text: "Oslo" });
    await store.put(["v"], "b", { chapters: [{ title: "x" }, { title: "On cats" }] });
    await store.put(["v"], "c", { title: "x", text: "a pet" }, ["text"]);
    await store.put(["v"], "d", { title: "a pet shop" }, false);
    const near = (await store.search(["v"], { query: "pet" })).filter(({ score = 0 }) => score >= 0.5);
    expect(near.map(({ key }) => key).toSorted()).toEqual(["a", "b", "c", "d"]);
    const store2 = storeOf(indexed(["title"]));
    await store2.put(["v"], "d", { title: "dogs" }, false);
    expect(await store2.search(["v"], { query: "pet" })).toEqual([]);
  });

  test("never finds what was put over or deleted by its older meaning", async () => {
    const store = storeOf(indexed());
    await store.put(["v"], "k", { text: "a dog" });
    await store.put(["v"], "k", { text: "Oslo" });
    expect((await store.search(["v"], { query: "pet" })).map(({ score }) => score)).toEqual([0]);
    await store.delete(["v"], "k");
    expect(await store.search(["v"], { query: "pet" })).toEqual([]);
  });
});

describe("L6: labels", () => {
  test("any id is a label that LangGraph takes, and comes back", async () => {
    await assert(
      asyncProperty(
        uniqueArray(string({ unit: constantFrom(..."ab.:%_\0|@ é".split(""), "langgraph"), maxLength: 6 }), {
          maxLength: 8,
        }),
        async (ids) => {
          const labels = ids.map(storeLabel);
          expect(labels.map(fromStoreLabel)).toEqual(ids);
          expect(new Set(labels).size).toBe(ids.length);
          const store = new InMemoryStore();
          for (const label of labels) await store.put([label], "k", {});
        },
      ),
    );
  });

  test("nodes reach a person's items by an e-mail address", async () => {
    const store = storeOf();
    const graph = new StateGraph(MessagesAnnotation)
      .addNode("note", async (_state, { store: given }) => {
        await given?.put(["notes", storeLabel("ada@example.com")], "city", { name: "Oslo" });
        const found = await given?.search(["notes", storeLabel("ada@example.com")]);
        return { messages: [new HumanMessage(String(found?.length))] };
      })
      .addEdge(START, "note")
      .addEdge("note", END)
      .compile({ store });
    const { messages } = await graph.invoke({ messages: [] });
    expect(messages[0]?.text).toBe("1");
    expect(await store.get(["notes", "ada%40example%2Ecom"], "city")).toBeNull();
    expect(await store.get(["notes", storeLabel("ada@example.com")], "city")).toMatchObject({
      value: { name: "Oslo" },
    });
  });
});

describe("L6: what else is told of an item", () => {
  test("it is gone after its time, by the store's or by its own", async () => {
    let now = Date.UTC(2026, 0, 1);
    const memory = memoryOf(() => new Date(now));
    const store = createStore(memory, { ttl: 60 });
    await store.put(["v"], "hour", {});
    await store.put(["v"], "day", {}, undefined, { ttl: 24 * 60 });
    now += 2 * 60 * 60_000;
    expect(await store.get(["v"], "hour")).toBeNull();
    expect((await store.search(["v"])).map(({ key }) => key)).toEqual(["day"]);
  });

  test("A2: it is erased with the person it belongs to, with its vectors", async () => {
    const memory = memoryOf();
    const store = createStore(memory, { ...indexed(), subjectOf: ([, label = ""]) => fromStoreLabel(label) });
    await store.put(["notes", storeLabel("ada@example.com")], "k", { text: "a dog" });
    await store.put(["notes", storeLabel("bob")], "k", { text: "a dog" });
    const receipt = await memory.subject("ada@example.com").erase();
    expect(receipt.removed.records).toBe(2);
    expect((await store.search(["notes"])).map(({ namespace }) => namespace)).toEqual([["notes", "bob"]]);
    expect(await memory.records(["langgraph.vectors"]).list()).toHaveLength(1);
  });

  test("what is no JSON is refused with its path; members that are undefined are left out", async () => {
    const store = storeOf();
    await expect(store.put(["v"], "k", { at: new Date(0) })).rejects.toMatchObject({ code: "INVALID_JSON" });
    await store.put(["v"], "k", { a: undefined, b: [{ c: undefined, d: 1 }] });
    expect((await store.get(["v"], "k"))?.value).toEqual({ b: [{ d: 1 }] });
  });

  test("texts have an order as well, and members can be asked for", async () => {
    const store = storeOf();
    await store.put(["v"], "old", { at: "2026-01-01" });
    await store.put(["v"], "new", { at: "2026-06-01" });
    await store.put(["v"], "none", {});
    const keys = async (filter: object) => (await store.search(["v"], { filter: { ...filter } })).map(({ key }) => key);
    expect(await keys({ at: { $gt: "2026-03-01" } })).toEqual(["new"]);
    expect(await keys({ at: { $exists: false } })).toEqual(["none"]);
    expect(await keys({ at: { $gt: 3 } })).toEqual([]);
  });
});

describe("L6: facts under a namespace of their own", () => {
  test("are read by key, listed and searched, one person's at a time", async () => {
    const memory = memoryOf();
    await memory.subject("ada@example.com").remember({ key: "city", value: "Oslo", tags: ["home"] });
    await memory.subject("ada@example.com").remember({ value: "plays the violin", topic: "music" });
    await memory.subject("bob").remember({ key: "city", value: "Bergen" });
    const store = createStore(memory, { facts: "facts" });
    const ada = ["facts", storeLabel("ada@example.com")];
    expect(await store.get(ada, "city")).toMatchObject({ key: "city", value: { value: "Oslo", tags: ["home"] } });
    expect(await store.search(ada)).toHaveLength(2);
    expect(await store.search(ada, { filter: { topic: "music" } })).toHaveLength(1);
    expect((await store.search(ada, { query: "violin" }))[0]?.value).toMatchObject({ topic: "music" });
    expect(await store.search(["facts"])).toEqual([]);
    expect(await store.get(["facts", "nobody"], "city")).toBeNull();
  });

  test("are not written through it, and are not there unless asked for", async () => {
    const memory = memoryOf();
    await memory.subject("ada").remember({ key: "city", value: "Oslo" });
    const store = createStore(memory, { facts: "facts" });
    await expect(store.put(["facts", "ada"], "city", { value: "Bergen" })).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
    });
    await expect(store.delete(["facts", "ada"], "city")).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    expect(await createStore(memory).search(["facts", "ada"])).toEqual([]);
  });
});

test("L6/G10: what one agent's store holds another agent's doesn't see", async () => {
  const store = inMemoryStore();
  const [one, other] = ["one", "other"].map((agent) => createStore(createMemory({ agent, store, env: {} })));
  await one?.put(["v"], "k", {});
  expect(await other?.search([])).toEqual([]);
});
