import { afterEach, describe, expect, it, vi } from "vitest";
import {
  type Embedder,
  inMemoryStore,
  MemoryError,
  type MemoryEvent,
  type MemoryStore,
  type WorkResult,
} from "../src/index.ts";
import { testMemory, user } from "./support.ts";

const OWNER = { tenant: "default", agent: "helper", conversation: "c" };
const flat: Embedder = {
  modelId: "flat",
  dimensions: 2,
  embed: async (texts) => texts.map(() => Float32Array.of(1, 0)),
};

/** A store that begins and ends work in one call each, and keeps in a list what is asked of it. */
function tripStore(): { store: MemoryStore; calls: string[]; results: WorkResult[] } {
  const base = inMemoryStore();
  const calls: string[] = [];
  const results: WorkResult[] = [];
  const noted =
    <Given extends unknown[], Answer>(name: string, call: (...given: Given) => Promise<Answer>) =>
    (...given: Given): Promise<Answer> => {
      calls.push(name);
      return call(...given);
    };
  let through = 0;
  const keyword: NonNullable<MemoryStore["keyword"]> = {
    async index(owner, batch) {
      if (batch.after !== through) return false;
      through = batch.through;
      await base.settleWork(owner, { holder: "", watermarks: { index: batch.through }, release: false });
      return true;
    },
    postings: () => Promise.reject(new Error("not asked")),
    documents: async () => [],
    behind: async () => [],
    following: async () => [],
  };
  const store: MemoryStore = {
    ...base,
    keyword: { ...keyword, index: noted("keyword.index", keyword.index) },
    vectors: base.vectors && { ...base.vectors, put: noted("vectors.put", base.vectors.put) },
    claimWork: noted("claimWork", base.claimWork),
    settleWork: noted("settleWork", base.settleWork),
    readTurns: noted("readTurns", base.readTurns),
    readRecords: noted("readRecords", base.readRecords),
    beginWork: noted("beginWork", async (owner, { turns, records = [], ...claim }) => {
      const [conversation] = await base.claimWork(owner, { ...claim, limit: 1, conversation: owner.conversation });
      if (conversation === undefined) return null;
      const found = await Promise.all(
        records.map((one) => base.readRecords(owner, { now: claim.now, ...one, limit: 100 })),
      );
      const after = Math.min(...(turns?.behind ?? []).map((name) => conversation.watermarks[name] ?? 0));
      return { conversation, records: found, turns: await base.readTurns(owner, { after, limit: 100 }) };
    }),
    finishWork: noted("finishWork", async (owner, result) => {
      results.push(result);
      const indexed = result.index !== undefined && (await keyword.index(owner, result.index));
      const vectors = result.vectors === undefined ? 0 : await base.vectors?.put(owner, result.vectors);
      await base.settleWork(owner, result.settlement);
      return { indexed, vectors: vectors ?? 0 };
    }),
  };
  return { store, calls, results };
}

/** The memory with floors measured and one turn settled, so that only what every turn takes is left to see. */
async function settledOnce(options: Parameters<typeof testMemory>[0] = {}) {
  const trips = tripStore();
  const told = testMemory({ store: trips.store, embedder: flat, ...options });
  const talk = told.memory.conversation({ id: "c" });
  await talk.record({ messages: [user("one")] });
  await told.memory.settled();
  trips.calls.length = 0;
  trips.results.length = 0;
  told.events.length = 0;
  return { ...trips, ...told, talk };
}

const counted = (events: readonly MemoryEvent[]) =>
  events.flatMap((event) =>
    event.type === "memory.indexed" || event.type === "memory.embedded" ? [`${event.type} ${event.turns}`] : [],
  );

afterEach(() => vi.useRealTimers());

