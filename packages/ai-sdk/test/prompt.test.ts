import { inMemoryStore } from "@throughline/core";
import { generateText, type ModelMessage, streamText } from "ai";
import { describe, expect, test } from "vitest";
import { mergeInstructions } from "../src/convert/merge-instructions.ts";
import { withMemory } from "../src/index.ts";
import { call, say, scriptedModel } from "./scripted-model.ts";
import { recorded, testMemory, tools } from "./test-memory.ts";

const user = (content: string): ModelMessage => ({ role: "user", content });

describe("B5: the block goes into the instructions", () => {
  const block = "<memory>\nx\n</memory>";
  test("a text stays one text", () => {
    expect(mergeInstructions("Be brief.", block)).toBe(`Be brief.\n\n${block}`);
    expect(mergeInstructions(undefined, block)).toBe(block);
    expect(mergeInstructions("", block)).toBe(block);
  });
  test("an empty block changes nothing", () => {
    expect(mergeInstructions(undefined, "")).toBeUndefined();
    expect(mergeInstructions("Be brief.", "")).toBe("Be brief.");
  });
  test("a plain system message stays one; one with a cache mark is left as it is", () => {
    expect(mergeInstructions({ role: "system", content: "A" }, block)).toEqual({
      role: "system",
      content: `A\n\n${block}`,
    });
    const marked = {
      role: "system" as const,
      content: "A",
      providerOptions: { anthropic: { cacheControl: { type: "ephemeral" } } },
    };
    expect(mergeInstructions(marked, block)).toEqual([marked, { role: "system", content: block }]);
  });
  test("B5: it is never there twice", () => {
    const merged = mergeInstructions("A", block);
    expect(mergeInstructions(merged, block)).toBe(merged);
    const two = [
      { role: "system" as const, content: "A" },
      { role: "system" as const, content: block },
    ];
    expect(mergeInstructions(two, block)).toBe(two);
  });

  test("V1: it is recalled once a run and reaches every step; a prepareStep that sets instructions keeps it", async () => {
    const { conversation } = testMemory();
    await conversation.remember("city", "Oslo");
    const model = scriptedModel(call(["c1", "weather", { city: "Oslo" }]), say("Sunny."));
    const run = await withMemory(conversation, {
      prompt: "How is it?",
      system: "Be brief.",
      prepareStep: ({ stepNumber }) => (stepNumber === 1 ? { instructions: "Now sum up." } : undefined),
    });
    await generateText({ model, tools, stopWhen: () => false, ...run });
    const systems = model.prompts().map(([first]) => String(first?.content));
    expect(systems[0]).toMatch(/^Be brief\.\n\n<memory>[\s\S]*city: Oslo/);
    expect(systems[1]).toMatch(/^Now sum up\.\n\n<memory>[\s\S]*city: Oslo/);
    expect(systems).toHaveLength(2);
  });

  test("B5: nothing of it is recorded", async () => {
    const { conversation } = testMemory();
    await conversation.remember("city", "Oslo");
    await generateText({ model: scriptedModel(say("Sunny.")), ...(await withMemory(conversation, { prompt: "Hi" })) });
    expect(JSON.stringify(await recorded(conversation))).not.toContain("memory>");
  });
});

describe("B9: an app that sends its whole history", () => {
  test("is not doubled", async () => {
    const { conversation } = testMemory();
    const history: ModelMessage[] = [];
    for (const [index, words] of ["One?", "Two?", "Three?"].entries()) {
      history.push(user(words));
      const script = [call([`c${index}`, "weather", { city: "Oslo" }]), say(`Answer ${index}.`)];
      const run = await withMemory(conversation, { messages: history });
      expect(run.messages).toHaveLength(history.length);
      const result = await generateText({ model: scriptedModel(...script), tools, stopWhen: () => false, ...run });
      history.push(...result.responseMessages);
    }
    const turns = await recorded(conversation);
    expect(turns.map(({ lines }) => lines.length)).toEqual([4, 4, 4]);
  });

  test("and asks again for the newest answer replaces it", async () => {
    const { conversation } = testMemory();
    await generateText({ model: scriptedModel(say("One.")), ...(await withMemory(conversation, { prompt: "Hi" })) });
    const first = await generateText({
      model: scriptedModel(say("Two.")),
      ...(await withMemory(conversation, { prompt: "Go on" })),
    });
    expect(first.text).toBe("Two.");
    const again = [user("Hi"), { role: "assistant", content: "One." } satisfies ModelMessage, user("Go on")];
    await generateText({
      model: scriptedModel(say("Three.")),
      ...(await withMemory(conversation, { messages: again })),
    });
    const history = await conversation.history();
    expect(history.flatMap(({ parts }) => parts)).toMatchObject([
      { text: "Hi" },
      { text: "One." },
      { text: "Go on" },
      { text: "Three." },
    ]);
  });

  test("reaches the model as the app wrote it where it is new", async () => {
    const { conversation } = testMemory();
    const bytes = new Uint8Array([137, 80, 78, 71]);
    const message: ModelMessage = {
      role: "user",
      content: [
        {
          type: "text",
          text: "What is this?",
          providerOptions: { anthropic: { cacheControl: { type: "ephemeral" } } },
        },
        { type: "file", data: bytes, mediaType: "image/png" },
      ],
    };
    const run = await withMemory(conversation, { messages: [message] });
    expect(run.messages[0]).toBe(message);
    await generateText({ model: scriptedModel(say("A picture.")), ...run });
    expect((await conversation.history())[0]?.parts[1]).toEqual({
      type: "file",
      mediaType: "image/png",
      data: "iVBORw==",
    });
  });
});

