import { afterEach, describe, expect, it, vi } from "vitest";
import { inMemoryStore, MemoryError, type MemoryStore } from "../src/index.ts";
import { testMemory } from "./support.ts";

afterEach(() => vi.useRealTimers());

describe("facts of one person that are written at once", () => {
  it("E1/F12: one whose store never answers doesn't hold up those that come later", async () => {
    vi.useFakeTimers();
    const store = inMemoryStore();
    const { readFacts } = store;
    const { promise: reading, resolve: reads } = Promise.withResolvers<void>();
    store.readFacts = () => {
      store.readFacts = readFacts;
      reads();
      return new Promise(() => {});
    };
    const { memory } = testMemory({ store, writeTimeoutMs: 1_000 });
    const ana = memory.subject("ana");
    const hung = ana.remember({ key: "colour", value: "green" });
    await reading;
    await vi.advanceTimersByTimeAsync(1_100);
    expect(await hung).toMatchObject({ status: "failed", code: "TIMEOUT" });
    expect(await ana.remember({ key: "size", value: "M" })).toMatchObject({ status: "stored" });
  });

  it("E5/F12: whose signal fires while others write is told so at once, and isn't written", async () => {
    const store = inMemoryStore();
    const { commitFacts } = store;
    const { promise: until, resolve: go } = Promise.withResolvers<void>();
    const { promise: writing, resolve: writes } = Promise.withResolvers<void>();
    store.commitFacts = async (...args) => {
      writes();
      await until;
      return commitFacts(...args);
    };
    const { memory } = testMemory({ store });
    const ana = memory.subject("ana");
    const first = ana.remember({ key: "colour", value: "green" });
    // What comes first is open until then: hashes are made in threads.
    await writing;
    const ends = new AbortController();
    const second = ana.remember({ key: "size", value: "M", signal: ends.signal });
    setTimeout(() => ends.abort(), 5);
    await expect(second).rejects.toMatchObject({ code: "ABORTED" });
    go();
    expect(await first).toMatchObject({ status: "stored" });
    expect(await memory.conversation({ id: "c", subject: "ana" }).recall("size")).toBeNull();
  });

  it("F8/F12: forgetting, and erasing what one quotes, get their turn among them", async () => {
    const conflicts: string[] = [];
    const { memory } = testMemory({ store: distant(inMemoryStore(), conflicts) });
    const ana = memory.subject("ana");
    await ana.remember({ key: "colour", value: "green" });
    const chat = memory.conversation({ id: "c", subject: "ana" });
    await chat.record({ id: "t", messages: [{ id: "said", role: "user", content: "I live in Porto." }] });
    await chat.remember({ key: "city", value: "Porto", quote: "I live in Porto." });
    const writing = Array.from({ length: 100 }, (_, index) => ana.remember({ key: `key ${index}`, value: index }));
    const erasing = chat.deleteMessages(["said"]);
    expect(await chat.forget("colour")).toMatchObject({ forgotten: 1 });
    expect(await erasing).toMatchObject({ status: "stored", kept: { facts: 1 } });
    for (const { status } of await Promise.all(writing)) expect(status).toBe("stored");
    expect(conflicts).toEqual([]);
  });
});

describe("a write of facts whose answer was lost", () => {
  it("E1/F12: a fact was stored, and isn't told to be another's by its version", async () => {
    const store = lossy(inMemoryStore());
    const { memory } = testMemory({ store });
    const ana = memory.subject("ana");
    expect(await ana.remember({ key: "colour", value: "green", ifVersion: 0 })).toMatchObject({ status: "stored" });
    expect(await ana.remember({ key: "colour", value: "blue", ifVersion: 1 })).toMatchObject({ status: "superseded" });
    expect(await ana.remember({ key: "colour", value: "blue", ifVersion: 2 })).toMatchObject({ status: "unchanged" });
    await expect(ana.remember({ key: "colour", value: "red", ifVersion: 1 })).rejects.toMatchObject({
      code: "VERSION_CONFLICT",
    });
    expect(await ana.remember({ value: "plays the cello" })).toMatchObject({ status: "stored" });
  });

  it("E1/G13: what was forgotten or undone is told so", async () => {
    const { memory } = testMemory({ store: lossy(inMemoryStore()) });
    const chat = memory.conversation({ id: "c", subject: "ana" });
    const { id = "" } = await chat.remember("colour", "green");
    expect(await memory.subject("ana").undo(id)).toEqual({ status: "stored", id });
    expect(await memory.subject("ana").undo(id)).toMatchObject({ status: "refused", code: "NOT_FOUND" });
    const { id: size = "" } = await chat.remember("size", "M");
    expect(await chat.forget("size")).toEqual({ forgotten: 1, ids: [size] });
    expect(await chat.forget("size")).toMatchObject({ forgotten: 0, code: "NOT_FOUND" });
  });
});

/** A store that takes a while for each call, as one behind a network does, and tells whose facts were written by another meanwhile. */
function distant(store: MemoryStore, conflicts: string[]): MemoryStore {
  const { readFacts, commitFacts } = store;
  const trip = () => new Promise((resolve) => setTimeout(resolve, 1));
  store.readFacts = async (...args) => {
    await trip();
    return readFacts(...args);
  };
  store.commitFacts = async (...args) => {
    await trip();
    const answer = await commitFacts(...args);
    if (answer.status === "conflict") conflicts.push(args[0].id);
    return answer;
  };
  return store;
}

/** A store whose answers to writes of facts are lost: only what is read tells that they were done. */
function lossy(store: MemoryStore): MemoryStore {
  const { commitFacts } = store;
  store.commitFacts = async (...args) => {
    await commitFacts(...args);
    throw new MemoryError("STORE_UNREACHABLE", "The connection broke.");
  };
  return store;
}
