import { describe, expect, it, vi } from "vitest";
import { createMemory, inMemoryStore } from "../src/index.ts";
import { assistant, testMemory, user } from "./support.ts";

describe("closing", () => {
  it("E4/W12: a paused turn that is being opened again in that moment is recorded as it ends", async () => {
    const base = inMemoryStore();
    const slow: typeof base.readTurns = async (...given) => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      return base.readTurns(...given);
    };
    const make = (readTurns: typeof base.readTurns) =>
      createMemory({ agent: "a", store: { ...base, readTurns, close: async () => {} }, env: {}, onEvent: () => {} });
    const memory = make(slow);
    const chat = memory.conversation({ id: "c" });
    await chat.record({ id: "t1", status: "paused", messages: [user("May I?"), assistant("Wait.")] });
    const ended = chat.resume("t1").then((turn) => turn?.abort());
    await memory.close();
    expect(await ended).toMatchObject({ id: "t1" });
    const { turns } = await make(base.readTurns).conversation({ id: "c" }).transcript();
    expect(turns.map(({ status }) => status)).toEqual(["aborted"]);
  });

  it("E4: ends under a test's clock that stands still, where a turn was left open", async () => {
    const { memory } = testMemory();
    await memory.conversation({ id: "c" }).begin({ messages: [user("hello")] });
    vi.useFakeTimers();
    try {
      await memory.close();
    } finally {
      vi.useRealTimers();
    }
  });
});