test("B1: a memory in the place of a conversation is an error that says what to give", async () => {
  const { memory } = testMemory();
  for (const given of [memory, undefined, "chat-1"]) {
    // What JavaScript lets through.
    const asked = withMemory(given as unknown as Parameters<typeof withMemory>[0], { prompt: "Hi" });
    await expect(asked).rejects.toMatchObject({ name: "MemoryError", code: "INVALID_ARGUMENT" });
  }
});

test("system messages among the app's own stay in front and are not recorded", async () => {
  const { conversation } = testMemory();
  await generateText({ model: scriptedModel(say("One.")), ...(await withMemory(conversation, { prompt: "Hi" })) });
  const run = await withMemory(conversation, { messages: [{ role: "system", content: "Be brief." }, user("Go on")] });
  expect(run.messages.map(({ role }) => role)).toEqual(["system", "user", "assistant", "user"]);
  await generateText({ model: scriptedModel(say("Two.")), allowSystemInMessages: true, ...run });
  expect(JSON.stringify(await recorded(conversation))).not.toContain("Be brief");
});

test("a system message that another framework stored goes into the instructions", async () => {
  const { conversation } = testMemory();
  await conversation.record({
    messages: [
      { role: "user", content: "Hi" },
      { role: "system", content: "The person is a guest." },
      { role: "assistant", content: "Hello." },
    ],
  });
  const model = scriptedModel(say("Sure."));
  await generateText({ model, ...(await withMemory(conversation, { prompt: "Go on", instructions: "Be kind." })) });
  expect(model.prompts()[0]?.[0]?.content).toBe("Be kind.\n\nThe person is a guest.");
});

test("W14: by default history is portable; with replay exact it is what the provider made", async () => {
  const store = inMemoryStore();
  const { conversation } = testMemory(store);
  const providerMetadata = { openai: { itemId: "rs_1" } };
  const script = {
    content: [
      { type: "reasoning" as const, text: "Hm.", providerMetadata },
      { type: "text" as const, text: "Sunny.", providerMetadata: { openai: { itemId: "msg_1" } } },
    ],
  };
  await streamText({
    model: scriptedModel(script),
    ...(await withMemory(conversation, { prompt: "Hi" })),
  }).consumeStream();
  const portable = await withMemory(conversation, { prompt: "Go on" });
  expect(portable.messages[1]).toEqual({ role: "assistant", content: "Sunny." });
  const exact = await withMemory(conversation, { prompt: "Go on", memory: { replay: "exact" } });
  expect(exact.messages[1]).toEqual({
    role: "assistant",
    content: [
      { type: "reasoning", text: "Hm.", providerOptions: providerMetadata },
      { type: "text", text: "Sunny.", providerOptions: { openai: { itemId: "msg_1" } } },
    ],
  });
});

test("sources and files of an answer are recorded", async () => {
  const { conversation } = testMemory();
  const model = scriptedModel({
    content: [
      { type: "source", sourceType: "url", id: "s1", url: "https://yr.no", title: "Yr" },
      { type: "file", mediaType: "image/png", data: { type: "data", data: "iVBORw0KGgo=" } },
      { type: "text", text: "Sunny." },
    ],
  });
  await generateText({ model, ...(await withMemory(conversation, { prompt: "Hi" })) });
  const { turns } = await conversation.transcript();
  expect(turns[0]?.messages[1]?.parts).toEqual([
    { type: "file", mediaType: "image/png", data: "iVBORw0KGgo=" },
    { type: "text", text: "Sunny." },
    { type: "source", id: "s1", url: "https://yr.no", title: "Yr" },
  ]);
});

test("steering messages are part of the turn", async () => {
  const { experimental_createSteering: createSteering } = await import("ai");
  const { conversation } = testMemory();
  const steering = createSteering();
  const model = scriptedModel(call(["c1", "weather", { city: "Oslo" }]), say("Sunny."));
  await generateText({
    model,
    tools,
    stopWhen: () => false,
    experimental_steering: steering,
    ...(await withMemory(conversation, {
      prompt: "How is Oslo?",
      onToolExecutionEnd: () => {
        steering.steer("In one word.");
      },
    })),
  });
  expect((await recorded(conversation))[0]?.lines).toEqual([
    "user: How is Oslo?",
    "assistant: weather#c1",
    'tool: #c1="sunny in Oslo"',
    "user: In one word.",
    "assistant: Sunny.",
  ]);
});
