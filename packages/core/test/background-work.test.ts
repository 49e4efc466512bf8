import { describe, expect, it } from "vitest";
import { type Embedder, inMemoryStore } from "../src/index.ts";
import { codeOf, testMemory, user } from "./support.ts";

const embedder = (embed: () => Promise<void> | void): Embedder => ({
  modelId: "same",
  dimensions: 2,
  async embed(given) {
    await embed();
    return given.map(() => Float32Array.of(1, 0));
  },
});

describe("background work", () => {
  it("E4: settled waits for a turn too that was recorded while the work on its conversation ran", async () => {
    const store = inMemoryStore();
    const begun = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    const { memory } = testMemory({
      store,
      embedder: embedder(() => {
        begun.resolve();
        return go.promise;
      }),
    });
    memory.start();
    const chat = memory.conversation({ id: "c" });
    await chat.record({ messages: [user("one")] });
    await begun.promise;
    await chat.record({ messages: [user("two")] });
    const settled = memory.settled();
    go.resolve();
    await settled;
    const row = await store.readConversation({ tenant: "default", agent: "helper", conversation: "c" });
    expect(row).toMatchObject({ lastSeq: 2, settledSeq: 2 });
    await memory.close();
  });

  it("E5: a sweep that its signal ends says so, notes no failure and leaves the rest to the next", async () => {
    const ended = new AbortController();
    const { memory } = testMemory({ embedder: embedder(() => ended.abort()) });
    for (const id of ["c1", "c2", "c3"]) await memory.conversation({ id }).record({ messages: [user("hello")] });
    expect(await codeOf(() => memory.sweep({ signal: ended.signal }))).toBe("ABORTED");
    expect(await memory.operator.failures()).toEqual([]);
    expect(await memory.sweep()).toMatchObject({ conversations: 3, failed: 0 });
  });

  it("I5/E1: a sink that throws at once keeps no other from its turn, and leaves no failure unhandled", async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => unhandled.push(reason);
    process.on("unhandledRejection", note);
    const got: string[] = [];
    const { memory } = testMemory({
      sinks: [
        () => new Promise((_, reject) => setTimeout(reject, 5, new Error("late"))),
        () => {
          throw new Error("at once");
        },
        () => {
          got.push("third");
        },
      ],
    });
    await memory.conversation({ id: "c" }).record({ messages: [user("hello")] });
    await memory.settled();
    await new Promise((resolve) => setTimeout(resolve, 20));
    process.off("unhandledRejection", note);
    expect(got).toEqual(["third"]);
    expect(unhandled).toEqual([]);
    expect((await memory.operator.failures()).map(({ sink }) => sink).sort()).toEqual([0, 1]);
  });

  it("W1: a turn's times are times, and what is no turn is told so", async () => {
    const { memory } = testMemory();
    const chat = memory.conversation({ id: "c" });
    expect(await codeOf(() => chat.record({ messages: [user("x")], startedAt: "yesterday" }))).toBe("INVALID_ARGUMENT");
    expect(await codeOf(() => chat.record(null as never))).toBe("INVALID_ARGUMENT");
    await chat.record({ messages: [user("x")], startedAt: "2026-03-01T10:00:00+01:00" });
    expect((await chat.transcript()).turns[0]?.startedAt).toBe("2026-03-01T09:00:00.000Z");
  });
});

describe("turns that are being written", () => {
  it("E4: settled waits for the end of a turn that its host has let go of", async () => {
    const store = inMemoryStore();
    const go = Promise.withResolvers<void>();
    const commitTurn: typeof store.commitTurn = async (...given) => {
      await go.promise;
      return store.commitTurn(...given);
    };
    const { memory } = testMemory({ store: { ...store, commitTurn } });
    const chat = memory.conversation({ id: "c" });
    const turn = await chat.begin({ messages: [user("one")] });
    void turn.abort();
    const settled = memory.settled();
    go.resolve();
    await settled;
    expect((await chat.transcript()).turns).toMatchObject([{ status: "aborted" }]);
  });
});
