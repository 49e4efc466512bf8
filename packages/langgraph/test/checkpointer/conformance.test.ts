import { createMemory, type MemoryStore } from "@throughline/core";
import { createCheckpointer } from "@throughline/langgraph";
import * as vitest from "vitest";
import { testStores } from "./stores.ts";

// The validation was written for vitest's globals, and looks for them as it is loaded.
Object.assign(globalThis, vitest);
const { validate, deltaChannelHistoryTests } = await import("@langchain/langgraph-checkpoint-validation");

for (const { name, open } of testStores()) {
  const stores = new Map<unknown, MemoryStore>();
  const initializer = {
    checkpointerName: `@throughline/langgraph on ${name}`,
    createCheckpointer() {
      const store = open();
      const checkpointer = createCheckpointer(createMemory({ agent: "graph", env: {}, store }));
      stores.set(checkpointer, store);
      return checkpointer;
    },
    async destroyCheckpointer(checkpointer: unknown) {
      await stores.get(checkpointer)?.close();
      stores.delete(checkpointer);
    },
  };
  vitest.describe(`L1: LangGraph's validation of checkpointers on ${name}`, () => {
    validate(initializer);
    deltaChannelHistoryTests(initializer);
  });
}
