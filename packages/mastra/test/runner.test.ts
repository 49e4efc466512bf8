import { InMemoryStore } from "@mastra/core/storage";
import type { AgentEvent, AgentRunner, Conversation, MessageInput } from "@throughline/core";
import { describe, expect, test, vi } from "vitest";
import { agentRunner, ThroughlineMemory, withMemory } from "../src/index.ts";
import { quietAgent, tools } from "./support/agents.ts";
import { call, type ScriptedStep, say, scriptedModel } from "./support/scripted-model.ts";
import { recorded, testMemory } from "./support/test-memory.ts";

async function eventsOf(
  runner: AgentRunner,
  conversation: Conversation,
  messages: MessageInput[],
  onEvent: (event: AgentEvent, controller: AbortController) => void = () => {},
): Promise<AgentEvent[]> {
  const controller = new AbortController();
  const events: AgentEvent[] = [];
  for await (const event of runner({ messages, conversation, signal: controller.signal })) {
    events.push(event);
    onEvent(event, controller);
  }
  return events;
}

const question: MessageInput[] = [{ role: "user", content: "Oslo?" }];
const oslo = call(["c1", "weather", { city: "Oslo" }]);

const KINDS = ["an agent without memory", "withMemory", "ThroughlineMemory"] as const;

function setUp(kind: (typeof KINDS)[number], ...steps: ScriptedStep[]) {
  const world = testMemory();
  const model = scriptedModel(...steps);
  const config = { id: "ann", name: "Ann", instructions: "Be brief.", model, tools: tools() };
  const storage = new InMemoryStore();
  const made = {
    "an agent without memory": () => config,
    withMemory: () => withMemory(world.memory, config),
    ThroughlineMemory: () => ({ ...config, memory: new ThroughlineMemory(world.memory) }),
  };
  const runner = () => agentRunner(quietAgent(made[kind](), storage));
  return { ...world, model, runner };
}

