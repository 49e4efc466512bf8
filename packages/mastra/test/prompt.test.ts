import { InMemoryStore } from "@mastra/core/storage";
import { createTool } from "@mastra/core/tools";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { withMemory } from "../src/index.ts";
import { quietAgent, tools } from "./support/agents.ts";
import { call, type ScriptedStep, say, scriptedModel } from "./support/scripted-model.ts";
import { recorded, testMemory } from "./support/test-memory.ts";

const owner = { memory: { thread: "chat", resource: "ada" } };

/** An agent with memory that plays its steps. */
function setUp(steps: ScriptedStep[], config: object = {}, settings: object = { tools: false }) {
  const world = testMemory();
  const model = scriptedModel(...steps);
  const storage = new InMemoryStore();
  const given = { id: "ann", name: "Ann", instructions: "Be brief.", model, tools: tools(), ...config };
  const make = () => quietAgent(withMemory(world.memory, given, settings), storage);
  return { ...world, model, storage, make, agent: make() };
}

/** Each message of a prompt as one short line. */
const shown = (model: ReturnType<typeof scriptedModel>, at = -1): string[] =>
  (model.prompts().at(at) ?? []).map(({ role, content }) =>
    typeof content === "string"
      ? `${role}: ${content}`
      : `${role}: ${content.map((part) => ("text" in part ? part.text : part.type)).join(" ")}`,
  );

