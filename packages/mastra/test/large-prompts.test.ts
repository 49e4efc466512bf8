import { createTool } from "@mastra/core/tools";
import type { MemoryError } from "@throughline/core";
import { describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { ThroughlineMemory, withMemory } from "../src/index.ts";
import { quietAgent } from "./support/agents.ts";
import { call, type ScriptedStep, say, scriptedModel } from "./support/scripted-model.ts";
import { recorded, testMemory } from "./support/test-memory.ts";

const owner = { memory: { thread: "chat", resource: "ada" } };
const big = createTool({
  id: "big",
  description: "Gives much.",
  inputSchema: z.object({ size: z.number() }),
  execute: async ({ size }) => `head ${"x".repeat(size)}`,
});

describe.each(["withMemory", "ThroughlineMemory"] as const)("%s with large prompts", (kind) => {
  const setUp = (...steps: ScriptedStep[]) => {
    const world = testMemory();
    const model = scriptedModel(...steps);
    const errors: MemoryError[] = [];
    const settings = { onError: (error: MemoryError) => errors.push(error) };
    const config = { id: "ann", name: "Ann", instructions: "Be brief.", model, tools: { big } };
    const agent = quietAgent(
      kind === "withMemory"
        ? withMemory(world.memory, config, settings)
        : { ...config, memory: new ThroughlineMemory(world.memory, settings) },
    );
    return { ...world, model, agent, errors };
  };

  test.each(["generate", "stream"] as const)(
    "W9: %s: a large result is a preview for the model, whole by its id, and its own for the app",
    async (mode) => {
      const { agent, model, conversation, errors } = setUp(call(["c1", "big", { size: 100_000 }]), say("Much."));
      const result = await agent[mode]("How much?", owner);
      if ("consumeStream" in result) await result.consumeStream();
      expect(String((await result.toolResults)[0]?.payload.result)).toHaveLength(100_005);
      const shown = JSON.stringify(model.prompts().at(-1));
      expect(shown.length).toBeLessThan(20_000);
      expect(shown).toContain("head xxx");
      expect(shown).toContain("get_artifact");
      const [id = ""] = /art_[a-z0-9_]+/i.exec(shown) ?? [];
      expect((await conversation.artifact(id).page(1)).text).toContain("head xxx");
      expect(JSON.stringify(await conversation.transcript()).length).toBeLessThan(20_000);
      expect((await recorded(conversation))[0]?.status).toBe("completed");
      expect(errors).toEqual([]);
    },
  );

  test("W10: a prompt over the model's budget ends the run before the model is called, and is recorded as failed", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const { agent, model, conversation } = setUp(say("Never."));
    await expect(agent.generate("word ".repeat(400_000), owner)).rejects.toThrow();
    expect(model.prompts()).toEqual([]);
    expect((await recorded(conversation)).map(({ status }) => status)).toEqual(["failed"]);
  });

  test("W8: a loop that has grown is compacted, and what is recorded is not", async () => {
    const calls = Array.from({ length: 12 }, (_, index) => call([`c${index}`, "big", { size: 29_000 }]));
    const { agent, model, conversation } = setUp(...calls, say("Done."));
    await agent.generate("Go on", { ...owner, maxSteps: 20 });
    const sizes = model.prompts().map((prompt) => JSON.stringify(prompt).length);
    expect(Math.max(...sizes)).toBeLessThan(12 * 29_000);
    const [turn] = (await conversation.transcript()).turns;
    expect(turn?.status).toBe("completed");
    expect(JSON.stringify(turn).length).toBeGreaterThan(12 * 29_000);
  });
});
