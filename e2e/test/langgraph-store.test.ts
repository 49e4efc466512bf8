import { createMemory, type Memory } from "@throughline/core";
import { createStore } from "@throughline/langgraph";
import { describeHostStore } from "@throughline/testkit";
import { DATABASES, type Place } from "./support/databases.ts";

for (const { name, place } of DATABASES) {
  const opened = new Map<object, { memory: Memory; at: Place }>();
  describeHostStore(`LangGraph's store on ${name}`, {
    create() {
      const at = place();
      const memory = createMemory({ agent: "guide", store: at.open(), env: {} });
      const store = createStore(memory);
      opened.set(store, { memory, at });
      return store;
    },
    async destroy(store) {
      const { memory, at } = opened.get(store) ?? {};
      await memory?.close();
      await at?.remove();
    },
  });
}
