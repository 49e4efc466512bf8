import { Mastra } from "@mastra/core";
import { Agent, type MastraDBMessage } from "@mastra/core/agent";
import type { MastraMemory } from "@mastra/core/memory";
import { RequestContext } from "@mastra/core/request-context";
import { createTool } from "@mastra/core/tools";
import { createStep, createWorkflow } from "@mastra/core/workflows";
import { type AgentRunner, createMemory, inMemoryStore } from "@throughline/core";
import { expectTypeOf, test } from "vitest";
import { z } from "zod";
import {
  agentRunner,
  fromRows,
  memorySteps,
  memoryTools,
  ThroughlineMemory,
  toRows,
  withMemory,
} from "../src/index.ts";
import { scriptedModel } from "./support/scripted-model.ts";

const memory = createMemory({ agent: "guide", store: inMemoryStore() });
const conversation = memory.conversation({ id: "c" });
const model = scriptedModel();
const weather = createTool({
  id: "weather",
  description: "The weather.",
  inputSchema: z.object({ city: z.string() }),
  execute: async ({ city }) => city,
});

test("B6: the host's own objects fit without a cast, and its types come back", async () => {
  const agent = new Agent(
    withMemory(
      memory,
      {
        id: "guide",
        name: "Guide",
        instructions: ({ requestContext }) => `Be ${String(requestContext.get("tone"))}.`,
        model,
        tools: { weather },
        inputProcessors: [{ id: "own", processInput: ({ messages }) => messages }],
      },
      { identify: ({ threadId = "" }) => ({ id: threadId }), tools: { except: ["memory_forget"] } },
    ),
  );
  const { object } = await agent.generate("Where?", { structuredOutput: { schema: z.object({ city: z.string() }) } });
  expectTypeOf(object.city).toEqualTypeOf<string>();
  new Mastra({ agents: { agent } });
  new Agent(
    withMemory(conversation, {
      id: "a",
      name: "A",
      instructions: "",
      model: "openai/gpt-5",
      tools: async () => ({ weather }),
    }),
  );

  const host: MastraMemory = new ThroughlineMemory(memory, { replay: "exact" });
  const second = new Agent({ id: "b", name: "B", instructions: "", model, memory: host, tools: memoryTools(memory) });
  expectTypeOf(agentRunner(agent)).toEqualTypeOf<AgentRunner>();
  agentRunner(second, { maxSteps: 3, requestContext: () => new RequestContext() });

  const { loadMemory, saveMemory, recalled } = memorySteps(memory);
  const answer = createStep({
    id: "answer",
    inputSchema: loadMemory.outputSchema,
    outputSchema: z.object({ text: z.string() }),
    execute: async (run) => {
      const { system, messages } = await recalled(run);
      expectTypeOf(run.inputData).toEqualTypeOf<{ prompt: string; turn: string }>();
      const { text } = await second.generate([...messages, run.inputData.prompt], { system });
      return { text };
    },
  });
  createWorkflow({ id: "w", inputSchema: z.object({ prompt: z.string() }), outputSchema: saveMemory.outputSchema })
    .then(loadMemory)
    .then(answer)
    .then(saveMemory)
    .commit();

  const rows: MastraDBMessage[] = toRows(await conversation.history());
  fromRows(rows);

  // @ts-expect-error the memory comes first
  withMemory({ id: "a", name: "A", instructions: "", model }, memory);
  // @ts-expect-error there is no such tool
  memoryTools(memory, { only: ["memory_guess"] });
});
