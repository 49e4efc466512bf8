import { createMemory, type MemoryStore } from "@throughline/core";
import { createCheckpointer } from "@throughline/langgraph";
import * as vitest from "vitest";

/**
 * Registers LangGraph's own validation of checkpointers, all of it. It was written for vitest's globals, and each checkpointer
 * gets a store of its own.
 */
export async function describeConformance(name: string, openStore: () => MemoryStore | Promise<MemoryStore>): Promise<void> {
  Object.assign(globalThis, vitest);
  const { validate, deltaChannelHistoryTests } = await import("@langchain/langgraph-checkpoint-validation");
  const stores = new Map<unknown, MemoryStore>();
  const initializer = {
    checkpointerName: `@throughline/langgraph on ${name}`,
    async createCheckpointer() {
      const store = await openStore();
      const checkpointer = createCheckpointer(createMemory({ agent: "graph", env: {}, store }));
      stores.set(checkpointer, store);
      return checkpointer;
    },
    async destroyCheckpointer(checkpointer: unknown) {
      await stores.get(checkpointer)?.close();
      stores.delete(checkpointer);
    },
  };
  vitest.describe(`L1: LangGraph's validation on ${name}`, () => {
    validate(initializer);
    deltaChannelHistoryTests(initializer);
  });
}
