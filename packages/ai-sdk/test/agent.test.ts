import { createMemory, inMemoryStore, type MemoryEvent } from "@throughline/core";
import {
  createAgentUIStreamResponse,
  experimental_createSteering as createSteering,
  isStepCount,
  ToolLoopAgent,
  tool,
  type UIMessage,
} from "ai";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { agentRunner, type MemoryAgent, memoryAgent, memoryTools, memoryToolsContext } from "../src/index.ts";
import { call, type ScriptedStep, say, scriptedModel } from "./scripted-model.ts";
import { recorded, tools } from "./test-memory.ts";

const oslo = call(["c1", "weather", { city: "Oslo" }]);
const setUp = () => {
  const events: MemoryEvent[] = [];
  const memory = createMemory({
    agent: "guide",
    store: inMemoryStore(),
    env: {},
    onEvent: (event) => events.push(event),
  });
  return { memory, events, conversation: memory.conversation({ id: "chat", subject: "ada" }) };
};
const callOptions = z.object({ chat: z.string(), user: z.string() });

describe.each(["generate", "stream"] as const)("V1/B2: memoryAgent.%s", (kind) => {
  // biome-ignore lint/suspicious/noExplicitAny: agents of any tools and options are played
  const play = async (agent: Pick<MemoryAgent<any, any>, "generate" | "stream">, parameters: object) => {
    const call = parameters as Parameters<typeof agent.generate>[0];
    if (kind === "generate") return agent.generate(call);
    const result = await agent.stream(call);
    await result.consumeStream({ onError: () => {} });
    return { text: await Promise.resolve(result.text).catch(() => "") };
  };

  test("a call's options say whose it is; history and facts are there, one turn is recorded", async () => {
    const { memory, conversation, events } = setUp();
    await memory.subject("ada").remember({ key: "city", value: "Oslo" });
    const model = scriptedModel(say("Hello."), oslo, say("Sunny."));
    const agent = memoryAgent(memory, {
      model,
      tools,
      instructions: "Be brief.",
      callOptionsSchema: callOptions,
      identify: ({ options }) => ({ id: options.chat, subject: options.user }),
    });
    const options = { chat: "chat", user: "ada" };
    await play(agent, { prompt: "Hi", options });
    expect((await play(agent, { prompt: "How is it?", options })).text).toBe("Sunny.");
    expect(await recorded(conversation)).toEqual([
      { status: "completed", lines: ["user: Hi", "assistant: Hello."] },
      {
        status: "completed",
        lines: ["user: How is it?", "assistant: weather#c1", 'tool: #c1="sunny in Oslo"', "assistant: Sunny."],
      },
    ]);
    expect(model.prompts().map((prompt) => prompt.length)).toEqual([2, 4, 6]);
    expect(model.prompts().every(([first]) => /^Be brief\.\n\n<memory>[\s\S]*Oslo/.test(String(first?.content)))).toBe(
      true,
    );
    expect(events.filter(({ type }) => type === "memory.context")).toHaveLength(2);
  });

  test("B1: without identify the run's own context says whose it is", async () => {
    const { memory, conversation } = setUp();
    const agent = memoryAgent(memory, {
      model: scriptedModel(say("Hello.")),
      runtimeContext: { conversation: { id: "chat", subject: "ada" } },
    });
    await play(agent, { prompt: "Hi" });
    expect(await recorded(conversation)).toHaveLength(1);
  });

  test("B1: a call that belongs to no conversation is refused before the model, and says what to do", async () => {
    const { memory } = setUp();
    const model = scriptedModel(say("never"));
    const forgot = memoryAgent(memory, {
      model,
      callOptionsSchema: callOptions,
      identify: ({ options }) => ({ id: options?.chat }),
    });
    const none = memoryAgent(memory, { model });
    for (const agent of [forgot, none]) {
      await expect(play(agent, { prompt: "Hi" })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    }
    expect(model.prompts()).toEqual([]);
  });

  test("the app's prepareCall, prepareStep and callbacks of settings and call run, under old and new names", async () => {
    const { conversation } = setUp();
    const seen: string[] = [];
    const note = (name: string) => () => void seen.push(name);
    const model = scriptedModel(oslo, say("Sunny."));
    const agent = memoryAgent(conversation, {
      model: scriptedModel(),
      tools,
      onStart: note("settings start"),
      onStepFinish: note("settings step"),
      onEnd: note("settings end"),
      prepareCall: (settings) => ({ ...settings, model, instructions: "From prepareCall." }),
      prepareStep: ({ stepNumber }) => void seen.push(`prepare ${stepNumber}`),
    });
    await play(agent, { prompt: "How is Oslo?", onFinish: note("call end"), experimental_onStart: note("call start") });
    expect(seen).toEqual([
      "settings start",
      "call start",
      "prepare 0",
      "settings step",
      "prepare 1",
      "settings step",
      "settings end",
      "call end",
    ]);
    expect(model.prompts()[0]?.[0]?.content).toMatch(/^From prepareCall\./);
    expect(await recorded(conversation)).toMatchObject([{ status: "completed" }]);
  });

  test.each<[string, ScriptedStep[], string]>([
    ["before any output", [{ throws: new Error("down") }], "failed"],
    ["in a later step", [oslo, { throws: new Error("down") }], "failed"],
  ])("a provider error %s leaves one failed turn, and reaches the app's onError once", async (_, script, status) => {
    const { conversation } = setUp();
    const errors: unknown[] = [];
    const agent = memoryAgent(conversation, {
      model: scriptedModel(...script),
      tools,
      maxRetries: 0,
      onError: ({ error }) => void errors.push(error),
    });
    await play(agent, { prompt: "How is Oslo?" }).catch(() => {});
    expect(await recorded(conversation)).toMatchObject([{ status }]);
    expect(errors).toHaveLength(1);
  });

  test("E4: aborted in the moment in which the memory is closed, it is recorded all the same", async () => {
    const base = inMemoryStore();
    const make = () => {
      const store = { ...base, close: async () => {} };
      return createMemory({ agent: "guide", store, env: {}, onEvent: () => {} });
    };
    const memory = make();
    const controller = new AbortController();
    let closed: Promise<void> | undefined;
    const stop = () => {
      controller.abort();
      closed ??= memory.close();
    };
    const model = scriptedModel(oslo, { ...say("It is sunny."), onWord: stop });
    const agent = memoryAgent(memory.conversation({ id: "chat", subject: "ada" }), { model, tools });
    await play(agent, { prompt: "How is Oslo?", abortSignal: controller.signal }).catch(() => {});
    await closed;
    const turns = await recorded(make().conversation({ id: "chat", subject: "ada" }));
    expect(turns).toMatchObject([{ status: "aborted" }]);
  });

  test("an abort leaves one aborted turn", async () => {
    const { conversation } = setUp();
    const controller = new AbortController();
    const model = scriptedModel(oslo, { ...say("It is sunny."), onWord: () => controller.abort() });
    const agent = memoryAgent(conversation, { model, tools });
    await play(agent, { prompt: "How is Oslo?", abortSignal: controller.signal }).catch(() => {});
    const turns = await recorded(conversation);
    expect(turns).toMatchObject([{ status: "aborted" }]);
    expect(turns[0]?.lines.slice(0, 3)).toEqual([
      "user: How is Oslo?",
      "assistant: weather#c1",
      'tool: #c1="sunny in Oslo"',
    ]);
  });

  test("an approval pauses; the answer completes the same turn", async () => {
    const { conversation } = setUp();
    const settings = { tools, toolApproval: { weather: "user-approval" } } as const;
    await play(memoryAgent(conversation, { ...settings, model: scriptedModel(oslo) }), { prompt: "How is Oslo?" });
    const [turn] = (await conversation.transcript()).turns;
    expect(turn?.status).toBe("paused");
    const value = turn?.messages.at(-1)?.parts.at(-1)?.native?.value as { approval: { approvalId: string } };
    const response = { type: "tool-approval-response", approvalId: value.approval.approvalId, approved: true };
    const agent = memoryAgent(conversation, { ...settings, model: scriptedModel(say("Sunny.")) });
    await play(agent, { messages: [{ role: "tool", content: [response] }] });
    expect(await recorded(conversation)).toMatchObject([{ status: "completed", lines: { length: 5 } }]);
  });

  test("V4: the memory's tools get their conversation by themselves", async () => {
    const { memory } = setUp();
    const agent = memoryAgent(memory, {
      model: scriptedModel(
        call(["c1", "memory_remember", { key: "city", value: "Oslo", quote: "in Oslo" }]),
        say("Noted."),
      ),
      tools: { ...tools, ...memoryTools(memory) },
      callOptionsSchema: callOptions,
      toolsContext: memoryToolsContext(),
      identify: ({ options }) => ({ id: options.chat, subject: options.user }),
    });
    await play(agent, { prompt: "I live in Oslo.", options: { chat: "chat", user: "ada" } });
    expect(await memory.subject("ada").facts()).toMatchObject([{ key: "city", value: "Oslo", origin: "user" }]);
  });
});

test("it is a ToolLoopAgent, and takes steering", async () => {
  const { conversation } = setUp();
  const steering = createSteering();
  const model = scriptedModel(oslo, say("Sunny."));
  const agent = memoryAgent(conversation, {
    model,
    tools,
    onToolExecutionEnd: () => void steering.steer("In one word."),
  });
  expect(agent).toBeInstanceOf(ToolLoopAgent);
  await agent.generate({ prompt: "How is Oslo?", experimental_steering: steering });
  expect((await recorded(conversation))[0]?.lines[3]).toBe("user: In one word.");
});

test("V3: createAgentUIStreamResponse keeps the chat's ids where identify hands the messages on", async () => {
  const { memory, conversation } = setUp();
  const agent = memoryAgent(memory, {
    model: scriptedModel(oslo, say("Sunny.")),
    tools,
    stopWhen: isStepCount(4),
    callOptionsSchema: z.custom<{ chat: string; messages: UIMessage[]; answer: string }>(),
    identify: ({ options }) => ({
      id: options.chat,
      subject: "ada",
      uiMessages: options.messages,
      memory: { responseId: options.answer },
    }),
  });
  const messages: UIMessage[] = [{ id: "u1", role: "user", parts: [{ type: "text", text: "How is Oslo?" }] }];
  const response = await createAgentUIStreamResponse({
    agent,
    uiMessages: messages,
    generateMessageId: () => "a1",
    options: { chat: "chat", messages, answer: "a1" },
  });
  expect(await response.text()).toContain('"messageId":"a1"');
  const { turns } = await conversation.transcript();
  expect(turns[0]?.messages.map(({ id }) => id)).toEqual(["u1", "a1", "a1#tool-result:c1", "a1#1"]);
});

describe("N2: agentRunner", () => {
  const collect = async (script: ScriptedStep[], signal = new AbortController().signal) => {
    const { memory, conversation } = setUp();
    await conversation.remember("name", "Ada");
    const secret = tool({
      inputSchema: z.object({}),
      execute: (): string => {
        throw new Error("no");
      },
    });
    const agent = memoryAgent(memory, {
      model: scriptedModel(...script),
      tools: { ...tools, secret, ...memoryTools(memory) },
      maxRetries: 0,
      toolsContext: memoryToolsContext(),
      onError: () => {},
    });
    const events = [];
    const messages = [{ role: "user" as const, content: "How is Oslo?" }];
    for await (const event of agentRunner(agent)({ messages, conversation, signal })) events.push(event);
    return { events, turns: await recorded(conversation) };
  };

  test("tells deltas, calls, results, what the memory did, and the end; one turn is recorded", async () => {
    const { events, turns } = await collect([oslo, call(["c2", "memory_recall", { key: "name" }]), say("Sunny, Ada.")]);
    expect(events).toEqual([
      { type: "memory", action: "recalled", detail: { items: 1 } },
      { type: "tool_call", callId: "c1", tool: "weather", input: { city: "Oslo" } },
      { type: "tool_result", callId: "c1", tool: "weather", output: "sunny in Oslo" },
      { type: "tool_call", callId: "c2", tool: "memory_recall", input: { key: "name" } },
      { type: "tool_result", callId: "c2", tool: "memory_recall", output: expect.stringContaining("- name: Ada\n") },
      { type: "memory", action: "recalled" },
      { type: "delta", text: "Sunny, " },
      { type: "delta", text: "Ada." },
      { type: "done", text: "Sunny, Ada." },
    ]);
    expect(turns).toMatchObject([{ status: "completed", lines: { length: 6 } }]);
  });

  test("a tool's and a model's error are events, the last one the run's", async () => {
    const { events, turns } = await collect([call(["c1", "secret", {}]), { throws: new Error("down") }]);
    expect(events).toContainEqual({
      type: "tool_result",
      callId: "c1",
      tool: "secret",
      output: "Error: no",
      isError: true,
    });
    expect(events.at(-1)).toMatchObject({ type: "error", code: "AGENT_FAILED", message: "down" });
    expect(turns).toMatchObject([{ status: "failed" }]);
  });

  test("its signal aborts the turn", async () => {
    const controller = new AbortController();
    const slow = { ...say("It is sunny."), onWord: () => controller.abort() };
    const { events, turns } = await collect([oslo, slow], controller.signal);
    expect(events.at(-1)).toMatchObject({ type: "error", code: "ABORTED" });
    expect(turns).toMatchObject([{ status: "aborted" }]);
  });

  test("a listener that goes away leaves the turn to be recorded", async () => {
    const { memory, conversation } = setUp();
    const agent = memoryAgent(memory, { model: scriptedModel(oslo, say("It is sunny in Oslo.")), tools });
    const messages = [{ role: "user" as const, content: "How is Oslo?" }];
    const { signal } = new AbortController();
    for await (const event of agentRunner(agent)({ messages, conversation, signal })) {
      if (event.type === "tool_call") break;
    }
    await expect.poll(() => recorded(conversation)).toMatchObject([{ status: "completed", lines: { length: 4 } }]);
  });

  test("a conversation of another person is an error event", async () => {
    const { memory, conversation } = setUp();
    await conversation.record({
      messages: [
        { role: "user", content: "Mine." },
        { role: "assistant", content: "Yes." },
      ],
    });
    const agent = memoryAgent(memory, { model: scriptedModel(say("never")) });
    const other = memory.conversation({ id: "chat", subject: "bob" });
    const events = [];
    const turn = {
      messages: [{ role: "user" as const, content: "Hi" }],
      conversation: other,
      signal: new AbortController().signal,
    };
    for await (const event of agentRunner(agent)(turn)) events.push(event);
    expect(events).toMatchObject([{ type: "error", code: "CONVERSATION_OWNER_MISMATCH" }]);
  });
});
