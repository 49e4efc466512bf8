import { createMemory, inMemoryStore, type MemoryEvent, type MemoryOptions } from "@throughline/core";
import { generateText, isStepCount, type ModelMessage, streamText, tool } from "ai";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { memoryTools, withMemory } from "../src/index.ts";
import { call, say, scriptedModel } from "./scripted-model.ts";
import { recorded } from "./test-memory.ts";

const page = (chars: number) =>
  tool({ inputSchema: z.object({ n: z.number() }), execute: ({ n }) => `page ${n}: ${"words ".repeat(chars / 6)}` });

function setUp(options: Partial<MemoryOptions> = {}) {
  const events: MemoryEvent[] = [];
  const store = inMemoryStore();
  const memory = createMemory({ agent: "guide", store, env: {}, onEvent: (event) => events.push(event), ...options });
  return { events, memory, conversation: memory.conversation({ id: "chat", subject: "ada" }) };
}
const steps = (count: number) => Array.from({ length: count }, (_, n) => call([`c${n}`, "page", { n }]));

describe.each(["generateText", "streamText"] as const)("W8/W9/W10/V1: %s in a long loop", (kind) => {
  const run = async (options: Parameters<typeof generateText>[0]) => {
    if (kind === "generateText") return void (await generateText(options));
    await streamText(options as Parameters<typeof streamText>[0]).consumeStream();
  };

  test("is compacted inside the loop; the record is whole and the pairs stay", async () => {
    const { conversation, events } = setUp({ contextWindow: 6_000 });
    const model = scriptedModel(...steps(10), say("Read."));
    const seen: number[] = [];
    const options = await withMemory(conversation, {
      model,
      prompt: "Read ten pages.",
      instructions: "Be brief.",
      prepareStep: ({ messages }) => void seen.push(messages.length),
    });
    await run({ ...options, tools: { page: page(3_000) }, stopWhen: isStepCount(12) });
    expect(events.filter(({ type }) => type === "memory.compacted").length).toBeGreaterThan(0);
    expect(seen).toHaveLength(11);
    const [last] = model.prompts().slice(-1);
    expect(JSON.stringify(last).length).toBeLessThan(20_000);
    expect(JSON.stringify(last)).toContain("Read ten pages.");
    expect(JSON.stringify(last)).toContain("left out to save room");
    const calls = JSON.stringify(last).match(/"tool-call"/g)?.length;
    expect(JSON.stringify(last).match(/"tool-result"/g)?.length).toBe(calls);
    const [turn] = await recorded(conversation);
    expect(turn?.lines).toHaveLength(22);
    expect(turn?.lines.filter((line) => line.includes("words words")).length).toBe(10);
  });

  test("W10: a prompt that can't be brought under the budget stops the run before the model is called", async () => {
    const { conversation } = setUp({ contextWindow: 2_000 });
    const model = scriptedModel(say("never"));
    const errors: unknown[] = [];
    const onError = ({ error }: { error: unknown }) => void errors.push(error);
    const options = await withMemory(conversation, { model, prompt: "word ".repeat(4_000), onError });
    await run(options).catch((error: unknown) => errors.push(error));
    expect(errors).toMatchObject([{ code: "CONTEXT_OVERFLOW" }]);
    expect(model.prompts()).toEqual([]);
    expect(await recorded(conversation)).toMatchObject([{ status: "failed" }]);
  });

  test("W9: a large result is kept as an artifact, shown as a preview, and read page by page by its id", async () => {
    const { conversation } = setUp();
    const model = scriptedModel(call(["c1", "page", { n: 1 }]), say("Long."));
    const options = await withMemory(conversation, { model, prompt: "Read it." });
    const tools = { page: page(60_000), ...memoryTools(conversation) };
    const outputs: unknown[] = [];
    await run({
      ...options,
      tools,
      stopWhen: isStepCount(3),
      onToolExecutionEnd: async (event) => {
        outputs.push((event.toolOutput as { output: unknown }).output);
        await options.onToolExecutionEnd(event as never);
      },
    });
    // The app has the whole result.
    expect(String(outputs[0])).toHaveLength(60_008);
    const shown = JSON.stringify(model.prompts()[1]);
    expect(shown.length).toBeLessThan(12_000);
    const id = /art_[a-z0-9_]+/i.exec(shown)?.[0] ?? "";
    expect((await conversation.artifact(id).page(1)).text).toContain("page 1: words");
    const [turn] = await recorded(conversation);
    expect(turn?.lines.join("\n").length).toBeLessThan(12_000);
    expect(turn?.lines[2]).toContain(id);
  });

  test("W9: where the artifact tools aren't registered the result is cut with a mark", async () => {
    const { conversation } = setUp();
    const model = scriptedModel(call(["c1", "page", { n: 1 }]), say("Long."));
    const options = await withMemory(conversation, { model, prompt: "Read it." });
    await run({ ...options, tools: { page: page(60_000) }, stopWhen: isStepCount(3) });
    const shown = JSON.stringify(model.prompts()[1]);
    expect(shown.length).toBeLessThan(12_000);
    expect(shown).not.toContain("get_artifact");
  });

  test("B9: an app that resends its whole history, the large result in it, doubles nothing", async () => {
    const { conversation } = setUp();
    const history: ModelMessage[] = [{ role: "user", content: "Read it." }];
    for (const words of ["Again.", "Thanks."]) {
      const model = scriptedModel(call([`c-${words}`, "page", { n: 1 }]), say("Long."));
      const run = await withMemory(conversation, { model, messages: history });
      const result = await generateText({ ...run, tools: { page: page(60_000) }, stopWhen: isStepCount(3) });
      history.push(...result.responseMessages, { role: "user", content: words });
    }
    expect((await recorded(conversation)).map(({ lines }) => lines.length)).toEqual([4, 4]);
  });

  test("messages that the app's prepareStep sets are the ones that are compacted", async () => {
    const { conversation } = setUp();
    const model = scriptedModel(...steps(2), say("Read."));
    const options = await withMemory(conversation, {
      model,
      prompt: "Read.",
      prepareStep: ({ messages, stepNumber }) =>
        stepNumber === 2 ? { messages: messages.slice(-3), instructions: "Sum up.", temperature: 0 } : undefined,
    });
    await run({ ...options, tools: { page: page(60_000) }, stopWhen: isStepCount(4) });
    const last = model.prompts().at(-1);
    expect(last?.map(({ role }) => role)).toEqual(["system", "tool", "assistant", "tool"]);
    expect(JSON.stringify(last).length).toBeLessThan(20_000);
  });
});

test("W9: a client's own large answer is kept as an artifact as well", async () => {
  const { conversation } = setUp();
  const confirm = tool({ inputSchema: z.object({}), outputSchema: z.string() });
  const ask = await withMemory(conversation, { prompt: "Look." });
  await generateText({ model: scriptedModel(call(["c1", "look", {}])), tools: { look: confirm }, ...ask });
  const answer: ModelMessage = {
    role: "tool",
    content: [
      { type: "tool-result", toolCallId: "c1", toolName: "look", output: { type: "text", value: "x ".repeat(40_000) } },
    ],
  };
  const model = scriptedModel(say("Seen."));
  const go = await withMemory(conversation, { messages: [answer] });
  await generateText({ model, tools: { look: confirm, ...memoryTools(conversation) }, ...go });
  expect(JSON.stringify(model.prompts()).length).toBeLessThan(12_000);
  const [turn] = await recorded(conversation);
  expect(turn).toMatchObject({ status: "completed" });
  expect(turn?.lines[2]).toMatch(/art_/);
});
