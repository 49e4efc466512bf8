import { afterEach, describe, expect, it, vi } from "vitest";
import { type Embedder, inMemoryStore, MemoryError, type Outcome } from "../src/index.ts";
import { assistant, testMemory, user } from "./support.ts";

/** An embedder that never answers, and the signals it was given. */
function hungEmbedder(): Embedder & { signals: (AbortSignal | undefined)[] } {
  const signals: (AbortSignal | undefined)[] = [];
  return {
    modelId: "hung",
    dimensions: 2,
    signals,
    embed: (_texts, { signal }) => {
      signals.push(signal);
      return new Promise(() => {});
    },
  };
}

const vector: Embedder = {
  modelId: "flat",
  dimensions: 2,
  embed: async (texts) => texts.map(() => Float32Array.of(1, 0)),
};

afterEach(() => vi.useRealTimers());

describe("an embedder that hangs", () => {
  it("S6/E4: ends after a minute for all conversations together, its signal fired; settled waits no longer", async () => {
    vi.useFakeTimers();
    const embedder = hungEmbedder();
    const { memory } = testMemory({ embedder });
    for (const id of ["a", "b", "c"]) await memory.conversation({ id }).record({ messages: [user("hello")] });
    let settled = false;
    const waiting = memory.settled().then(() => {
      settled = true;
    });
    // Code that is loaded on first use comes from the disk, which knows no fake time.
    await vi.dynamicImportSettled();
    await vi.advanceTimersByTimeAsync(61_000);
    await waiting;
    expect(settled).toBe(true);
    expect(embedder.signals.map((signal) => signal?.aborted)).toEqual([true]);
    const failures = await memory.operator.failures();
    expect(failures.map(({ work, code }) => `${work} ${code}`)).toEqual(Array(3).fill("embed EMBEDDER_FAILED"));
  });

  it("E5: a sweep ends with its signal, and its work can be done at once", async () => {
    const { memory } = testMemory({ embedder: hungEmbedder() });
    await memory.conversation({ id: "a" }).record({ messages: [user("hello")] });
    const ends = new AbortController();
    const sweep = memory.sweep({ signal: ends.signal });
    setTimeout(() => ends.abort(), 10);
    await expect(sweep).rejects.toMatchObject({ code: "ABORTED" });
    expect(await memory.operator.failures()).toEqual([]);
  });

  it("S1: keywords still answer a query", async () => {
    const store = inMemoryStore();
    const first = testMemory({ store, embedder: { ...vector, modelId: "hung" } }).memory;
    await first.conversation({ id: "a" }).record({ messages: [user("green tea")] });
    await first.settled();
    const { memory } = testMemory({ store, embedder: hungEmbedder(), readTimeoutMs: 60 });
    const found = await memory.conversation({ id: "a" }).search("tea");
    expect(found).toMatchObject({ hits: [{ conversation: "a" }], code: "EMBEDDER_FAILED" });
  });
});

describe("a retriever", () => {
  it("I2/G11: is bounded, marked where it was cut, and told in explain()", async () => {
    const { memory } = testMemory({ retrievers: [() => "All work and no play. ".repeat(20_000), () => "Short."] });
    const turn = await memory.conversation({ id: "c" }).begin({ messages: [user("hello")] });
    expect(turn.system).toContain("[…]");
    expect(turn.system.length).toBeLessThan(20_000);
    const told = turn.explain().items.filter(({ kind }) => kind === "retrieved");
    expect(told.map(({ id }) => id)).toEqual(turn.injected.map(({ id }) => id));
    expect(told[0]?.tokens).toBeLessThan(2_100);
  });

  it("I4: that hangs is ended by its signal", async () => {
    let given: AbortSignal | undefined;
    const hung = ({ signal }: { signal?: AbortSignal }) => {
      given = signal;
      return new Promise<null>(() => {});
    };
    const { memory } = testMemory({ retrievers: [hung], readTimeoutMs: 20 });
    await memory.conversation({ id: "c" }).begin({ messages: [user("hello")] });
    expect(given?.aborted).toBe(true);
  });
});

