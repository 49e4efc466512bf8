import { Mastra } from "@mastra/core";
import { Agent } from "@mastra/core/agent";
import { InMemoryStore } from "@mastra/core/storage";
import { createStep, createWorkflow } from "@mastra/core/workflows";
import type { Memory } from "@throughline/core";
import { memorySteps, withMemory } from "@throughline/mastra";
import { z } from "zod";
import { chooseModel } from "./model.ts";

/** A Mastra with an agent to talk to, and a workflow that books, both with the same memory. */
export function concierge(memory: Memory) {
  const instructions = "You are a concierge. Remember what the person tells you of themselves.";
  const model = chooseModel();

  // An agent with memory: history, facts, tools, and one turn a run.
  const guide = new Agent(withMemory(memory, { id: "guide", name: "Guide", instructions, model }));

  // Steps with memory around an agent that has none.
  const { loadMemory, saveMemory, recalled } = memorySteps(memory);
  const clerk = new Agent({ id: "clerk", name: "Clerk", instructions, model });
  const book = createStep({
    id: "book",
    inputSchema: loadMemory.outputSchema,
    outputSchema: z.object({ text: z.string() }),
    suspendSchema: z.object({ question: z.string() }),
    resumeSchema: z.object({ approved: z.boolean() }),
    async execute(run) {
      if (run.resumeData === undefined) return run.suspend({ question: "Shall I?" });
      if (!run.resumeData.approved) return { text: "Not booked." };
      const { system, messages } = await recalled(run);
      const { text } = await clerk.generate([...messages, run.inputData.prompt], { system });
      return { text };
    },
  });
  const booking = createWorkflow({
    id: "booking",
    inputSchema: z.object({ prompt: z.string() }),
    outputSchema: saveMemory.outputSchema,
  })
    .then(loadMemory)
    .then(book)
    .then(saveMemory)
    .commit();

  // Mastra's storage keeps runs that wait; a real one lets another process go on with them.
  return new Mastra({ agents: { guide, clerk }, workflows: { booking }, storage: new InMemoryStore(), logger: false });
}
