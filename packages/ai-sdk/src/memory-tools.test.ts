import { createMemory, inMemoryStore } from "@throughline/core";
import { generateText, isStepCount } from "ai";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { call, say, scriptedModel } from "../test/scripted-model.ts";
import { memoryTools, memoryToolsContext, withMemory } from "./index.ts";

const testConversation = () => {
  const memory = createMemory({ agent: "guide", store: inMemoryStore(), env: {} });
  return memory.conversation({ id: "chat", subject: "ada" });
};
const execution = { toolCallId: "c1", messages: [], context: undefined };

describe("V4/O1: memoryTools", () => {
  test("gives all tools, some, or all but some", () => {
    const conversation = testConversation();
    const names = Object.keys(memoryTools(conversation));
    expect(names).toEqual(
      expect.arrayContaining(["memory_remember", "memory_recall", "memory_forget", "memory_search"]),
    );
    expect(Object.keys(memoryTools(conversation, { only: ["memory_recall"] }))).toEqual(["memory_recall"]);
    expect(Object.keys(memoryTools(conversation, { except: ["memory_recall"] }))).toEqual(
      names.filter((name) => name !== "memory_recall"),
    );
  });

  test("lets the model remember in one conversation and recall in another of the same person", async () => {
    const memory = createMemory({ agent: "guide", store: inMemoryStore(), env: {} });
    const play = async (id: string, ...steps: Parameters<typeof scriptedModel>) => {
      const conversation = memory.conversation({ id, subject: "ada" });
      const run = await withMemory(conversation, { prompt: "My city is Oslo." });
      const options = { model: scriptedModel(...steps), tools: memoryTools(conversation), stopWhen: isStepCount(4) };
      return generateText({ ...options, ...run });
    };
    const remember = { key: "city", value: "Oslo", quote: "My city is Oslo" };
    await play("one", call(["c1", "memory_remember", remember]), say("Noted."));
    const second = await play("two", call(["c1", "memory_recall", { key: "city" }]), say("Oslo."));
    expect(second.steps[0]?.toolResults[0]?.output).toContain("- city: Oslo\n");
    const [fact] = await memory.subject("ada").facts();
    expect(fact).toMatchObject({ key: "city", value: "Oslo", origin: "user", source: { conversation: "one" } });
  });

  test("F12: running the same call again changes nothing", async () => {
    const conversation = testConversation();
    const { memory_remember: remember } = memoryTools(conversation);
    await remember.execute({ value: "Likes tea" }, execution);
    await remember.execute({ value: "Likes tea" }, execution);
    expect((await conversation.recall({})).facts).toHaveLength(1);
  });

  test("O2: answers in words where the input is wrong, and never throws", async () => {
    const { memory_search: search, memory_forget: forget } = memoryTools(testConversation());
    await expect(search.execute({ query: 3 }, execution)).resolves.toMatch(/^Not done/);
    await expect(forget.execute({}, execution)).resolves.toMatch(/^Not done/);
    await expect(search.execute({ query: "tea" }, { ...execution, abortSignal: AbortSignal.abort() })).resolves.toEqual(
      expect.any(String),
    );
  });
});

describe("V4/G10: memoryTools of a memory", () => {
  const memory = createMemory({ agent: "guide", store: inMemoryStore(), env: {} });
  const tools = memoryTools(memory, { only: ["memory_remember", "memory_recall"] });
  const remember = call(["c1", "memory_remember", { key: "city", value: "Oslo" }]);

  test("one set serves many conversations: each call's toolsContext names its own", async () => {
    for (const subject of ["ada", "bob"]) {
      const ref = { id: `chat-${subject}`, subject };
      const run = await withMemory(memory.conversation(ref), { prompt: "I live in Oslo." });
      const model = scriptedModel(remember, say("Noted."));
      await generateText({ model, tools, toolsContext: memoryToolsContext(ref), stopWhen: isStepCount(3), ...run });
    }
    expect(await memory.subject("ada").facts()).toMatchObject([{ source: { conversation: "chat-ada" } }]);
    expect(await memory.subject("bob").facts()).toMatchObject([{ source: { conversation: "chat-bob" } }]);
  });

  test("a context that is missing is an error, not another person's memory", async () => {
    for (const toolsContext of [{} as never, memoryToolsContext()]) {
      const model = scriptedModel(remember, say("Noted."));
      const run = generateText({ model, tools, toolsContext, stopWhen: isStepCount(3), prompt: "Hi" });
      await expect(run).rejects.toThrow("context");
    }
    expect(await memory.subject("ada").facts()).toHaveLength(1);
  });

  test("no input of the model can name a person", () => {
    for (const { inputSchema } of Object.values(memoryTools(memory))) {
      expect(JSON.stringify(z.toJSONSchema(inputSchema as z.ZodType))).not.toMatch(
        /"(?:subject|login|tenant|conversation_id)"/,
      );
    }
  });
});