describe("a fold that a reply waits for", () => {
  it("W5: does the fold alone, whatever else is due and failed", async () => {
    let delivered = 0;
    const { memory } = testMemory({
      policy: { enabled: true, maxMessages: 4 },
      summarizer: () => "They talked.",
      embedder: { ...vector, embed: () => Promise.reject(new Error("down")) },
      sinks: [() => void delivered++],
    });
    const chat = memory.conversation({ id: "c" });
    const say = (n: number) => chat.record({ messages: [user(`q${n}`), assistant(`a${n}`)] });
    await say(1);
    await memory.settled();
    expect(delivered).toBe(1);
    for (const n of [2, 3, 4]) await say(n);
    const turn = await chat.begin({ messages: [user("next")] });
    expect(turn.system).toContain("They talked.");
    expect(delivered).toBe(1);
    await memory.settled();
    expect(delivered).toBe(4);
  });
});

describe("sinks", () => {
  it("I5/E3: each gets a turn once; only the one that failed gets it again", async () => {
    const got: string[] = [];
    let broken = true;
    const { memory } = testMemory({
      sinks: [
        () => void got.push("first"),
        () => {
          if (broken) throw new Error("down");
          got.push("second");
        },
      ],
    });
    await memory.conversation({ id: "c" }).record({ messages: [user("hello")] });
    await memory.settled();
    expect(await memory.operator.failures()).toMatchObject([{ work: "sink", sink: 1 }]);
    broken = false;
    await memory.operator.redrive();
    expect(got).toEqual(["first", "second"]);
    expect(await memory.operator.failures()).toEqual([]);
  });

  it("I5: new ones aren't fed the whole past, also where an embedder is new at the same time", async () => {
    const store = inMemoryStore();
    const plain = testMemory({ store }).memory;
    for (const id of ["a", "b"]) await plain.conversation({ id }).record({ messages: [user("old")] });
    await plain.sweep();
    const got: string[] = [];
    const { memory } = testMemory({ store, embedder: vector, sinks: [({ turn }) => void got.push(turn.conversation)] });
    await memory.conversation({ id: "c" }).record({ messages: [user("new")] });
    await memory.sweep();
    await memory.sweep();
    expect(got).toEqual(["c"]);
  });
});

describe("a store that answers late and busy", () => {
  it("E1: no try begins after the time is over, in the middle of the wait between two", async () => {
    vi.useFakeTimers();
    let tries = 0;
    const store = inMemoryStore();
    store.commitTurn = async () => {
      tries += 1;
      throw new MemoryError("STORE_BUSY", "busy");
    };
    const { memory } = testMemory({ store, writeTimeoutMs: 300 });
    const recording = memory.conversation({ id: "c" }).record({ messages: [user("hello")] });
    await vi.dynamicImportSettled();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await recording).toMatchObject({ status: "failed", code: "TIMEOUT" });
    expect(tries).toBe(3);
  });

  it("E1: all tries of a write together take no longer than one may, and none begins afterwards", async () => {
    vi.useFakeTimers();
    let tries = 0;
    const store = inMemoryStore();
    // As a pool does that gets no connection in time.
    store.commitTurn = async () => {
      tries += 1;
      await new Promise((resolve) => setTimeout(resolve, 4_000));
      throw new MemoryError("STORE_BUSY", "busy");
    };
    const { memory, events } = testMemory({ store, writeTimeoutMs: 10_000 });
    let outcome: Outcome | undefined;
    const recording = memory.conversation({ id: "c" }).record({ messages: [user("hello")] });
    void recording.then((answer) => {
      outcome = answer;
    });
    await vi.dynamicImportSettled();
    await vi.advanceTimersByTimeAsync(10_500);
    expect(outcome).toMatchObject({ status: "failed", code: "TIMEOUT", retryable: true });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(tries).toBe(3);
    const told = events.filter(({ type }) => type === "memory.write_failed");
    expect(told).toMatchObject([{ operation: "record", code: "TIMEOUT", attempts: 3 }]);
  });
});
