import { MemorySession } from "@openai/agents";
import { createMemory, inMemoryStore } from "@throughline/core";
import { describeSession } from "@throughline/testkit";
import { createSession } from "../src/index.ts";

for (const replay of ["portable", "exact"] as const) {
  describeSession(`of the memory, ${replay}`, {
    async withBench(body) {
      const store = inMemoryStore();
      const open = (name = "one") =>
        createSession(createMemory({ agent: "guide", store, env: {}, onEvent: () => {} }), { id: name }, { replay });
      await body({ session: open, reopen: open });
    },
  });
}

describeSession("MemorySession of the SDK", {
  async withBench(body) {
    const sessions = new Map<string, MemorySession>();
    await body({
      session(name = "one") {
        const session = sessions.get(name) ?? new MemorySession({ sessionId: name });
        sessions.set(name, session);
        return session as never;
      },
    });
  },
  skip: {
    "cuts where a person speaks, wherever the limit falls": "it gives the last items, whatever they are",
    "shows nothing that a provider refuses, wherever the limit falls": "its last items may be results without calls",
    "shows no call that was left without a result once the person speaks again": "it leaves that to the runner",
    "has what was kept when it is opened anew": "it keeps its items in the object",
  },
});
