import { describe, expect, it, vi } from "vitest";
import { createMemory, inMemoryStore, type MessageInput } from "../index.ts";
import { createResultKeeper } from "./create-result-keeper.ts";
import { fitPrompt } from "./fit-prompt.ts";

const long = "words ".repeat(10_000);
const result = (callId: string, output: string): MessageInput => ({
  role: "tool",
  parts: [{ type: "tool-result", callId, tool: "read", output }],
});
const begin = async (messages: MessageInput[], contextWindow = 8_000) => {
  const memory = createMemory({ agent: "a", store: inMemoryStore(), env: {}, contextWindow, onEvent: () => {} });
  const conversation = memory.conversation({ id: "c" });
  return { conversation, turn: await conversation.begin({ messages }) };
};

describe("W9: a run's results", () => {
  it("are shown and recorded as previews where they are large, and as they are elsewhere", async () => {
    const { turn, conversation } = await begin([{ role: "user", content: "Read." }]);
    const keeper = createResultKeeper(turn, vi.fn(), () => true);
    const small = result("k1", "short");
    const [first, second] = await keeper.offload([small, result("k2", long)]);
    expect(first).toBe(small);
    expect(JSON.stringify(second).length).toBeLessThan(12_000);
    expect(keeper.preview("k1")).toBeUndefined();
    expect(second?.parts).toEqual([keeper.preview("k2")]);
    const id = /art_[a-z0-9_]+/i.exec(JSON.stringify(second))?.[0] ?? "";
    expect((await conversation.artifact(id).page(1)).text).toContain("words");
  });

  it("that the host brought with its question are recorded as previews too", async () => {
    const call = { type: "tool-call" as const, callId: "k", tool: "read", input: {} };
    const { turn, conversation } = await begin([
      { role: "user", content: "Read." },
      { role: "assistant", parts: [call] },
      result("k", long),
    ]);
    await createResultKeeper(turn, vi.fn(), () => false).offloadFresh();
    await turn.complete([{ role: "assistant", content: "Long." }]);
    const { turns } = await conversation.transcript();
    expect(turns[0]?.messages).toHaveLength(4);
    expect(JSON.stringify(turns).length).toBeLessThan(12_000);
  });

  it("B3: stay whole where they can't be kept, and it is reported", async () => {
    const { turn } = await begin([{ role: "user", content: "Read." }]);
    const report = vi.fn();
    const broken = Object.assign(Object.create(turn), { offload: () => Promise.reject(new Error("gone")) });
    const whole = result("k", long);
    expect(await createResultKeeper(broken, report, () => true).offload([whole])).toEqual([whole]);
    expect(report).toHaveBeenCalledOnce();
  });
});

describe("W8/W10: a step's prompt", () => {
  it("is left alone, compacted, or refused", async () => {
    const { turn } = await begin([{ role: "user", content: "Hi" }]);
    const report = vi.fn();
    expect(await fitPrompt(turn, turn.messages, { system: "", report })).toBeNull();
    const results = Array.from({ length: 8 }, (_, n) => [
      { role: "assistant" as const, parts: [{ type: "tool-call" as const, callId: `k${n}`, tool: "read", input: {} }] },
      result(`k${n}`, "words ".repeat(900)),
    ]).flat();
    turn.append(results);
    const fitted = await fitPrompt(turn, turn.messages, { system: "", report });
    expect(fitted).toMatchObject({ compacted: true });
    const system = "word ".repeat(9_000);
    await expect(fitPrompt(turn, turn.messages, { system, report })).rejects.toMatchObject({
      code: "CONTEXT_OVERFLOW",
    });
    expect(report).not.toHaveBeenCalled();
  });

  it("B3: a compaction that fails is reported and ends nothing; an aborted one isn't worth a word", async () => {
    const { turn } = await begin([{ role: "user", content: "Hi" }]);
    const report = vi.fn();
    const broken = Object.assign(Object.create(turn), { compact: () => Promise.reject(new Error("gone")) });
    expect(await fitPrompt(broken, turn.messages, { system: "", report })).toBeNull();
    expect(report).toHaveBeenCalledOnce();
    expect(await fitPrompt(broken, turn.messages, { system: "", report, signal: AbortSignal.abort() })).toBeNull();
    expect(report).toHaveBeenCalledOnce();
  });
});
