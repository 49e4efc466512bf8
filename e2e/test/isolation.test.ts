import type { MemoryStore } from "@throughline/core";
import { describeIsolation, type IsolationDriver } from "@throughline/testkit";
import { aiSdkDriver } from "./isolation/ai-sdk.ts";
import { langGraphDriver } from "./isolation/langgraph.ts";
import { mastraDriver } from "./isolation/mastra.ts";
import { openAiAgentsDriver } from "./isolation/openai-agents.ts";
import { DATABASES } from "./support/databases.ts";

const DRIVERS: Record<string, (store: MemoryStore) => IsolationDriver> = {
  LangGraph: langGraphDriver,
  "the AI SDK": aiSdkDriver,
  "OpenAI Agents": openAiAgentsDriver,
  Mastra: mastraDriver,
};

for (const { name: database, place } of DATABASES.filter(({ name }) => name !== "memory")) {
  for (const [name, driverOf] of Object.entries(DRIVERS)) {
    describeIsolation(`${name} on ${database}`, {
      extent: "part",
      async withDriver(body) {
        const at = place();
        const store = at.open();
        try {
          await body(driverOf(store));
        } finally {
          await store.close();
          await at.remove();
        }
      },
    });
  }
}
