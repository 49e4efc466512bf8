import { type Agent, type InputGuardrail, Runner, ToolCallError } from "@openai/agents";
import { inMemoryStore, type MemoryStore } from "@throughline/core";
import { describe, expect, test, vi } from "vitest";
import { createSession, memoryTools, runWithMemory, withMemoryInstructions } from "../src/index.ts";
import { call, quietRunner, say, scriptedAgent } from "./scripted.ts";
import { recorded, testMemory } from "./test-memory.ts";

/** A store every call of which fails. */
const brokenStore = (): MemoryStore =>
  new Proxy(inMemoryStore(), {
    get(store, name, receiver) {
      const value: unknown = Reflect.get(store, name, receiver);
      return typeof value === "function" && name !== "close" ? () => Promise.reject(new Error("gone")) : value;
    },
  });

describe("B3: a memory that can't be read", () => {
  test("E1: a session without its history is still a session, and the app is told", async () => {
    const { conversation } = testMemory(brokenStore());
    const onError = vi.fn();
    const session = createSession(conversation, undefined, { onError });
    const result = await quietRunner().run(scriptedAgent([say("Hello.")]).agent, "Hi", { session });
    expect(result.finalOutput).toBe("Hello.");
    expect(onError).toHaveBeenCalledWith(expect.objectContaining({ code: "STORE_FAILED" }));
  });
});

describe("OA4: words that an input guardrail stops", () => {
  const setUp = () => {
    const started = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const guard: InputGuardrail = {
      name: "guard",
      async execute() {
        started.resolve();
        await gate.promise;
        return { tripwireTriggered: true, outputInfo: {} };
      },
    };
    const { agent } = scriptedAgent([say("Never.")], { inputGuardrails: [guard] });
    return { agent, started: started.promise, stop: () => gate.resolve() };
  };

  test("B2: hide their own turn alone, whatever others have said meanwhile", async () => {
    const { conversation } = testMemory();
    const runner = quietRunner();
    const blocked = setUp();
    const run = runWithMemory(conversation, blocked.agent, "A bomb?", { runner }).catch((error: Error) => error.name);
    await blocked.started;
    await runWithMemory(conversation, scriptedAgent([say("Fine.")]).agent, "How are you?", { runner });
    blocked.stop();
    expect(await run).toBe("InputGuardrailTripwireTriggered");
    const { turns } = await conversation.transcript();
    expect(turns.map(({ status, hidden = false }) => [status, hidden])).toEqual([
      ["completed", false],
      ["failed", true],
    ]);
  });

  test("hide nothing of what is too long to be shown", async () => {
    const { conversation } = testMemory(inMemoryStore(), { policy: { conversation: { maxTokens: 8_000 } } });
    const runner = quietRunner();
    await runWithMemory(conversation, scriptedAgent([say("blah ".repeat(20_000))]).agent, "Go on", { runner });
    const blocked = setUp();
    blocked.stop();
    await runWithMemory(conversation, blocked.agent, "A bomb?", { runner }).catch(() => {});
    expect(await conversation.history({ maxTokens: 100_000 })).toHaveLength(2);
  });
});

describe("OA5: many runs of one runner", () => {
  test("side by side listen to it once", async () => {
    const { memory } = testMemory();
    const runner = new Runner({ tracingDisabled: true });
    const on = vi.spyOn(runner, "on");
    const conversations = Array.from({ length: 12 }, (_, index) => memory.conversation({ id: `chat-${index}` }));
    await Promise.all(
      conversations.map(async (conversation, index) => {
        const { agent } = scriptedAgent([call([`c${index}`, "weather", { city: "Oslo" }]), say("Sunny.")]);
        await runWithMemory(conversation, agent, "How is Oslo?", { runner });
      }),
    );
    expect(on).toHaveBeenCalledTimes(3);
    for (const [index, conversation] of conversations.entries()) {
      expect((await recorded(conversation))[0]?.lines).toContain(`assistant(Ann): weather#c${index}`);
    }
  });
});

describe("B1: a conversation that nobody names", () => {
  test("is told by the tools as the run's end", async () => {
    const { memory } = testMemory();
    const { agent } = scriptedAgent([call(["c1", "memory_remember", { key: "city", value: "Oslo" }]), say("Done.")], {
      tools: memoryTools(memory) as Agent["tools"],
    });
    const run = quietRunner().run(agent, "I live in Oslo");
    await expect(run).rejects.toSatisfy(
      (error: ToolCallError) => error instanceof ToolCallError && "code" in error.error,
    );
  });

  test("is told by the instructions before the app's own are asked", async () => {
    const { memory } = testMemory();
    const own = vi.fn(async () => "Be brief.");
    const { agent } = scriptedAgent([say("Hello.")], { instructions: withMemoryInstructions(memory, own) });
    await expect(quietRunner().run(agent, "Hi")).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    expect(own).not.toHaveBeenCalled();
  });
});
