import { inMemoryStore } from "@throughline/core";
import { describeMemoryStore } from "@throughline/testkit";

describeMemoryStore("a store that forgets", {
  create() {
    const store = inMemoryStore();
    store.readContext = async () => ({ turns: [], hasOlderTurns: false, summary: null, facts: [] });
    return store;
  },
});
