import { Mastra } from "@mastra/core";
import { Agent } from "@mastra/core/agent";
import { RequestContext } from "@mastra/core/request-context";
import { InMemoryStore } from "@mastra/core/storage";
import { createStep, createWorkflow } from "@mastra/core/workflows";
import type { Memory } from "@throughline/core";
import { describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { memorySteps } from "../src/index.ts";
import { say, scriptedModel } from "./support/scripted-model.ts";
import { recorded, testMemory } from "./support/test-memory.ts";

const context = () =>
  new RequestContext([
    ["conversation", "chat"],
    ["userId", "ada"],
  ] as never);

/** A workflow that answers, and asks a person before it says so. */
function build(memory: Memory, model: ReturnType<typeof scriptedModel>, storage = new InMemoryStore(), failures = 0) {
  const { loadMemory, saveMemory, recalled } = memorySteps(memory);
  const agent = new Agent({ id: "ann", name: "Ann", instructions: "Be brief.", model });
  let left = failures;
  const answer = createStep({
    id: "answer",
    inputSchema: loadMemory.outputSchema,
    outputSchema: z.object({ text: z.string() }),
    resumeSchema: z.object({ approved: z.boolean() }),
    suspendSchema: z.object({ question: z.string() }),
    retries: 2,
    async execute(run) {
      if (run.inputData.prompt.includes("careful") && !run.resumeData) return run.suspend({ question: "Really?" });
      if (left-- > 0) throw new Error("busy");
      const { system, messages } = await recalled(run);
      const { text } = await agent.generate([...messages, run.inputData.prompt], { system });
      return { text };
    },
  });
  const workflow = createWorkflow({
    id: "talk",
    inputSchema: z.object({ prompt: z.string() }),
    outputSchema: saveMemory.outputSchema,
  })
    .then(loadMemory)
    .then(answer)
    .then(saveMemory)
    .commit();
  const mastra = new Mastra({ workflows: { talk: workflow }, storage, logger: false });
  return { workflow: mastra.getWorkflow("talk"), storage };
}

describe("R3: a workflow with steps of the memory", () => {
  test("R3: shows what is stored and known, and records each run as one turn", async () => {
    const { memory, conversation } = testMemory();
    await conversation.remember("name", "Ada");
    const model = scriptedModel(say("Hello."), say("You are Ada."));
    const { workflow } = build(memory, model);
    for (const prompt of ["Hi", "Who am I?"]) {
      const run = await workflow.createRun();
      expect((await run.start({ inputData: { prompt }, requestContext: context() })).status).toBe("success");
    }
    const shown = JSON.stringify(model.prompts().at(-1));
    expect(shown).toContain("<memory>");
    expect(shown).toContain("Hello.");
    expect(shown.split("Who am I?")).toHaveLength(2);
    const turns = await recorded(conversation);
    expect(turns).toEqual([
      { status: "completed", lines: ["user: Hi", "assistant: Hello."] },
      { status: "completed", lines: ["user: Who am I?", "assistant: You are Ada."] },
    ]);
    expect((await conversation.transcript()).turns[0]?.agentName).toBe("talk");
  });

  test("R3/B5: a run that waits for a person goes on in another process and records once; nothing of the memory is kept with it", async () => {
    const { memory, conversation } = testMemory();
    await conversation.remember("name", "Ada Lovelace");
    const model = scriptedModel(say("Done."));
    const first = build(memory, model);
    const run = await first.workflow.createRun();
    expect((await run.start({ inputData: { prompt: "Be careful" }, requestContext: context() })).status).toBe(
      "suspended",
    );
    expect(await recorded(conversation)).toEqual([{ status: "paused", lines: ["user: Be careful"] }]);
    const kept = JSON.stringify(await (await first.storage.getStore("workflows"))?.listWorkflowRuns());
    expect(kept).toContain("Be careful");
    expect(kept).not.toContain("Lovelace");
    // What happens in between has its own turn.
    await conversation.record({
      messages: [
        { role: "user", content: "Meanwhile" },
        { role: "assistant", content: "Yes." },
      ],
    });

    const later = build(memory, model, first.storage);
    const again = await later.workflow.createRun({ runId: run.runId });
    expect(
      (await again.resume({ step: "answer", resumeData: { approved: true }, requestContext: context() })).status,
    ).toBe("success");
    expect(JSON.stringify(model.prompts()[0])).toContain("Lovelace");
    expect(await recorded(conversation)).toEqual([
      { status: "completed", lines: ["user: Meanwhile", "assistant: Yes."] },
      // It stands where it ended.
      { status: "completed", lines: ["user: Be careful", "assistant: Done."] },
    ]);
  });

  test("R3: a run whose step is tried again records once, and one that fails keeps what the person said", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const { memory, conversation } = testMemory();
    const { workflow } = build(memory, scriptedModel(say("Hello.")), new InMemoryStore(), 1);
    await (await workflow.createRun()).start({ inputData: { prompt: "Hi" }, requestContext: context() });
    expect(await recorded(conversation)).toEqual([{ status: "completed", lines: ["user: Hi", "assistant: Hello."] }]);
    const broken = build(memory, scriptedModel(), new InMemoryStore(), 9);
    const result = await (await broken.workflow.createRun()).start({
      inputData: { prompt: "And?" },
      requestContext: context(),
    });
    expect(result.status).toBe("failed");
    expect((await recorded(conversation))[1]).toEqual({ status: "paused", lines: ["user: And?"] });
  });

  test("B1: fails with what to do where nothing names a conversation", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const { memory } = testMemory();
    const { workflow } = build(memory, scriptedModel());
    const result = await (await workflow.createRun()).start({ inputData: { prompt: "Hi" } });
    expect(result.status === "failed" && result.error.message).toMatch(/names no conversation/);
  });
});