describe.each(KINDS)("N2: %s is served as a runner", (kind) => {
  test("N2: tells of its calls, their results and its answer word by word, and leaves one turn", async () => {
    const { runner, conversation } = setUp(kind, oslo, say("It is sunny."));
    expect(await eventsOf(runner(), conversation, question)).toEqual([
      { type: "tool_call", callId: "c1", tool: "weather", input: { city: "Oslo" } },
      { type: "tool_result", callId: "c1", tool: "weather", output: "sunny in Oslo" },
      { type: "delta", text: "It " },
      { type: "delta", text: "is " },
      { type: "delta", text: "sunny." },
      { type: "done", text: "It is sunny." },
    ]);
    expect(await recorded(conversation)).toEqual([
      {
        status: "completed",
        lines: ["user: Oslo?", "assistant: weather#c1", 'tool: #c1="sunny in Oslo"', "assistant: It is sunny."],
      },
    ]);
  });

  test("knows what the conversation held before", async () => {
    const { runner, conversation, model } = setUp(kind, say("Sunny."), say("Windy."));
    await conversation.remember("name", "Ada");
    await eventsOf(runner(), conversation, question);
    await eventsOf(runner(), conversation, [{ role: "user", content: "And Voss?" }]);
    const shown = JSON.stringify(model.prompts().at(-1));
    expect(shown).toContain("Ada");
    expect(shown).toContain("Sunny.");
    expect(await recorded(conversation)).toHaveLength(2);
  });

  test("waits for a person, and goes on with the answer in another process", async () => {
    const { runner, conversation } = setUp(kind, call(["c1", "danger", {}], ["c2", "danger", {}]), say("Did both."));
    expect((await eventsOf(runner(), conversation, question)).at(-1)).toEqual({ type: "done", text: "" });
    expect((await recorded(conversation))[0]?.status).toBe("paused");
    const answer = ["c1", "c2"].map((callId) => ({ type: "approval" as const, callId, state: "approved" as const }));
    const events = await eventsOf(runner(), conversation, [{ role: "tool", parts: answer }]);
    expect(events.at(-1)).toEqual({ type: "done", text: "Did both." });
    const [turn, ...others] = await recorded(conversation);
    expect(others).toEqual([]);
    expect(turn?.status).toBe("completed");
    expect(turn?.lines.filter((line) => line.startsWith("tool"))).toEqual(
      expect.arrayContaining(["tool: approved#c1", 'tool: #c1="done"', "tool: approved#c2", 'tool: #c2="done"']),
    );
  });

  test("goes on with what a tool asked for, and without what a person declines", async () => {
    const { runner, conversation } = setUp(
      kind,
      call(["c1", "ask", {}]),
      say("Red."),
      call(["c2", "danger", {}]),
      say("Then not."),
    );
    await eventsOf(runner(), conversation, question);
    const result = { type: "tool-result" as const, callId: "c1", tool: "ask", output: { answer: "red" } };
    expect((await eventsOf(runner(), conversation, [{ role: "tool", parts: [result] }])).at(-1)).toEqual({
      type: "done",
      text: "Red.",
    });
    await eventsOf(runner(), conversation, [{ role: "user", content: "Do it." }]);
    const denied = { type: "approval" as const, callId: "c2", state: "denied" as const };
    const events = await eventsOf(runner(), conversation, [{ role: "tool", parts: [denied] }]);
    expect(events.at(-1)).toEqual({ type: "done", text: "Then not." });
    const turns = await recorded(conversation);
    expect(turns.map(({ status }) => status)).toEqual(["completed", "completed"]);
    expect(turns[0]?.lines).toContain('tool: #c1="red"');
    expect(turns[1]?.lines).toContain("tool: denied#c2");
  });

  test("tells of a failure, and records what there was", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const { runner, conversation } = setUp(kind, oslo, { throws: new Error("the model is down") });
    const events = await eventsOf(runner(), conversation, question);
    expect(events.at(-1)).toMatchObject({ type: "error", message: "the model is down" });
    expect(await recorded(conversation)).toEqual([
      { status: "failed", lines: ["user: Oslo?", "assistant: weather#c1", 'tool: #c1="sunny in Oslo"'] },
    ]);
  });

  test("is recorded as far as it came where it is stopped, and whole where its reader leaves", async () => {
    const stopped = setUp(kind, { content: [{ type: "text", text: "It is sunny." }], hangsAfter: 2 });
    await eventsOf(stopped.runner(), stopped.conversation, question, (event, controller) => {
      if (event.type === "delta" && event.text.startsWith("is")) controller.abort();
    });
    expect(await recorded(stopped.conversation)).toEqual([
      { status: "aborted", lines: ["user: Oslo?", "assistant: It is "] },
    ]);

    const left = setUp(kind, oslo, say("It is sunny."));
    const signal = new AbortController().signal;
    for await (const event of left.runner()({ messages: question, conversation: left.conversation, signal })) {
      if (event.type === "delta") break;
    }
    await vi.waitFor(async () =>
      expect((await recorded(left.conversation))[0]?.lines.at(-1)).toBe("assistant: It is sunny."),
    );
  });
});

test("N2: tells what the memory's tools did, and names errors of processors", async () => {
  const { runner, conversation } = setUp(
    "withMemory",
    call(["c1", "memory_remember", { key: "city", value: "Oslo" }]),
    call(["c2", "memory_recall", {}]),
    call(["c3", "memory_forget", { key: "city" }]),
    say("Done."),
  );
  const events = await eventsOf(runner(), conversation, question);
  expect(events.flatMap((event) => (event.type === "memory" ? [event.action] : []))).toEqual([
    "remembered",
    "recalled",
    "forgotten",
  ]);

  const blocked = quietAgent({
    id: "bo",
    name: "Bo",
    instructions: "",
    model: scriptedModel(say("Never.")),
    inputProcessors: [{ id: "guard", processInput: ({ abort }) => abort("not allowed") }],
  });
  const told = await eventsOf(agentRunner(blocked), testMemory().conversation, question);
  expect(told).toEqual([{ type: "error", code: "TRIPWIRE", message: "not allowed" }]);
});
