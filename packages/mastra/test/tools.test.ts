import { describe, expect, test } from "vitest";
import { memoryTools, withMemory } from "../src/index.ts";
import { quietAgent, weather } from "./support/agents.ts";
import { call, say, scriptedModel } from "./support/scripted-model.ts";
import { recorded, testMemory } from "./support/test-memory.ts";

const owner = { memory: { thread: "chat", resource: "ada" } };

describe("R4/O1: memoryTools", () => {
  test("R4/O1: gives all tools, some, or all but some", () => {
    const { memory, conversation } = testMemory();
    const names = Object.keys(memoryTools(memory));
    expect(names).toEqual(
      expect.arrayContaining(["memory_remember", "memory_recall", "memory_forget", "memory_search"]),
    );
    expect(Object.keys(memoryTools(conversation, { only: ["memory_recall"] }))).toEqual(["memory_recall"]);
    expect(Object.keys(memoryTools(memory, { except: ["memory_recall"] }))).not.toContain("memory_recall");
  });

  test("R4: withMemory brings them, beside the app's own, and a fact names the turn and whose words it rests on", async () => {
    const { memory, conversation } = testMemory();
    const remember = { key: "city", value: "Oslo", quote: "My city is Oslo" };
    const model = scriptedModel(
      call(["c1", "memory_remember", remember], ["c2", "weather", { city: "Oslo" }]),
      say("Noted."),
    );
    const agent = quietAgent(
      withMemory(memory, { id: "ann", name: "Ann", instructions: "Be brief.", model, tools: { weather } }),
    );
    await agent.generate("My city is Oslo.", owner);
    const [turn] = (await conversation.transcript()).turns;
    const [fact] = await memory.subject("ada").facts();
    expect(fact).toMatchObject({
      key: "city",
      value: "Oslo",
      origin: "user",
      source: { conversation: "chat", turn: turn?.id },
    });
    expect((await recorded(conversation))[0]?.lines.at(-1)).toBe("assistant: Noted.");
  });

  test("R4: an agent without memory reaches the conversation that its run names, and no input names another", async () => {
    const { memory } = testMemory();
    const steps = [
      call(["c1", "memory_remember", { key: "city", value: "Oslo", subject: "eve", conversation: "hers" }]),
      say("Noted."),
    ];
    const agent = quietAgent({
      id: "ann",
      name: "Ann",
      instructions: "Be brief.",
      model: scriptedModel(...steps),
      tools: memoryTools(memory),
    });
    await agent.generate("My city is Oslo.", owner);
    expect(await memory.subject("ada").facts()).toMatchObject([{ key: "city", value: "Oslo" }]);
    expect(await memory.subject("eve").facts()).toEqual([]);
  });

  test("O2: answers in words where nothing names a conversation, and tells the app", async () => {
    const { memory } = testMemory();
    const codes: string[] = [];
    const own = memoryTools(memory, { onError: ({ code }) => codes.push(code) });
    const model = scriptedModel(call(["c1", "memory_recall", { key: "city" }]), say("I can't."));
    const agent = quietAgent({ id: "ann", name: "Ann", instructions: "Be brief.", model, tools: own });
    const { toolResults } = await agent.generate("Which city?");
    expect(toolResults[0]?.payload.result).toMatch(/not available/);
    expect(codes).toEqual(["INVALID_ARGUMENT"]);
  });
});
