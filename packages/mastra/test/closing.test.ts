import { createMemory, inMemoryStore } from "@throughline/core";
import { expect, test } from "vitest";
import { withMemory } from "../src/index.ts";
import { quietAgent } from "./support/agents.ts";
import { scriptedModel } from "./support/scripted-model.ts";
import { recorded } from "./support/test-memory.ts";

test.each(["generate", "stream"] as const)(
  "E4: %s, stopped in the moment in which the memory is closed, is recorded",
  async (mode) => {
    const base = inMemoryStore();
    const make = () => {
      const store = { ...base, close: async () => {} };
      return createMemory({ agent: "guide", store, env: {}, onEvent: () => {} });
    };
    const memory = make();
    const controller = new AbortController();
    let closed: Promise<void> | undefined;
    const onHang = () => {
      controller.abort();
      closed ??= memory.close();
    };
    const speaking = { content: [{ type: "text" as const, text: "It is sunny in Oslo." }], hangsAfter: 3, onHang };
    const model = scriptedModel(mode === "stream" ? speaking : { hangs: true, onHang });
    const config = { id: "ann", name: "Ann", instructions: "Be brief.", model };
    const agent = quietAgent(withMemory(memory, config, { tools: false }));
    const options = { memory: { thread: "chat", resource: "ada" }, abortSignal: controller.signal };
    if (mode === "generate") await agent.generate("How is Oslo?", options).catch(() => {});
    else for await (const _ of (await agent.stream("How is Oslo?", options)).fullStream);
    await closed;
    const turns = await recorded(make().conversation({ id: "chat", subject: "ada" }));
    expect(turns.map(({ status }) => status)).toEqual(["aborted"]);
  },
);
