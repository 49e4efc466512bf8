import { describe, expect, it } from "vitest";
import { inMemoryStore, MemoryError, type MemoryStore } from "../src/index.ts";
import { assistant, codeOf, testMemory, user } from "./support.ts";

describe("stores that break their promise", () => {
  const withMethods = (methods: Partial<Record<keyof MemoryStore, unknown>>): MemoryStore => {
    const base = inMemoryStore();
    return Object.assign(Object.create(base), base, methods);
  };

  it("J5/E1: an error that a store throws raw has a code by the time it reaches the app", async () => {
    const raw = () => {
      throw new TypeError("raw, with a text in it");
    };
    const broken = testMemory({
      store: withMethods({
        readFacts: raw,
        readConversation: raw,
        listConversations: raw,
        readRecords: raw,
        claimWork: raw,
        resolveSubject: raw,
      }),
    }).memory;
    const talk = broken.conversation({ id: "c", subject: "ana" });
    const works: (() => Promise<unknown>)[] = [
      () => talk.recall("k"),
      () => talk.forget("k"),
      () => talk.transcript(),
      () => talk.update({ title: "x" }),
      () => broken.subject("ana").facts(),
      () => broken.records(["n"]).get("k"),
      () => broken.conversations(),
      () => broken.sweep(),
    ];
    const others: string[] = [];
    for (const work of works) {
      await work().catch((error: unknown) => {
        if (!MemoryError.isInstance(error)) others.push(`${String(work)}: ${String(error)}`);
      });
    }
    expect(others).toEqual([]);
  });

  it("E1: a store that never answers a write doesn't hold a reply for ever", async () => {
    const hanging = testMemory({
      readTimeoutMs: 50,
      writeTimeoutMs: 100,
      store: withMethods({ commitTurn: () => new Promise(() => {}) }),
    }).memory;
    const turn = await hanging.conversation({ id: "c", subject: "ana" }).begin({ messages: [user("x")] });
    const outcome = await Promise.race([
      turn.complete([assistant("y")]),
      new Promise<{ status: string }>((resolve) => setTimeout(() => resolve({ status: "hangs" }), 3_000)),
    ]);
    expect(outcome.status).toBe("failed");
  });

  it("J5: a store without a method of the contract is told by that method's name", async () => {
    const { memory } = testMemory({ store: withMethods({ readTurns: undefined }), strict: true });
    const call = memory.conversations().catch((error: unknown) => error);
    expect(await call).toMatchObject({ code: "STORE_CONTRACT", details: { method: "readTurns" } });
  });

  it("E1: recall, resume and a look for the host's messages go on without the store", async () => {
    const down = () => Promise.reject(new MemoryError("STORE_UNREACHABLE", "down"));
    let broken = false;
    const base = inMemoryStore();
    const store: MemoryStore = Object.assign(Object.create(base), base, {
      readFacts: (...args: Parameters<MemoryStore["readFacts"]>) => (broken ? down() : base.readFacts(...args)),
      readTurns: (...args: Parameters<MemoryStore["readTurns"]>) => (broken ? down() : base.readTurns(...args)),
      findMessages: down,
    });
    const { memory, events } = testMemory({ store, policy: { enabled: true, maxMessages: 2 } });
    const talk = memory.conversation({ id: "c", subject: "ana" });
    for (const n of [1, 2, 3]) await talk.record({ messages: [{ ...user(`q${n}`), id: `q${n}` }, assistant(`a${n}`)] });
    broken = true;
    const turn = await talk.begin({
      messages: [
        { ...user("other"), id: "x" },
        { ...user("new"), id: "y" },
      ],
    });
    expect(turn.degraded).toBe(true);
    expect(await talk.recall("k")).toBeNull();
    expect(await talk.recall({})).toMatchObject({ facts: [], reason: expect.any(String) });
    expect(await talk.resume()).toBeNull();
    expect(events.filter(({ type }) => type === "memory.read_failed")).toHaveLength(4);
    const strict = testMemory({ store, strict: true }).memory.conversation({ id: "c" });
    expect(await codeOf(() => strict.recall("k"))).toBe("STORE_UNREACHABLE");
    expect(await codeOf(() => strict.resume())).toBe("STORE_UNREACHABLE");
  });

  it("E1/E5: a write that took too long isn't tried again; the wait between two tries ends with the signal", async () => {
    let tries = 0;
    const never = () => {
      tries++;
      return new Promise(() => {});
    };
    const { memory: slow } = testMemory({ writeTimeoutMs: 20, store: withMethods({ commitTurn: never }) });
    const outcome = await slow.conversation({ id: "c" }).record({ messages: [user("x")] });
    expect(outcome).toMatchObject({ status: "failed", code: "TIMEOUT", retryable: true });
    expect(tries).toBe(1);
    const ends = new AbortController();
    const busy = () => {
      ends.abort();
      return Promise.reject(new MemoryError("STORE_BUSY", "busy"));
    };
    const { memory } = testMemory({ store: withMethods({ commitTurn: busy }) });
    const recording = memory.conversation({ id: "c" }).record({ messages: [user("x")], signal: ends.signal });
    await expect(recording).rejects.toMatchObject({ code: "ABORTED" });
  });

  it("E1: the outcome says why the store didn't take a turn", async () => {
    const why = '"/tmp" is a directory; give the path of a file in it.';
    const refuse = () => Promise.reject(new MemoryError("STORE_UNREACHABLE", why, { retryable: false }));
    const { memory } = testMemory({ store: withMethods({ commitTurn: refuse }) });
    expect((await memory.conversation({ id: "c" }).record({ messages: [user("x")] })).reason).toContain(why);
  });
});
