import { type Agent, RunState, tool } from "@openai/agents";
import { createMemory, inMemoryStore, type MemoryEvent, type MemoryOptions } from "@throughline/core";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { memoryTools, runWithMemory } from "../src/index.ts";
import { call, quietRunner, say, scriptedAgent } from "./scripted.ts";
import { recorded } from "./test-memory.ts";

const page = (chars: number) =>
  tool({
    name: "page",
    description: "A page of the book.",
    parameters: z.object({ n: z.number() }),
    execute: ({ n }) => `page ${n}: ${"words ".repeat(chars / 6)}`,
  });
const runner = quietRunner();

function setUp(options: Partial<MemoryOptions> = {}) {
  const events: MemoryEvent[] = [];
  const onEvent = (event: MemoryEvent) => void events.push(event);
  const memory = createMemory({ agent: "guide", store: inMemoryStore(), env: {}, onEvent, ...options });
  return { events, conversation: memory.conversation({ id: "chat", subject: "ada" }) };
}

describe.each(["run", "streamed"] as const)("a long loop, %s", (mode) => {
  const play = async (conversation: Parameters<typeof runWithMemory>[0], agent: Agent, input: string) => {
    if (mode === "run") return runWithMemory(conversation, agent, input, { runner, maxTurns: 20 });
    const result = await runWithMemory(conversation, agent, input, { runner, maxTurns: 20, stream: true });
    await result.completed;
    return result;
  };

  test("W8: is compacted inside the loop; the record is whole and the pairs stay", async () => {
    const { conversation, events } = setUp({ contextWindow: 6_000 });
    const steps = Array.from({ length: 10 }, (_, n) => call([`c${n}`, "page", { n }]));
    const { agent, model } = scriptedAgent([...steps, say("Read.")], { tools: [page(3_000)] });
    const result = await play(conversation, agent, "Read ten pages.");
    expect(result.finalOutput).toBe("Read.");
    expect(events.filter(({ type }) => type === "memory.compacted").length).toBeGreaterThan(0);
    const last = JSON.stringify(model.lastCall?.request.input);
    expect(last.length).toBeLessThan(20_000);
    expect(last).toContain("Read ten pages.");
    expect(last).toContain("left out to save room");
    expect(last.match(/"function_call_result"/g)?.length).toBe(last.match(/"function_call"/g)?.length);
    const [turn] = await recorded(conversation);
    expect(turn?.lines).toHaveLength(22);
    expect(turn?.lines.filter((line) => line.includes("words words"))).toHaveLength(10);
    // The host's own result is whole.
    expect(JSON.stringify(result.history)).not.toContain("left out to save room");
  });

  test("W10: a prompt that can't be brought under the budget ends the run before the model is called", async () => {
    const { conversation } = setUp({ contextWindow: 2_000 });
    const { agent, model } = scriptedAgent([say("Never.")]);
    await expect(play(conversation, agent, "word ".repeat(4_000))).rejects.toMatchObject({ code: "CONTEXT_OVERFLOW" });
    expect(model.calls).toEqual([]);
    expect(await recorded(conversation)).toMatchObject([{ status: "failed" }]);
  });

  test.each([true, false])("W9: a large result is shown short; the artifact tools are there: %s", async (hasTools) => {
    const { conversation } = setUp();
    const tools = [page(60_000), ...(hasTools ? memoryTools(conversation) : [])] as Agent["tools"];
    const { agent, model } = scriptedAgent([call(["c1", "page", { n: 1 }]), say("Long."), say("Thanks.")], { tools });
    const result = await play(conversation, agent, "Read it.");
    const shown = JSON.stringify(model.lastCall?.request.input);
    expect(shown.length).toBeLessThan(12_000);
    expect(shown.includes("get_artifact")).toBe(hasTools);
    const [turn] = await recorded(conversation);
    expect(turn?.lines.join("\n").length).toBeLessThan(12_000);
    // The app has the whole result, and so has an app that resends it.
    expect(JSON.stringify(result.history).length).toBeGreaterThan(60_000);
    if (hasTools) {
      const id = /art_[a-z0-9_]+/i.exec(shown)?.[0] ?? "";
      expect((await conversation.artifact(id).page(1)).text).toContain("page 1: words");
    }
    await runWithMemory(conversation, agent, [...result.history, { role: "user", content: "Thanks" }], { runner });
    expect((await recorded(conversation)).map(({ lines }) => lines.length)).toEqual([4, 2]);
  });

  test("W9/OA5: a state with the whole result in it goes on with its turn, where the result is short", async () => {
    const { conversation } = setUp();
    const send = tool({
      name: "send",
      description: "",
      parameters: z.object({}),
      needsApproval: true,
      execute: () => "sent",
    });
    const steps = [call(["c1", "page", { n: 1 }]), call(["c2", "send", {}]), say("Sent.")];
    const { agent, model } = scriptedAgent(steps, { tools: [page(60_000), send] });
    const { state } = await play(conversation, agent, "Read and send it.");
    const resumed = await RunState.fromString(agent, state.toString());
    for (const asked of resumed.getInterruptions()) resumed.approve(asked);
    const result = await runWithMemory(conversation, agent, resumed, { runner });
    expect(result.finalOutput).toBe("Sent.");
    expect(JSON.stringify(model.lastCall?.request.input).length).toBeLessThan(12_000);
    const turns = await recorded(conversation);
    expect(turns.map(({ status, lines }) => [status, lines.length])).toEqual([["completed", 7]]);
    expect(turns[0]?.lines.join("\n").length).toBeLessThan(12_000);
  });

  test("W9: so does a large result that the app brings", async () => {
    const { conversation } = setUp();
    const { agent } = scriptedAgent([say("Read.")]);
    const text = "words ".repeat(10_000);
    await runWithMemory(
      conversation,
      agent,
      [
        { role: "user", content: "Read it." },
        { type: "function_call", callId: "c1", name: "page", arguments: "{}" },
        {
          type: "function_call_result",
          callId: "c1",
          name: "page",
          status: "completed",
          output: { type: "text", text },
        },
      ],
      { runner },
    );
    const turns = await recorded(conversation);
    expect(turns.map(({ lines }) => lines.length)).toEqual([4]);
    expect(turns[0]?.lines.join("\n").length).toBeLessThan(12_000);
  });
});
