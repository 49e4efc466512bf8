import { getEventListeners } from "node:events";
import type { LanguageModelV4Middleware } from "@ai-sdk/provider";
import { createMemory, inMemoryStore, type MemoryEvent, type MemoryStore } from "@throughline/core";
import { APICallError, generateText, isStepCount, type ModelMessage, streamText, tool, wrapLanguageModel } from "ai";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { type MemoryMiddlewareOptions, memoryMiddleware } from "../src/index.ts";
import { call, type ScriptedStep, say, scriptedModel } from "./scripted-model.ts";
import { recorded, tools } from "./test-memory.ts";

const oslo = call(["c1", "weather", { city: "Oslo" }]);
const identity = { throughline: { conversation: "chat", subject: "ada" } };

function setUp(script: ScriptedStep[], options: MemoryMiddlewareOptions = {}, store: MemoryStore = inMemoryStore()) {
  const events: MemoryEvent[] = [];
  const memory = createMemory({ agent: "guide", store, env: {}, onEvent: (event) => events.push(event) });
  const scripted = scriptedModel(...script);
  const middleware: LanguageModelV4Middleware = memoryMiddleware(memory, options);
  const model = wrapLanguageModel({ model: scripted, middleware });
  const conversation = memory.conversation({ id: "chat", subject: "ada" });
  return { events, memory, scripted, model, middleware, conversation, store };
}
type Options = Parameters<typeof generateText>[0];

