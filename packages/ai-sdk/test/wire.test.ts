import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { modelServer, type WireAnswer } from "@throughline/testkit";
import { generateText, isStepCount, type LanguageModel, streamText, wrapLanguageModel } from "ai";
import { describe, expect, test } from "vitest";
import { memoryMiddleware, withMemory } from "../src/index.ts";
import { recorded, testMemory, tools } from "./test-memory.ts";

const weather = (id: string, city: string) => ({ id, name: "weather", arguments: JSON.stringify({ city }) });
const apiKey = "none";

const CLIENTS: Record<string, (baseURL: string) => Exclude<LanguageModel, string>> = {
  "openai-compatible": (baseURL) => createOpenAICompatible({ name: "local", baseURL }).chatModel("local-model"),
  "openai chat": (baseURL) => createOpenAI({ baseURL, apiKey }).chat("gpt-4.1"),
  "openai responses": (baseURL) => createOpenAI({ baseURL, apiKey }).responses("gpt-5"),
};
const cells = Object.keys(CLIENTS).flatMap((client) => [
  [client, "generateText"] as const,
  [client, "streamText"] as const,
]);
const modelOf = (client: string, baseURL: string) => (CLIENTS[client] as (typeof CLIENTS)[string])(baseURL);

async function play(kind: "generateText" | "streamText", options: Parameters<typeof generateText>[0]): Promise<void> {
  const all = { tools, stopWhen: isStepCount(5), maxRetries: 0, ...options } as typeof options;
  if (kind === "generateText") await generateText(all).catch(() => {});
  else
    await streamText({ onError: () => {}, ...all } as Parameters<typeof streamText>[0]).consumeStream({
      onError: () => {},
    });
}

const SCRIPT: WireAnswer[] = [
  { text: "Hello Ada.", reasoning: "A greeting." },
  { reasoning: "Look it up.", calls: [weather("c1", "Oslo")] },
  { calls: [weather("c2", "Bergen"), weather("c3", "Voss")] },
  { text: "Sunny in all three." },
  { text: "Three." },
];
const PROMPTS = ["Hi", "How are Oslo, Bergen and Voss?", "How many were they?"];

