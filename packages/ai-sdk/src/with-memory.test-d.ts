import type { LanguageModelV4Middleware } from "@ai-sdk/provider";
import { type AgentRunner, type Conversation, createMemory, type Memory } from "@throughline/core";
import {
  createAgentUIStreamResponse,
  createUIMessageStreamResponse,
  generateText,
  isStepCount,
  type ModelMessage,
  Output,
  type StreamTextOnEndCallback,
  streamText,
  ToolLoopAgent,
  type ToolSet,
  tool,
  toUIMessageStream,
  type UIMessage,
  wrapLanguageModel,
} from "ai";
import { MockEmbeddingModelV4, MockLanguageModelV4 } from "ai/test";
import { expectTypeOf, test } from "vitest";
import * as z from "zod";
import {
  agentRunner,
  distillerFrom,
  embedderFrom,
  memoryAgent,
  memoryMiddleware,
  memoryTools,
  memoryToolsContext,
  summarizerFrom,
  toUIMessages,
  withMemory,
} from "./index.ts";

declare const conversation: Conversation;
declare const memory: Memory;
declare const messages: ModelMessage[];
const model = new MockLanguageModelV4();
const weather = tool({ inputSchema: z.object({ city: z.string() }), execute: ({ city }) => ({ city, sunny: true }) });
const locate = tool({
  inputSchema: z.object({}),
  contextSchema: z.object({ userId: z.string() }),
  execute: (_input, { context }) => context.userId,
});

test("B6: the options spread into both calls without a cast, and the app's tools keep their types", async () => {
  const run = await withMemory(conversation, { messages, instructions: "Be brief." });
  const tools = { weather, ...memoryTools(conversation) };
  const generated = await generateText({ model, tools, stopWhen: isStepCount(3), ...run });
  const [result] = generated.staticToolResults;
  if (result?.toolName === "weather") expectTypeOf(result.output).toEqualTypeOf<{ city: string; sunny: boolean }>();
  if (result?.toolName === "memory_recall") expectTypeOf(result.output).toEqualTypeOf<string>();
  const streamed = streamText({ model, tools, ...run });
  expectTypeOf(streamed.textStream).toExtend<AsyncIterable<string>>();
});

test("B6: most options may be given to withMemory, and its answer is a call's options", async () => {
  const run = await withMemory(conversation, {
    model,
    tools: { weather },
    temperature: 0,
    prompt: "Hi",
    output: Output.object({ schema: z.object({ city: z.string() }) }),
    prepareStep: ({ stepNumber }) => (stepNumber === 0 ? { toolChoice: { type: "tool", toolName: "weather" } } : {}),
    onEnd: ({ text, usage }) => {
      expectTypeOf(text).toEqualTypeOf<string>();
      expectTypeOf(usage.totalTokens).toEqualTypeOf<number | undefined>();
    },
    onStepFinish: ({ finishReason }) => {
      expectTypeOf(finishReason).toExtend<string>();
    },
  });
  const result = await generateText(run);
  expectTypeOf(result.output).toEqualTypeOf<{ city: string }>();
  expectTypeOf(result.staticToolCalls).items.toHaveProperty("input");
  const streamed = streamText({ ...run, toolChoice: "auto", activeTools: ["weather"] });
  expectTypeOf(await streamed.output).toEqualTypeOf<{ city: string }>();
});

test("B6: callbacks typed for the app's own tools are taken", async () => {
  const onEnd: StreamTextOnEndCallback<{ weather: typeof weather }> = () => {};
  const run = await withMemory(conversation, { messages, onEnd });
  streamText({ model, tools: { weather }, ...run });
});

test("B6: tools with a context keep it required", async () => {
  const run = await withMemory(conversation, { prompt: "Hi" });
  streamText({ model, tools: { locate }, toolsContext: { locate: { userId: "ada" } }, ...run });
  // @ts-expect-error the tool's context is missing
  streamText({ model, tools: { locate }, ...run });
});

test("V4: memoryTools are the SDK's tools, by name", () => {
  const all = memoryTools(conversation);
  expectTypeOf(all).toExtend<ToolSet>();
  new ToolLoopAgent({ model, tools: { weather, ...all } });
  expectTypeOf(memoryTools(conversation, { only: ["memory_recall"] })).toHaveProperty("memory_recall");
  expectTypeOf(memoryTools(conversation, { only: ["memory_recall"] })).not.toHaveProperty("memory_forget");
  expectTypeOf(memoryTools(conversation, { except: ["memory_forget"] })).not.toHaveProperty("memory_forget");
  // @ts-expect-error no such tool
  memoryTools(conversation, { only: ["memory_erase"] });
});

test("B1/V1: memory comes first, and what isn't a conversation is refused", () => {
  // @ts-expect-error an id is no proof of a scope
  withMemory("chat", { prompt: "Hi" });
  // @ts-expect-error messages are the SDK's
  withMemory(conversation, { messages: "Hi" });
});

test("V2: the middleware is the provider's own type", () => {
  const middleware: LanguageModelV4Middleware = memoryMiddleware(memory);
  wrapLanguageModel({ model, middleware: [middleware, memoryMiddleware(conversation)] });
  // @ts-expect-error an id is no memory
  memoryMiddleware("chat");
});

test("B6/V1: memoryAgent keeps the agent's own types", async () => {
  const agent = memoryAgent(memory, {
    model,
    tools: { weather },
    callOptionsSchema: z.object({ chat: z.string() }),
    identify: ({ options }) => ({ id: options.chat }),
  });
  expectTypeOf(agent).toExtend<ToolLoopAgent<{ chat: string }, { weather: typeof weather }>>();
  const result = await agent.generate({ prompt: "Hi", options: { chat: "c" } });
  expectTypeOf(result.staticToolCalls).items.toHaveProperty("input");
  // @ts-expect-error the options are missing
  agent.generate({ prompt: "Hi" });
  createAgentUIStreamResponse({ agent, uiMessages: [], options: { chat: "c" } });
  expectTypeOf(agentRunner(agent)).toEqualTypeOf<AgentRunner>();
  const plain = new ToolLoopAgent({ model });
  // @ts-expect-error an agent without a memory
  agentRunner(plain);
});

test("V3: UI messages of the app's own type go in, and the response's options fit every wiring", async () => {
  type Chat = UIMessage<{ at: number }, { chart: number[] }>;
  const uiMessages: Chat[] = [];
  const run = await withMemory(conversation, { uiMessages, tools: { weather } });
  const result = streamText({ model, ...run });
  result.toUIMessageStreamResponse(run.memory.ui);
  const stream = toUIMessageStream({ stream: result.stream, ...run.memory.ui });
  createUIMessageStreamResponse({ stream, ...run.memory.ui });
  expectTypeOf(toUIMessages((await conversation.transcript()).turns)).toEqualTypeOf<UIMessage[]>();
});

test("V5: models of the SDK become parts of a memory", () => {
  createMemory({
    agent: "a",
    summarizer: summarizerFrom(model, { temperature: 0 }),
    distiller: distillerFrom(model),
    embedder: embedderFrom(new MockEmbeddingModelV4(), { dimensions: 3 }),
  });
  // @ts-expect-error its length is needed
  embedderFrom(new MockEmbeddingModelV4(), {});
});

test("V4: tools of a memory need their context", () => {
  const tools = memoryTools(memory, { only: ["memory_recall"] });
  streamText({ model, tools, prompt: "Hi", toolsContext: memoryToolsContext({ id: "c" }) });
  // @ts-expect-error the context is missing
  streamText({ model, tools, prompt: "Hi" });
});