describe("R1: what the model is shown", () => {
  test("W14: a turn that waited while another ended stands where it ended, whole", async () => {
    const { agent, model, conversation } = setUp([say("Indeed.")]);
    const at = (minute: number) => `2026-03-01T09:0${minute}:00.000Z`;
    await conversation.record({
      messages: [
        { role: "user", content: "How is it?", createdAt: at(2) },
        { role: "assistant", content: "Sunny.", createdAt: at(3) },
      ],
    });
    await conversation.record({
      messages: [
        { role: "user", content: "Book it.", createdAt: at(1) },
        { role: "assistant", content: "Booked.", createdAt: at(5) },
      ],
    });
    await agent.generate("Good.", owner);
    expect(shown(model).filter((line) => !line.startsWith("system"))).toEqual([
      "user: How is it?",
      "assistant: Sunny.",
      "user: Book it.",
      "assistant: Booked.",
      "user: Good.",
    ]);
  });

  test("W9: a large result of an earlier run is shown as a preview, and kept as an artifact", async () => {
    const large = createTool({
      id: "large",
      description: "Says much.",
      inputSchema: z.object({}),
      execute: async () => "word ".repeat(8_000),
    });
    const steps = [call(["c1", "large", {}]), say("Much."), say("Yes.")];
    const { agent, model, conversation } = setUp(steps, { tools: { large } }, {});
    await agent.generate("Say much.", owner);
    await agent.generate("Really?", owner);
    const [turn] = await recorded(conversation);
    const id = turn?.lines[2]?.match(/art_\w+/)?.[0] ?? "none";
    expect((await conversation.artifact(id).page(1)).text).toContain("word word");
    const results = (model.prompts().at(-1) ?? []).filter(({ role }) => role === "tool");
    expect(results).toHaveLength(1);
    expect(JSON.stringify(results)).toContain(id);
    expect(JSON.stringify(results).length).toBeLessThan(10_000);
  });

  test("R1: is the stored history before what is new, and what is known among the system messages", async () => {
    const { agent, model, conversation } = setUp([
      call(["c1", "weather", { city: "Oslo" }]),
      say("Sunny."),
      say("Ada."),
    ]);
    await conversation.remember("name", "Ada");
    await agent.generate("How is Oslo?", owner);
    await agent.generate("Who am I?", owner);
    const [instructions, block, ...rest] = shown(model);
    expect(instructions).toBe("system: Be brief.");
    expect(block).toMatch(/^system: <memory>[\s\S]*Ada[\s\S]*<\/memory>$/);
    expect(rest).toEqual([
      "user: How is Oslo?",
      "assistant: tool-call",
      "tool: tool-result",
      "assistant: Sunny.",
      "user: Who am I?",
    ]);
    expect(await recorded(conversation)).toHaveLength(2);
  });

  test("has the block once in each step", async () => {
    const { agent, model, conversation } = setUp([call(["c1", "weather", { city: "Oslo" }]), say("Sunny.")]);
    await conversation.remember("name", "Ada");
    await agent.generate("How is Oslo?", owner);
    expect(model.prompts()).toHaveLength(2);
    for (const prompt of model.prompts()) {
      expect(prompt.filter(({ content }) => typeof content === "string" && content.includes("<memory>"))).toHaveLength(
        1,
      );
    }
  });

  test("B5: nothing of the block is in what Mastra keeps of a run that waits, nor in the record", async () => {
    const { agent, make, model, storage, conversation } = setUp([call(["c2", "danger", {}]), say("Did it.")]);
    await conversation.remember("name", "Ada Lovelace");
    const { runId = "" } = await agent.generate("Do it.", owner);
    const workflows = await storage.getStore("workflows");
    const { runs = [] } = { ...(await workflows?.listWorkflowRuns()) };
    expect(JSON.stringify(runs)).toContain("Do it.");
    expect(JSON.stringify(runs)).not.toContain("Lovelace");
    await make().approveToolCallGenerate({ runId, toolCallId: "c2", ...owner });
    expect(shown(model)[1]).toContain("Lovelace");
    expect(JSON.stringify(await conversation.transcript())).not.toContain("Lovelace");
  });

  test("the app's processors see the history, and what they put among the system messages stays", async () => {
    const seen: string[][] = [];
    const app = {
      id: "app",
      processInput: ({ messages, systemMessages }: { messages: { role: string }[]; systemMessages: object[] }) => {
        seen.push(messages.map(({ role }) => role));
        return { messages, systemMessages: [...systemMessages, { role: "system", content: "From the app." }] };
      },
    };
    const { agent, model, conversation } = setUp([say("One."), say("Two.")], { inputProcessors: async () => [app] });
    await conversation.remember("name", "Ada");
    await agent.generate("First", owner);
    await agent.generate("Second", owner);
    expect(seen).toEqual([["user"], ["user", "assistant", "user"]]);
    expect(shown(model).slice(0, 2)).toEqual(["system: Be brief.", "system: From the app."]);
    expect(shown(model)[2]).toContain("<memory>");
  });

  test("what the call gives as context or system is shown and not recorded", async () => {
    const { agent, model, conversation } = setUp([say("Yes.")]);
    await agent.generate("Well?", { ...owner, system: "Be kind.", context: [{ role: "user", content: "(context)" }] });
    expect(shown(model).join("\n")).toContain("(context)");
    expect(await recorded(conversation)).toEqual([{ status: "completed", lines: ["user: Well?", "assistant: Yes."] }]);
  });

  test("is portable by default, and exact on demand", async () => {
    const thinking: ScriptedStep = {
      content: [
        { type: "reasoning", text: "hm", providerMetadata: { mock: { signature: "s" } } },
        { type: "text", text: "Yes." },
      ],
      finish: "stop",
    };
    const plain = setUp([thinking, say("No.")]);
    await plain.agent.generate("Well?", owner);
    await plain.agent.generate("And?", owner);
    expect(shown(plain.model)).toContain("assistant: Yes.");
    const exact = setUp([thinking, say("No.")], {}, { tools: false, replay: "exact" });
    await exact.agent.generate("Well?", owner);
    await exact.agent.generate("And?", owner);
    expect(shown(exact.model)).toContain("assistant: hm Yes.");
  });

  test("a clock that ran ahead doesn't put the past behind the question", async () => {
    const { agent, model, conversation } = setUp([say("Two.")]);
    const createdAt = "2999-01-01T00:00:00.000Z";
    await conversation.record({
      messages: [
        { role: "user", content: "First", createdAt },
        { role: "assistant", content: "One.", createdAt },
      ],
    });
    await agent.generate("Second", owner);
    expect(shown(model).slice(-3)).toEqual(["user: First", "assistant: One.", "user: Second"]);
  });

  test("B4: files of a person come back, and what another framework wrote is shown as far as Mastra has a form", async () => {
    const { agent, model, conversation } = setUp([say("A dot."), say("Again.")]);
    const image = "iVBORw0KGgo=";
    await agent.generate(
      [
        {
          role: "user",
          content: [
            { type: "text", text: "What is it?" },
            { type: "file", data: image, mimeType: "image/png" },
          ] as never,
        },
      ],
      owner,
    );
    await conversation.record({
      messages: [
        { role: "user", content: "And now?" },
        { role: "assistant", parts: [{ type: "tool-call", callId: "x", tool: "look", input: {} }] },
        {
          role: "tool",
          parts: [
            {
              type: "tool-result",
              callId: "x",
              tool: "look",
              output: [
                { type: "text", text: "a square" },
                { type: "file", mediaType: "image/png", data: image },
              ],
              outputIs: "parts",
            },
          ],
        },
        { role: "assistant", content: "A square." },
      ],
    });
    await agent.generate("Again?", owner);
    const prompt = model.prompts().at(-1) ?? [];
    const parts = prompt.flatMap(({ content }) => (typeof content === "string" ? [] : [...content]));
    expect(parts.find(({ type }) => type === "file")).toMatchObject({ mediaType: "image/png" });
    const result = parts.find(({ type }) => type === "tool-result");
    expect(JSON.stringify(result)).toContain("a square");
    expect(JSON.stringify(result)).toContain(image);
  });
});
