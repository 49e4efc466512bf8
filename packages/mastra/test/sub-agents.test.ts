import { RequestContext } from "@mastra/core/request-context";
import { describe, expect, test } from "vitest";
import { ThroughlineMemory, withMemory } from "../src/index.ts";
import { quietAgent } from "./support/agents.ts";
import { call, say, scriptedModel } from "./support/scripted-model.ts";
import { recorded, testMemory } from "./support/test-memory.ts";

const owner = { memory: { thread: "chat", resource: "ada" } };
const toolResult = expect.stringMatching(/^tool: #c1=\{"text":"Ben says yes\."/);

describe("B2: an agent that another one asks", () => {
  test.each(["generate", "stream"] as const)(
    "%s: is a tool's work in the one turn, and reads what is known",
    async (mode) => {
      const { memory, conversation } = testMemory();
      await conversation.remember("name", "Ada");
      const inner = scriptedModel(say("Ben says yes."));
      const ben = quietAgent(
        withMemory(
          memory,
          { id: "ben", name: "Ben", description: "Knows.", instructions: "You are Ben.", model: inner },
          { tools: false },
        ),
      );
      const model = scriptedModel(call(["c1", "agent-ben", { prompt: "Well?" }]), say("He says yes."));
      const agent = quietAgent(
        withMemory(
          memory,
          { id: "ann", name: "Ann", instructions: "Be brief.", model, agents: { ben } },
          { tools: false },
        ),
      );
      const requestContext = new RequestContext([
        ["conversation", "chat"],
        ["userId", "ada"],
      ] as never);
      const result = await agent[mode]("Ask Ben.", { ...owner, requestContext });
      if ("consumeStream" in result) await result.consumeStream();
      expect(await recorded(conversation)).toEqual([
        {
          status: "completed",
          lines: ["user: Ask Ben.", "assistant: agent-ben#c1", toolResult, "assistant: He says yes."],
        },
      ]);
      expect((await memory.conversations()).items).toHaveLength(1);
      expect(JSON.stringify(inner.prompts()[0]).split("<memory>")).toHaveLength(2);
      expect(JSON.stringify(inner.prompts()[0])).toContain("Ada");
      // What the agents say to each other is not the person's history.
      await agent.generate("Thanks.", owner).catch(() => {});
      expect(JSON.stringify(model.prompts().at(-1))).not.toContain('Well?"}]');
    },
  );

  test("that has another memory keeps to that one", async () => {
    const [mine, its] = [testMemory(), testMemory()];
    const inner = scriptedModel(say("Ben says yes."));
    const config = { id: "ben", name: "Ben", description: "Knows.", instructions: "You are Ben.", model: inner };
    const ben = quietAgent(withMemory(its.memory, config, { tools: false }));
    const model = scriptedModel(call(["c1", "agent-ben", { prompt: "Well?" }]), say("He says yes."));
    const given = { id: "ann", name: "Ann", instructions: "Be brief.", model, agents: { ben } };
    await quietAgent(withMemory(mine.memory, given, { tools: false })).generate("Ask Ben.", owner);
    expect(await recorded(mine.conversation)).toHaveLength(1);
    const { items } = await its.memory.conversations();
    const [own] = items.filter(({ turns }) => turns > 0);
    expect(await recorded(its.memory.conversation({ id: own?.id ?? "" }))).toEqual([
      { status: "completed", lines: ["user: Well?", "assistant: Ben says yes."] },
    ]);
  });

  test("one after the other in one context are two runs", async () => {
    const { memory, conversation } = testMemory();
    const make = (id: string) =>
      quietAgent(
        withMemory(
          memory,
          { id, name: id, instructions: "Be brief.", model: scriptedModel(say(`${id} here.`)) },
          { tools: false },
        ),
      );
    const requestContext = new RequestContext();
    await make("ann").generate("First", { ...owner, requestContext });
    await make("bo").generate("Second", { ...owner, requestContext });
    expect(await recorded(conversation)).toHaveLength(2);
  });

  test("R2: with the memory class it has a thread of its own, once", async () => {
    const { memory, conversation } = testMemory();
    const ben = quietAgent({
      id: "ben",
      name: "Ben",
      description: "Knows.",
      instructions: "You are Ben.",
      model: scriptedModel(say("Ben says yes.")),
    });
    const model = scriptedModel(call(["c1", "agent-ben", { prompt: "Well?" }]), say("He says yes."));
    const agent = quietAgent({
      id: "ann",
      name: "Ann",
      instructions: "Be brief.",
      model,
      agents: { ben },
      memory: new ThroughlineMemory(memory, { tools: false }),
    });
    await agent.generate("Ask Ben.", owner);
    expect(await recorded(conversation)).toEqual([
      {
        status: "completed",
        lines: ["user: Ask Ben.", "assistant: agent-ben#c1", toolResult, "assistant: He says yes."],
      },
    ]);
    const { items } = await memory.conversations();
    const own = items.find(({ id }) => id !== "chat");
    expect(own?.subject).toBe("ada-ben");
    expect(await recorded(memory.conversation({ id: own?.id ?? "" }))).toEqual([
      { status: "completed", lines: ["user: Well?", "assistant: Ben says yes."] },
    ]);
  });

  test("R2: a network of agents is one turn of its thread", async () => {
    const { memory, conversation } = testMemory();
    const ben = quietAgent({
      id: "ben",
      name: "Ben",
      description: "Knows.",
      instructions: "You are Ben.",
      model: scriptedModel(say("Ben says yes.")),
    });
    const json = (value: object) => say(JSON.stringify(value));
    const route = { primitiveId: "ben", primitiveType: "agent", prompt: "Well?", selectionReason: "He knows." };
    const done = { isComplete: true, completionReason: "Answered.", finalResult: "Ben says yes, all in all." };
    const model = scriptedModel(json(route), json(done), json(done));
    const agent = quietAgent({
      id: "ann",
      name: "Ann",
      instructions: "Be brief.",
      model,
      agents: { ben },
      memory: new ThroughlineMemory(memory, { tools: false }),
    });
    const stream = await agent.network("Ask Ben.", { ...owner, maxSteps: 1 });
    for await (const _ of stream);
    const turns = await recorded(conversation);
    expect(turns).toHaveLength(1);
    expect(turns[0]?.lines[0]).toBe("user: Ask Ben.");
    expect(turns[0]?.lines.length).toBeGreaterThan(1);
  });
});
