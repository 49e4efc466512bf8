import { createMemory, inMemoryStore } from "@throughline/core";
import { generateText, isStepCount } from "ai";
import { describe, expect, test } from "vitest";
import { call, say, scriptedModel } from "../test/scripted-model.ts";
import { memoryTools, withMemory } from "./index.ts";

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
    expect(second.steps[0]?.toolResults[0]?.output).toBe("Oslo");
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
