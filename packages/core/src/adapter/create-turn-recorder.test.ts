import { describe, expect, it, vi } from "vitest";
import { createMemory, inMemoryStore, type MemoryStore } from "../index.ts";
import { createTurnRecorder } from "./create-turn-recorder.ts";

const hi = { role: "user", content: "Hi" } as const;
const hello = { role: "assistant", content: "Hello." } as const;

function setUp(change: Partial<MemoryStore> = {}, strict = false) {
  const store = Object.assign(inMemoryStore(), change);
  const memory = createMemory({ agent: "a", store, env: {}, onEvent: () => {}, strict });
  return memory.conversation({ id: "c" });
}

const broken = {
  commitTurn: () => Promise.reject(new Error("the disk is gone")),
};

describe("B2: the recorder of one turn", () => {
  it("writes the first end and answers it to the later ones", async () => {
    const conversation = setUp();
    const report = vi.fn();
    const recorder = createTurnRecorder(await conversation.begin({ messages: [hi] }), report);
    expect(recorder.ended).toBeNull();
    const first = recorder.end("aborted", [hello]);
    const second = recorder.end("completed", [{ role: "assistant", content: "Too late." }]);
    expect(recorder.ended).toBe("aborted");
    expect(await second).toBe(await first);
    expect(await recorder.recorded).toMatchObject({ status: "stored" });
    const { turns } = await conversation.transcript();
    expect(turns.map(({ status, messages }) => [status, messages.length])).toEqual([["aborted", 2]]);
    expect(report).not.toHaveBeenCalled();
  });

  it.each(["completed", "paused", "failed"] as const)("writes the end %s", async (status) => {
    const conversation = setUp();
    const recorder = createTurnRecorder(await conversation.begin({ messages: [hi] }), vi.fn());
    await recorder.end(status, [], status === "failed" ? new TypeError("broke") : undefined);
    const [turn] = (await conversation.transcript()).turns;
    expect(turn?.status).toBe(status);
    expect(turn?.error?.code).toBe(status === "failed" ? "TypeError" : undefined);
  });

  it("writes over a failure what the same turn became when it was run again", async () => {
    const conversation = setUp();
    const recorder = createTurnRecorder(await conversation.begin({ messages: [hi] }), vi.fn());
    await recorder.end("failed", [], new Error("no answer"));
    recorder.again();
    expect(recorder.ended).toBeNull();
    await recorder.end("completed", [hello]);
    const { turns } = await conversation.transcript();
    expect(turns.map(({ status, messages }) => [status, messages.length])).toEqual([["completed", 2]]);
  });

  it("B3: reports what the store didn't take, and fails nothing", async () => {
    const report = vi.fn();
    const recorder = createTurnRecorder(await setUp(broken).begin({ messages: [hi] }), report);
    expect(await recorder.end("completed")).toMatchObject({ status: "failed" });
    expect(report).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ status: "failed" }));
  });

  it("B3: of a strict memory the outcome rejects, and the end still doesn't", async () => {
    const report = vi.fn();
    const recorder = createTurnRecorder(await setUp(broken, true).begin({ messages: [hi] }), report);
    expect(await recorder.end("completed")).toMatchObject({ status: "failed" });
    await expect(recorder.recorded).rejects.toMatchObject({ name: "MemoryError" });
    expect(report).toHaveBeenCalledOnce();
  });
});
