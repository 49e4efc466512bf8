import { tool } from "@openai/agents";
import type { AgentEvent, AgentRunner, Conversation, MessageInput } from "@throughline/core";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { agentRunner } from "../src/index.ts";
import { call, fail, quietRunner, say, scriptedAgent, weather, words } from "./scripted.ts";
import { recorded, testMemory } from "./test-memory.ts";

const { signal } = new AbortController();

async function events(
  run: AgentRunner,
  conversation: Conversation,
  ...messages: MessageInput[]
): Promise<AgentEvent[]> {
  const seen: AgentEvent[] = [];
  for await (const event of run({ messages, conversation, signal })) seen.push(event);
  return seen;
}

describe("N2: an agent as a server runs it", () => {
  test("tells of words, tools and the end, and leaves one turn", async () => {
    const { conversation } = testMemory();
    const { agent } = scriptedAgent([call(["c1", "weather", { city: "Oslo" }]), words("It is sunny.")]);
    const run = agentRunner(agent, { runner: quietRunner() });
    expect(await events(run, conversation, { role: "user", content: "How is Oslo?" })).toEqual([
      { type: "tool_call", callId: "c1", tool: "weather", input: { city: "Oslo" } },
      { type: "tool_result", callId: "c1", tool: "weather", output: "sunny in Oslo" },
      { type: "delta", text: "It " },
      { type: "delta", text: "is " },
      { type: "delta", text: "sunny." },
      { type: "done", text: "It is sunny." },
    ]);
    expect(await recorded(conversation)).toHaveLength(1);
  });

  test("a failure is an event, and a turn", async () => {
    const { conversation } = testMemory();
    const run = agentRunner(scriptedAgent([fail("no model")]).agent, { runner: quietRunner() });
    expect(await events(run, conversation, { role: "user", content: "Hi" })).toEqual([
      { type: "error", code: "Error", message: "no model" },
    ]);
    expect((await recorded(conversation)).map(({ status }) => status)).toEqual(["failed"]);
  });

  test("goes on with a run that waited, once a person has answered", async () => {
    const { conversation } = testMemory();
    const danger = tool({
      name: "danger",
      description: "",
      parameters: z.object({}),
      needsApproval: true,
      execute: () => "done",
    });
    const states = new Map<string, string>();
    const make = (steps: Parameters<typeof scriptedAgent>[0]) =>
      agentRunner(scriptedAgent(steps, { tools: [weather, danger] }).agent, {
        runner: quietRunner(),
        states: {
          load: async (id) => states.get(id) ?? null,
          save: async (id, state) => void (state === null ? states.delete(id) : states.set(id, state)),
        },
      });
    const first = await events(make([call(["c1", "danger", {}])]), conversation, { role: "user", content: "Go" });
    expect(first).toEqual([
      { type: "tool_call", callId: "c1", tool: "danger", input: {} },
      { type: "done", text: "" },
    ]);
    expect(states.size).toBe(1);
    const answer = {
      role: "tool" as const,
      parts: [{ type: "approval" as const, callId: "c1", state: "approved" as const }],
    };
    // Another process, with the states kept elsewhere.
    const second = await events(make([say("Did it.")]), conversation, answer);
    expect(second.at(-1)).toEqual({ type: "done", text: "Did it." });
    expect(await recorded(conversation)).toEqual([
      {
        status: "completed",
        lines: [
          "user: Go",
          "assistant(Ann): danger#c1 requested#c1",
          "tool: approved#c1",
          'tool: #c1="done"',
          "assistant(Ann): Did it.",
        ],
      },
    ]);
    expect(states.size).toBe(0);
  });
});
