import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, isStepCount, streamText } from "ai";
import { expect, test } from "vitest";
import { withMemory } from "../src/index.ts";
import { chatCompletionsServer, orphans } from "./chat-completions-server.ts";
import { recorded, testMemory, tools } from "./test-memory.ts";

const modelAt = (baseURL: string) => createOpenAICompatible({ name: "local", baseURL }).chatModel("local-model");
const weather = (id: string, city: string) => ({ id, name: "weather", arguments: JSON.stringify({ city }) });

test.each(["generateText", "streamText"] as const)(
  "B8: %s over the wire: plain, tool loop, parallel tools, then all of it replayed as valid input",
  async (kind) => {
    await using server = await chatCompletionsServer(
      { text: "Hello Ada." },
      { calls: [weather("c1", "Oslo")] },
      { calls: [weather("c2", "Bergen"), weather("c3", "Voss")] },
      { text: "Sunny in all three." },
      { text: "Three." },
    );
    const { conversation } = testMemory();
    await conversation.remember("name", "Ada");
    for (const prompt of ["Hi", "How are Oslo, Bergen and Voss?", "How many were they?"]) {
      const run = await withMemory(conversation, { prompt, instructions: "Be brief.", onError: () => {} });
      const options = { model: modelAt(server.baseURL), tools, stopWhen: isStepCount(5), maxRetries: 0, ...run };
      if (kind === "generateText") await generateText(options);
      else await streamText(options).consumeStream();
    }
    const turns = await recorded(conversation);
    expect(turns.map(({ status, lines }) => [status, lines.length])).toEqual([
      ["completed", 2],
      ["completed", 6],
      ["completed", 2],
    ]);
    const last = server.requests.at(-1);
    expect(last?.messages.map(({ role }) => role)).toEqual([
      "system",
      "user",
      "assistant",
      "user",
      "assistant",
      "tool",
      "assistant",
      "tool",
      "tool",
      "assistant",
      "user",
    ]);
    expect(last?.messages[0]?.content).toMatch(/^Be brief\.\n\n<memory>[\s\S]*Ada/);
    expect(server.requests.flatMap(orphans)).toEqual([]);
  },
);

test.each(["generateText", "streamText"] as const)("B8: %s over the wire: an error of the server", async (kind) => {
  await using server = await chatCompletionsServer(
    { calls: [weather("c1", "Oslo")] },
    { status: 503 },
    { text: "Sunny." },
  );
  const { conversation } = testMemory();
  const play = async (prompt: string) => {
    const run = await withMemory(conversation, { prompt, onError: () => {} });
    const options = { model: modelAt(server.baseURL), tools, stopWhen: isStepCount(5), maxRetries: 0, ...run };
    if (kind === "generateText") await generateText(options).catch(() => {});
    else await streamText(options).consumeStream({ onError: () => {} });
  };
  await play("How is Oslo?");
  expect(await recorded(conversation)).toEqual([
    { status: "failed", lines: ["user: How is Oslo?", "assistant: weather#c1", 'tool: #c1="sunny in Oslo"'] },
  ]);
  await play("And now?");
  expect(server.requests.flatMap(orphans)).toEqual([]);
});

test("B8: over the wire: a connection that breaks in the middle leaves what was said", async () => {
  await using server = await chatCompletionsServer({ text: "It is sunny in Oslo.", dropAfter: 2 });
  const { conversation } = testMemory();
  const run = await withMemory(conversation, { prompt: "How is Oslo?", onError: () => {} });
  await streamText({ model: modelAt(server.baseURL), maxRetries: 0, ...run }).consumeStream({ onError: () => {} });
  const turns = await recorded(conversation);
  expect(turns).toHaveLength(1);
  expect(turns[0]?.status).toMatch(/^(failed|aborted)$/);
  expect(turns[0]?.lines[1]).toMatch(/^assistant: It is/);
});
