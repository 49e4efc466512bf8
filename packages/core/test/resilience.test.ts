import { describe, expect, it } from "vitest";
import { inMemoryStore, MemoryError, type MemoryStore, memoryTools } from "../src/index.ts";
import { assistant, testMemory, texts, user } from "./support.ts";

/** A store whose calls fail as long as `broken` says so. */
function unreliable(broken: (method: string) => Error | null): MemoryStore {
  return new Proxy(inMemoryStore(), {
    get(target, property, receiver) {
      const member: unknown = Reflect.get(target, property, receiver);
      if (typeof member !== "function" || property === "close") return member;
      return async (...args: unknown[]) => {
        const error = broken(String(property));
        if (error) throw error;
        return (member as (...args: unknown[]) => unknown).apply(target, args);
      };
    },
  });
}

const down = () => new MemoryError("STORE_UNREACHABLE", "The store is down.");

describe("a failing store", () => {
  it("E1/B3: never fails a reply: the turn begins without memory and the loss is reported", async () => {
    const { memory, events } = testMemory({ store: unreliable(down) });
    const chat = memory.conversation({ id: "c1", subject: "ana" });
    const turn = await chat.begin({ messages: [user("hello")] });
    expect(turn.system).toBe("");
    expect(texts(turn.messages)).toEqual(["hello"]);
    expect(await turn.complete([assistant("hi")])).toMatchObject({
      status: "failed",
      code: "STORE_UNREACHABLE",
      retryable: true,
    });
    expect(events.map((event) => event.type)).toEqual(["memory.read_failed", "memory.context", "memory.write_failed"]);
    const failed = {
      status: "failed",
      code: "STORE_UNREACHABLE",
      reason: expect.stringContaining(down().message),
      retryable: true,
    };
    expect(await chat.remember("k", 1)).toMatchObject(failed);
    const event = { id: "e", subject: "ana", source: "mail", text: "hello", at: "2026-01-01T00:00:00Z" };
    expect(await memory.ingest(event)).toMatchObject(failed);
    const tool = memoryTools(chat).find(({ name }) => name === "memory_remember");
    const answer = await tool?.answer({ key: "k", value: "v" });
    // Why is for people, not for a model.
    expect(answer).toMatchObject({ code: "STORE_UNREACHABLE", text: expect.not.stringContaining(down().message) });
    expect(await chat.search("hello")).toMatchObject({ hits: [] });
    expect(await chat.systemContext()).toBe("");
  });

  it("E1: a write is tried again while the store says that it may succeed", async () => {
    let failures = 2;
    const { memory } = testMemory({
      store: unreliable((method) =>
        method === "commitTurn" && failures-- > 0 ? new MemoryError("STORE_BUSY", "busy") : null,
      ),
    });
    const chat = memory.conversation({ id: "c1" });
    expect((await chat.record({ messages: [user("hello")] })).status).toBe("stored");
    expect(texts(await chat.history())).toEqual(["hello"]);
  });

  it("G7: a turn the store didn't take can be ended again, and is stored once", async () => {
    let broken = true;
    const { memory } = testMemory({
      store: unreliable((method) => (broken && method === "commitTurn" ? down() : null)),
    });
    const chat = memory.conversation({ id: "c1" });
    const turn = await chat.begin({ messages: [user("hello")] });
    expect((await turn.complete([assistant("hi")])).status).toBe("failed");
    broken = false;
    expect((await turn.complete()).status).toBe("stored");
    expect(texts(await chat.history())).toEqual(["hello", "hi"]);
  });

  it("E1: strict turns failures into errors", async () => {
    const { memory } = testMemory({ store: unreliable(down), strict: true });
    const chat = memory.conversation({ id: "c1" });
    await expect(chat.begin({ messages: [user("x")] })).rejects.toMatchObject({ code: "STORE_UNREACHABLE" });
    await expect(chat.record({ messages: [user("x")] })).rejects.toMatchObject({ code: "STORE_UNREACHABLE" });
    await expect(chat.remember("k", 1)).rejects.toMatchObject({ code: "STORE_UNREACHABLE" });
  });

  it("I4: a read that takes too long is left out", async () => {
    const store = inMemoryStore();
    const slow: MemoryStore = Object.assign(Object.create(store), {
      readContext: () => new Promise(() => undefined),
    });
    const { memory, events } = testMemory({ store: slow, readTimeoutMs: 20 });
    const turn = await memory.conversation({ id: "c1" }).begin({ messages: [user("hello")] });
    expect(texts(turn.messages)).toEqual(["hello"]);
    expect(events[0]).toMatchObject({ type: "memory.read_failed", code: "TIMEOUT" });
  });

  it("an error without a code becomes one with a code, its cause kept", async () => {
    const { memory } = testMemory({ store: unreliable(() => new TypeError("boom")), strict: true });
    const error = await memory
      .conversation({ id: "c1" })
      .record({ messages: [user("x")] })
      .catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: "STORE_FAILED", cause: expect.any(TypeError) });
  });
});

describe("retrievers", () => {
  it("I3/I5: add what they know to this reply only, and nothing when nothing is relevant", async () => {
    const { memory, events } = testMemory({
      retrievers: [
        ({ query }) => (query.includes("price") ? "Prices: <b>5 EUR</b>" : null),
        () => "   ",
        () => {
          throw new Error("knowledge base down");
        },
      ],
    });
    const chat = memory.conversation({ id: "c1" });
    const asked = await chat.begin({ messages: [user("what is the price?")] });
    expect(asked.system).toContain("Prices: &lt;b&gt;5 EUR&lt;/b&gt;");
    await asked.complete([assistant("5 EUR")]);
    expect((await chat.begin({ messages: [user("thanks")] })).system).toBe("");
    expect(JSON.stringify(await chat.transcript())).not.toContain("Prices:");
    expect(events.filter((event) => event.type === "memory.read_failed")).toHaveLength(2);
  });
});

describe("derived work", () => {
  it("E3/W5: is found by a sweep of any process, and done once", async () => {
    const store = inMemoryStore();
    const { memory } = testMemory({ store });
    for (const id of ["a", "b"]) await memory.conversation({ id }).record({ messages: [user("hello")] });
    const other = testMemory({ store }).memory;
    const [first, second] = await Promise.all([memory.sweep(), other.sweep()]);
    expect(first.conversations + second.conversations).toBe(2);
    expect((await other.sweep()).conversations).toBe(0);
  });

  it("E4: runs on waitUntil where the host has it, else when somebody waits for it", async () => {
    const waited: Promise<unknown>[] = [];
    const store = inMemoryStore();
    const { memory } = testMemory({ store, waitUntil: (work) => waited.push(work) });
    await memory.conversation({ id: "a" }).record({ messages: [user("hello")] });
    expect(waited).toHaveLength(1);
    await Promise.all(waited);
    expect((await memory.sweep()).conversations).toBe(0);
    const { memory: lazy } = testMemory({ store });
    await lazy.conversation({ id: "b" }).record({ messages: [user("hello")] });
    await lazy.settled();
    expect((await lazy.sweep()).conversations).toBe(0);
  });
});