describe.each(["generateText", "streamText"] as const)("V2: %s through the middleware", (kind) => {
  const run = async (options: Options) => {
    const all = { tools, stopWhen: isStepCount(5), maxRetries: 0, providerOptions: identity, ...options } as Options;
    if (kind === "generateText") return void (await generateText(all));
    await streamText({ onError: () => {}, ...all } as Parameters<typeof streamText>[0]).consumeStream();
  };

  test("recalls once and records one turn for a loop of three tool steps", async () => {
    const script = [oslo, call(["c2", "weather", { city: "Bergen" }]), call(["c3", "weather", { city: "Voss" }])];
    const { model, conversation, events, scripted } = setUp([...script, say("All sunny.")]);
    await conversation.remember("name", "Ada");
    await run({ model, prompt: "How are they?", instructions: "Be brief." });
    expect(events.filter(({ type }) => type === "memory.context")).toHaveLength(1);
    expect(await recorded(conversation)).toEqual([
      {
        status: "completed",
        lines: [
          "user: How are they?",
          "assistant: weather#c1",
          'tool: #c1="sunny in Oslo"',
          "assistant: weather#c2",
          'tool: #c2="sunny in Bergen"',
          "assistant: weather#c3",
          'tool: #c3="sunny in Voss"',
          "assistant: All sunny.",
        ],
      },
    ]);
    // One system message in each step, the app's and the memory's; and the identity doesn't reach the provider.
    for (const prompt of scripted.prompts()) {
      const system = prompt.filter(({ role }) => role === "system");
      expect(system).toHaveLength(1);
      expect(system[0]?.content).toMatch(/^Be brief\.\n\n<memory>[\s\S]*Ada/);
    }
    const calls = [...scripted.doGenerateCalls, ...scripted.doStreamCalls];
    expect(calls.map(({ providerOptions }) => providerOptions)).toEqual([{}, {}, {}, {}]);
    expect(scripted.prompts().map((prompt) => prompt.length)).toEqual([2, 4, 6, 8]);
  });

  test("shows the stored history in every step, and the app sends the new message alone", async () => {
    const { model, conversation, scripted } = setUp([say("Hello Ada."), oslo, say("Sunny.")]);
    await run({ model, prompt: "I am Ada." });
    await run({ model, prompt: "How is Oslo?" });
    expect(scripted.prompts().map((prompt) => prompt.map(({ role }) => role).join(" "))).toEqual([
      "user",
      "user assistant user",
      "user assistant user assistant tool",
    ]);
    expect((await recorded(conversation)).map(({ lines }) => lines.length)).toEqual([2, 4]);
  });

  test("B9: an app that resends its history doubles nothing", async () => {
    const { model, conversation, scripted } = setUp([say("One."), oslo, say("Two.")]);
    await run({ model, messages: [{ role: "user", content: "Hi" }] });
    const history: ModelMessage[] = [
      { role: "user", content: "Hi" },
      { role: "assistant", content: "One." },
      { role: "user", content: "Go on" },
    ];
    await run({ model, messages: history });
    expect((await recorded(conversation)).map(({ lines }) => lines.length)).toEqual([2, 4]);
    expect(scripted.prompts().map((prompt) => prompt.length)).toEqual([1, 3, 5]);
  });

  test("parallel tools, one of which throws, are one turn", async () => {
    const script = [call(["c1", "weather", { city: "Oslo" }], ["c2", "broken", {}]), say("Half known.")];
    const { model, conversation } = setUp(script);
    await run({ model, prompt: "Both?" });
    const [turn] = await recorded(conversation);
    expect(turn).toMatchObject({ status: "completed" });
    expect(turn?.lines).toHaveLength(4);
    expect(turn?.lines[2]).toMatch(/#c1="sunny in Oslo" #c2!=/);
  });

  test("a call without an identity is passed on and not recorded", async () => {
    const { model, memory, scripted } = setUp([say("A title.")]);
    await run({ model, prompt: "Give a title.", providerOptions: { other: { kept: 1 } } });
    expect(await memory.conversations()).toMatchObject({ items: [] });
    const [only] = [...scripted.doGenerateCalls, ...scripted.doStreamCalls];
    expect(only?.providerOptions).toEqual({ other: { kept: 1 } });
  });

  test("a step limit leaves the turn paused with its open call, and the next question goes on", async () => {
    const { model, conversation } = setUp([oslo, say("Fine.")]);
    await run({ model, prompt: "How is Oslo?", stopWhen: isStepCount(1) });
    expect(await recorded(conversation)).toEqual([
      { status: "paused", lines: ["user: How is Oslo?", "assistant: weather#c1"] },
    ]);
    await run({ model, prompt: "Never mind." });
    expect((await recorded(conversation)).map(({ status }) => status)).toEqual(["paused", "completed"]);
  });

  test("a client's own tool pauses; its answer completes the turn, in another process too", async () => {
    const store = inMemoryStore();
    const ask = setUp([call(["c1", "confirm", { question: "Sure?" }])], {}, store);
    await run({ model: ask.model, prompt: "Do it." });
    const { model, conversation, scripted } = setUp([say("Done.")], {}, store);
    const output = { type: "text", value: "yes" } as const;
    await run({
      model,
      messages: [
        { role: "user", content: "Do it." },
        {
          role: "assistant",
          content: [{ type: "tool-call", toolCallId: "c1", toolName: "confirm", input: { question: "Sure?" } }],
        },
        { role: "tool", content: [{ type: "tool-result", toolCallId: "c1", toolName: "confirm", output }] },
      ],
    });
    expect(await recorded(conversation)).toMatchObject([{ status: "completed", lines: { length: 4 } }]);
    expect(scripted.prompts()[0]?.map(({ role }) => role)).toEqual(["user", "assistant", "tool"]);
  });

  test("a provider error leaves a failed turn with what had run; the same question again completes it", async () => {
    const { model, conversation } = setUp([oslo, { throws: new Error("down") }, say("Sunny.")]);
    await run({ model, prompt: "How is Oslo?" }).catch(() => {});
    expect(await recorded(conversation)).toEqual([
      { status: "failed", lines: ["user: How is Oslo?", "assistant: weather#c1", 'tool: #c1="sunny in Oslo"'] },
    ]);
    await run({ model, prompt: "And now?" });
    expect((await recorded(conversation)).map(({ status }) => status)).toEqual(["failed", "completed"]);
  });

  test("the SDK's own retry of a step is the same turn", async () => {
    const responseHeaders = { "retry-after-ms": "1" };
    const busy = { message: "busy", url: "x", requestBodyValues: {}, isRetryable: true, responseHeaders };
    const fails = { throws: new APICallError(busy) };
    for (const script of [
      [fails, say("Sunny.")],
      [oslo, fails, say("Sunny.")],
    ]) {
      const { model, conversation } = setUp(script);
      await run({ model, prompt: "How is Oslo?", maxRetries: 1 });
      const turns = (await conversation.transcript()).turns.filter(({ hidden }) => !hidden);
      expect(turns.map(({ status }) => status)).toEqual(["completed"]);
    }
  });

  test("an abort leaves an aborted turn", async () => {
    const controller = new AbortController();
    const { model, conversation } = setUp([
      oslo,
      { ...say("It is sunny now."), onWord: (n) => n === 2 && controller.abort() },
    ]);
    await run({ model, prompt: "How is Oslo?", abortSignal: controller.signal }).catch(() => {});
    const turns = await recorded(conversation);
    expect(turns).toHaveLength(1);
    if (kind === "streamText") {
      expect(turns[0]?.status).toBe("aborted");
      expect(turns[0]?.lines.at(-1)).toMatch(/^assistant: It/);
    }
  });

  test("B3: a store that fails ends no run, and is told of", async () => {
    const store = inMemoryStore();
    const codes: string[] = [];
    const { model } = setUp(
      [say("Hello.")],
      { onError: ({ code }) => codes.push(code) },
      {
        ...store,
        commitTurn: () => Promise.reject(new Error("gone")),
      },
    );
    await run({ model, prompt: "Hi" });
    expect(codes).toHaveLength(1);
  });

  test("W9/W10: large results are kept as artifacts, and an overflow stops the run", async () => {
    const { conversation, memory, scripted, model } = setUp([call(["c1", "long", {}]), say("Long.")]);
    const long = tool({ inputSchema: z.object({}), execute: () => "words ".repeat(10_000) });
    await run({ model, prompt: "Read.", tools: { long } });
    expect(JSON.stringify(scripted.prompts().at(-1)).length).toBeLessThan(12_000);
    expect((await recorded(conversation))[0]?.lines.join().length).toBeLessThan(12_000);
    const small = createMemory({ agent: "a", store: inMemoryStore(), env: {}, contextWindow: 2_000 });
    const strict = wrapLanguageModel({ model: scriptedModel(say("never")), middleware: memoryMiddleware(small) });
    const errors: unknown[] = [];
    await run({
      model: strict,
      prompt: "word ".repeat(4_000),
      ...(kind === "streamText" ? { onError: ({ error }: { error: unknown }) => void errors.push(error) } : {}),
    } as Options).catch((error: unknown) => errors.push(error));
    expect(errors).toMatchObject([{ code: "CONTEXT_OVERFLOW" }]);
    await memory.close();
  });
});

describe("B1/V2: whose call it is", () => {
  test("identify of the app's own, or a conversation in place of the memory", async () => {
    const own = setUp([say("Hello.")], {
      identify: ({ headers }) => ({ id: headers?.["x-chat"] ?? "chat", subject: "ada" }),
    });
    await generateText({ model: own.model, prompt: "Hi", headers: { "x-chat": "chat" } });
    expect(await recorded(own.conversation)).toHaveLength(1);

    const { conversation } = setUp([]);
    const bound = wrapLanguageModel({
      model: scriptedModel(say("Hello.")),
      middleware: memoryMiddleware(conversation),
    });
    await generateText({ model: bound, prompt: "Hi" });
    expect(await recorded(conversation)).toHaveLength(1);
  });

  test.each([{ conversation: "" }, { id: "chat" }, { conversation: 3 }, "chat"])(
    "an identity that is none is refused with what to do: %j",
    async (throughline) => {
      const { model } = setUp([say("never")]);
      await expect(
        generateText({ model, prompt: "Hi", maxRetries: 0, providerOptions: { throughline } as never }),
      ).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    },
  );

  test("two runs of one conversation side by side leave a turn each", async () => {
    const { model, conversation } = setUp([
      call(["a1", "weather", { city: "Oslo" }]),
      call(["b1", "weather", { city: "Voss" }]),
      say("Sunny."),
      say("Sunny."),
    ]);
    const options = { model, tools, stopWhen: isStepCount(3), providerOptions: identity };
    await Promise.all(["A?", "B?"].map((prompt) => generateText({ ...options, prompt })));
    const turns = await recorded(conversation);
    expect(turns.map(({ status, lines }) => [status, lines.length])).toEqual([
      ["completed", 4],
      ["completed", 4],
    ]);
  });

  test("a reader that goes away cancels the stream: an aborted turn with what was said", async () => {
    const { middleware, conversation } = setUp([]);
    const model = wrapLanguageModel({ model: scriptedModel(say("It is sunny in Oslo today.")), middleware });
    const { signal } = new AbortController();
    const { stream } = await model.doStream({
      prompt: [{ role: "user", content: [{ type: "text", text: "How is Oslo?" }] }],
      providerOptions: identity,
      abortSignal: signal,
    });
    const reader = stream.getReader();
    for (let count = 0; count < 4; count++) await reader.read();
    await reader.cancel();
    // A server's signal outlives its requests.
    expect(getEventListeners(signal, "abort")).toEqual([]);
    const turns = await recorded(conversation);
    expect(turns).toMatchObject([{ status: "aborted" }]);
    expect(turns[0]?.lines[1]).toMatch(/^assistant: It/);
  });
});
