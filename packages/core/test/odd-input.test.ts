import { describe, expect, it } from "vitest";
import type { ToolResultPart } from "../src/index.ts";
import { call, codeOf, testMemory, user } from "./support.ts";

describe("odd input", () => {
  it("PR5: a result that says it is parts and isn't is refused, before it is stored", async () => {
    const { memory } = testMemory();
    const chat = memory.conversation({ id: "c" });
    const answer = (output: unknown) => ({
      messages: [
        user("hi"),
        { role: "assistant" as const, parts: [call("1")] },
        {
          role: "tool" as const,
          parts: [{ type: "tool-result", callId: "1", tool: "lookup", output, outputIs: "parts" } as ToolResultPart],
        },
      ],
    });
    expect(await codeOf(() => chat.record(answer({ a: 1 })))).toBe("INVALID_MESSAGE");
    expect(await codeOf(() => chat.record(answer([{ type: "text" }])))).toBe("INVALID_MESSAGE");
    expect(await codeOf(() => chat.record(answer([{ type: "text", text: "fine" }])))).toBeUndefined();
    expect((await chat.begin({ messages: [user("on")] })).messages).toHaveLength(4);
  });

  it("PR5: an unknown origin and a host's form that is no JSON are refused", async () => {
    const { memory } = testMemory();
    const chat = memory.conversation({ id: "c" });
    expect(await codeOf(() => chat.record({ messages: [{ ...user("x"), origin: "boss" as never }] }))).toBe(
      "INVALID_MESSAGE",
    );
    const part = { type: "text" as const, text: "x", native: { format: "f", value: 1n as never } };
    expect(await codeOf(() => chat.record({ messages: [{ role: "user", parts: [part] }] }))).toBe("INVALID_JSON");
  });

  it("F1: a time to live that no date can hold is refused with a code", async () => {
    const { memory } = testMemory();
    expect(await codeOf(() => memory.subject("ana").remember({ key: "k", value: 1, ttl: 1e18 }))).toBe(
      "INVALID_ARGUMENT",
    );
  });

  it("G5/F6: recall reads a moment in any zone", async () => {
    const { memory } = testMemory();
    const chat = memory.conversation({ id: "c", subject: "ana" });
    await chat.remember("city", "Rome");
    // 09:00 UTC is before anything was said; compared as text it would come after.
    expect((await chat.recall({ asOf: "2026-03-01T19:00:00+10:00" })).facts).toEqual([]);
    expect(await codeOf(() => chat.recall({ asOf: "then" }))).toBe("INVALID_ARGUMENT");
  });

  it("G12: recall finds the live value behind any number of disputed ones", async () => {
    const { memory } = testMemory();
    await memory.subject("ana").remember({ key: "city", value: "Rome" });
    const chat = memory.conversation({ id: "c", subject: "ana" });
    for (let n = 0; n < 12; n++) await chat.remember("city", `place ${n}`);
    expect(await chat.recall("city")).toBe("Rome");
  });

  it("G3: a forget key that is set to nothing is none", async () => {
    const { memory } = testMemory({ env: { AGENT_MEMORY_FORGET_KEY: "" } });
    expect((await memory.subject("ana").remember({ key: "k", value: "v" })).status).toBe("stored");
  });

  it("E1: a waitUntil that throws doesn't make a stored turn a failed one", async () => {
    const { memory } = testMemory({
      waitUntil: () => {
        throw new TypeError("Illegal invocation");
      },
    });
    const chat = memory.conversation({ id: "c" });
    expect((await chat.record({ messages: [user("x")] })).status).toBe("stored");
    await memory.settled();
  });

  it("I4: no limit is no limit", async () => {
    const { memory } = testMemory({
      readTimeoutMs: Number.POSITIVE_INFINITY,
      retrievers: [() => new Promise((resolve) => setTimeout(resolve, 20, "known elsewhere"))],
    });
    expect((await memory.conversation({ id: "c" }).begin({ messages: [user("x")] })).system).toContain("elsewhere");
  });

  it("S1: a message embedded twice counts once, and only by its meaning", async () => {
    const { memory } = testMemory({
      embedder: {
        modelId: "same",
        dimensions: 2,
        embed: async (given) => given.map(() => Float32Array.of(1, 0)),
      },
    });
    const chat = memory.conversation({ id: "c", subject: "ana" });
    await chat.record({ id: "t", status: "aborted", messages: [user("one")] });
    await memory.settled();
    await chat.record({ id: "t", messages: [{ role: "assistant", content: "two" }] });
    await memory.settled();
    const { hits } = await memory.subject("ana").search("nearby");
    expect(hits.map(({ score, matched }) => [score, matched])).toEqual([
      [1, "semantic"],
      [1, "semantic"],
    ]);
  });
});