describe.each(cells)("B8: %s, %s, over the wire", (client, kind) => {
  test("plain, tool loop, parallel tools, then all of it replayed as valid input", async () => {
    await using server = await modelServer(...SCRIPT);
    const { conversation } = testMemory();
    await conversation.remember("name", "Ada");
    for (const prompt of PROMPTS) {
      const run = await withMemory(conversation, { prompt, instructions: "Be brief.", onError: () => {} });
      await play(kind, { model: modelOf(client, server.baseURL), ...run });
    }
    expect(server.refusals).toEqual([]);
    const turns = await recorded(conversation);
    expect(turns.map(({ status, lines }) => [status, lines.length])).toEqual([
      ["completed", 2],
      ["completed", 6],
      ["completed", 2],
    ]);
    const last = server.requests.at(-1);
    const messages = last?.api === "chat" ? last.body.messages : (last?.body.input as object[]);
    const roles = messages.map((entry) =>
      "role" in entry ? String(entry.role) : String((entry as { type: string }).type),
    );
    const [call, output] = last?.api === "chat" ? ["assistant", "tool"] : ["function_call", "function_call_output"];
    const calls = last?.api === "chat" ? [call] : [call, call];
    const system =
      last?.api === "chat" && client === "openai-compatible" ? "system" : expect.stringMatching(/system|developer/);
    expect(roles).toEqual([
      system,
      "user",
      "assistant",
      "user",
      call,
      output,
      ...calls,
      output,
      output,
      "assistant",
      "user",
    ]);
    expect(JSON.stringify(messages[0])).toMatch(/Be brief\.\\n\\n<memory>.*Ada/);
    // One system part, and nothing that only this provider's store knows.
    expect(JSON.stringify(messages)).not.toMatch(/item_reference|rs_wire|msg_wire/);
  });

  test("another provider goes on with it", async () => {
    await using server = await modelServer(...SCRIPT);
    const { conversation } = testMemory();
    const others = Object.keys(CLIENTS).filter((other) => other !== client);
    for (const [index, prompt] of PROMPTS.entries()) {
      const model = modelOf(index === 1 ? client : (others[index % 2] as string), server.baseURL);
      await play(kind, { model, ...(await withMemory(conversation, { prompt, onError: () => {} })) });
    }
    expect(server.refusals).toEqual([]);
    expect((await recorded(conversation)).map(({ status }) => status)).toEqual(["completed", "completed", "completed"]);
  });

  test.each<[string, WireAnswer, string]>([
    ["an error of the server", { status: 503 }, "failed"],
    ["a model that fails mid-stream", { text: "It is sunny in Oslo.", failAfter: 2 }, "failed"],
    ["a connection that breaks mid-stream", { text: "It is sunny in Oslo.", dropAfter: 2 }, "failed"],
  ])("%s leaves what had run, and the next turn is valid input", async (_, broken, status) => {
    await using server = await modelServer({ calls: [weather("c1", "Oslo")] }, broken);
    const { conversation } = testMemory();
    const model = modelOf(client, server.baseURL);
    await play(kind, { model, ...(await withMemory(conversation, { prompt: "How is Oslo?", onError: () => {} })) });
    const [turn] = await recorded(conversation);
    const isPlain = kind === "generateText" && broken.status === undefined;
    expect(turn?.status).toBe(isPlain ? "completed" : status);
    expect(turn?.lines.slice(0, 3)).toEqual([
      "user: How is Oslo?",
      "assistant: weather#c1",
      'tool: #c1="sunny in Oslo"',
    ]);
    if (kind === "streamText" && broken.text !== undefined) expect(turn?.lines[3]).toMatch(/^assistant: It is/);
    server.answer({ text: "Sunny." });
    await play(kind, { model, ...(await withMemory(conversation, { prompt: "And now?", onError: () => {} })) });
    expect(server.refusals).toEqual([]);
    expect((await recorded(conversation)).at(-1)).toEqual({
      status: "completed",
      lines: ["user: And now?", "assistant: Sunny."],
    });
  });

  test("V2: through the middleware: one system message, the identity stays here, the replay is valid", async () => {
    await using server = await modelServer(...SCRIPT);
    const { memory, conversation } = testMemory();
    await conversation.remember("name", "Ada");
    const model = wrapLanguageModel({
      model: modelOf(client, server.baseURL) as never,
      middleware: memoryMiddleware(memory),
    });
    const providerOptions = { throughline: { conversation: "chat", subject: "ada" } };
    for (const prompt of PROMPTS) await play(kind, { model, prompt, instructions: "Be brief.", providerOptions });
    expect(server.refusals).toEqual([]);
    expect((await recorded(conversation)).map(({ lines }) => lines.length)).toEqual([2, 6, 2]);
    for (const { body } of server.requests) {
      const text = JSON.stringify(body);
      expect(text).not.toContain("throughline");
      expect(text.match(/"role":"(?:system|developer)"/g)).toHaveLength(1);
    }
  });
});

test.each(Object.keys(CLIENTS))("B8: an aborted answer of %s is replayed as valid input", async (client) => {
  const cut = { text: "It is sunny in Oslo.", stallAfter: 3 };
  await using server = await modelServer({ calls: [weather("c1", "Oslo")] }, cut, { text: "Sunny." });
  const { conversation } = testMemory();
  const controller = new AbortController();
  const run = await withMemory(conversation, {
    prompt: "How is Oslo?",
    abortSignal: controller.signal,
    onChunk: ({ chunk }) => void (chunk.type === "text-delta" && controller.abort()),
  });
  const model = modelOf(client, server.baseURL);
  await play("streamText", { model, ...run });
  expect(await recorded(conversation)).toMatchObject([{ status: "aborted", lines: { length: 4 } }]);
  await play("streamText", { model, ...(await withMemory(conversation, { prompt: "And now?" })) });
  expect(server.refusals).toEqual([]);
  expect(await recorded(conversation)).toHaveLength(2);
});

test("W14: with replay exact the provider's own reasoning and item ids go back to it, and it takes them", async () => {
  await using server = await modelServer(...SCRIPT);
  const { conversation } = testMemory();
  for (const prompt of PROMPTS) {
    const run = await withMemory(conversation, { prompt, memory: { replay: "exact" }, onError: () => {} });
    await play("streamText", { model: modelOf("openai responses", server.baseURL), ...run });
  }
  expect(server.refusals).toEqual([]);
  expect(JSON.stringify(server.requests.at(-1)?.body)).toMatch(/item_reference|rs_wire/);
});
