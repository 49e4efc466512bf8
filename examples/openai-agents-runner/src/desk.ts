import { Agent, type Model, tool } from "@openai/agents";
import { createMemory, type Memory } from "@throughline/core";
import { memoryTools, withMemoryInstructions } from "@throughline/openai-agents";
import { sqliteStore } from "@throughline/store-sqlite";
import { z } from "zod";

/** What the app hands to every run: plain data, since it goes into the state of a run that waits. */
export interface Desk {
  conversation: { id: string; subject: string };
}

export const openMemory = (file: string): Memory =>
  createMemory({ agent: "front-desk", store: sqliteStore({ path: file }), env: {} });

const refund = tool({
  name: "refund",
  description: "Pays an order back. A person has to agree.",
  parameters: z.object({ order: z.string() }),
  needsApproval: true,
  execute: ({ order }) => `order ${order} is paid back`,
});

/** The agents of the front desk. Each answers with the model of its own name. */
export function frontDesk(memory: Memory, modelOf: (agent: string) => Model) {
  const cashier = new Agent<Desk>({
    name: "Cashier",
    handoffDescription: "Pays back.",
    instructions: withMemoryInstructions<Desk>(memory, "You pay back what was bought."),
    tools: [refund],
    model: modelOf("Cashier"),
  });
  const clerk = new Agent<Desk>({
    name: "Clerk",
    instructions: withMemoryInstructions<Desk>(memory, "You greet people and remember them."),
    tools: memoryTools<Desk>(memory),
    handoffs: [cashier],
    model: modelOf("Clerk"),
  });
  return { clerk, cashier };
}