describe("work that is held back", () => {
  it("E3: a turn's work is two calls of a store that has them, and nothing is read twice", async () => {
    const { memory, store, talk, calls, results, events } = await settledOnce();
    await talk.record({ messages: [user("two")] });
    await memory.settled();
    expect(calls).toEqual(["beginWork", "finishWork"]);
    expect(results).toMatchObject([
      {
        index: { after: 1, through: 2, documents: [{ seq: 2 }] },
        vectors: { documents: [{ seq: 2 }] },
        settlement: { settledSeq: 2 },
      },
    ]);
    expect(counted(events)).toEqual(["memory.indexed 1", "memory.embedded 1"]);
    expect(await store.readConversation(OWNER)).toMatchObject({ settledSeq: 2, watermarks: { index: 2 } });
  });

  it("S6/E1: what is indexed doesn't wait for an embedder that isn't prompt", async () => {
    const go = Promise.withResolvers<void>();
    let isSlow = false;
    const embedder: Embedder = {
      ...flat,
      async embed(texts, options) {
        if (isSlow) await go.promise;
        return flat.embed(texts, options);
      },
    };
    const { memory, store, talk, results } = await settledOnce({ embedder });
    isSlow = true;
    await talk.record({ messages: [user("two")] });
    const settled = memory.settled();
    await vi.waitFor(async () => {
      expect(await store.readConversation(OWNER)).toMatchObject({ settledSeq: 1, watermarks: { index: 2 } });
    });
    go.resolve();
    await settled;
    expect(results.map(({ index, vectors }) => [index !== undefined, vectors !== undefined])).toEqual([
      [true, false],
      [false, true],
    ]);
    expect(await store.readConversation(OWNER)).toMatchObject({ settledSeq: 2 });
  });

  it("S6/G7: an embedder that fails leaves the turn indexed, its failure noted, and the work due", async () => {
    let isDown = false;
    const embedder: Embedder = {
      ...flat,
      embed: (texts, options) => (isDown ? Promise.reject(new Error("down")) : flat.embed(texts, options)),
    };
    const { memory, store, talk, calls } = await settledOnce({ embedder });
    isDown = true;
    await talk.record({ messages: [user("two")] });
    await memory.settled();
    expect(await memory.operator.failures()).toMatchObject([{ work: "embed", code: "EMBEDDER_FAILED" }]);
    expect(await store.readConversation(OWNER)).toMatchObject({ settledSeq: 1, watermarks: { index: 2 } });
    isDown = false;
    calls.length = 0;
    expect(await memory.sweep()).toMatchObject({ conversations: 1, embedded: 1, failed: 0 });
    // The note that was read along is taken away, and only then is the work settled.
    expect(await memory.operator.failures()).toEqual([]);
    expect(await store.readConversation(OWNER)).toMatchObject({ settledSeq: 2 });
  });

  it("G7/PR3: where the one trip fails each piece is written by itself, and only what the store refuses is noted", async () => {
    const { memory, store, talk, calls, events } = await settledOnce();
    const refuse = async () => Promise.reject(new MemoryError("STORE_FAILED", "It refuses."));
    Object.assign(store, { finishWork: refuse });
    Object.assign(store.vectors ?? {}, { put: refuse });
    const { memory: other } = testMemory({ store, embedder: flat });
    await other.conversation({ id: "c" }).record({ id: "later", messages: [user("two")] });
    await other.settled();
    expect(await other.operator.failures()).toMatchObject([{ work: "embed", code: "STORE_FAILED" }]);
    expect(await store.readConversation(OWNER)).toMatchObject({ settledSeq: 1, watermarks: { index: 2 } });
    expect(calls).toContain("keyword.index");
    expect(counted(events)).toEqual([]);
    await memory.close();
    expect(talk.id).toBe("c");
  });

  it("W5/E3: what may take long holds nothing back, and what was read before it is read again", async () => {
    const got: string[] = [];
    const { memory, talk, calls } = await settledOnce({
      summarizer: () => "They talked.",
      sinks: [({ turn }) => void got.push(turn.id)],
    });
    await talk.record({ id: "t2", messages: [user("two")] });
    await memory.settled();
    expect(got.at(-1)).toBe("t2");
    // Written before the fold, and before the sinks.
    expect(calls.filter((name) => name === "finishWork")).toHaveLength(3);
    expect(calls).toContain("readTurns");
  });

  it("A2/W5: what is erased while the embedder runs is not given to it later", async () => {
    const given: string[][] = [];
    let meanwhile = async (): Promise<unknown> => undefined;
    const embedder: Embedder = {
      ...flat,
      async embed(texts, options) {
        given.push(texts);
        await meanwhile();
        return flat.embed(texts, options);
      },
    };
    const { memory, talk } = await settledOnce({ embedder });
    for (let turn = 0; turn < 20; turn++) {
      await talk.record({ messages: [{ ...user(`said ${turn}`), id: `m${turn}` }] });
    }
    given.length = 0;
    meanwhile = () => talk.deleteMessages(["m18"]);
    await memory.settled();
    expect(given).toHaveLength(2);
    expect(given[1]).toEqual(["said 16", "said 17", "said 19"]);
  });

  it("A2/E3: what is written says which conversation it is of, since another one may have its id by then", async () => {
    const { memory, talk, store, results } = await settledOnce();
    await talk.record({ messages: [user("two")] });
    await memory.settled();
    const { createdAt } = (await store.readConversation(OWNER)) ?? {};
    expect(createdAt).toEqual(expect.any(String));
    expect(results.map(({ settlement }) => settlement.createdAt)).toEqual(results.map(() => createdAt));
    expect(results.length).toBeGreaterThan(0);
  });
});
