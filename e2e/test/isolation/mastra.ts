import { Mastra } from "@mastra/core";
import { Agent } from "@mastra/core/agent";
import { noopLogger } from "@mastra/core/logger";
import { RequestContext } from "@mastra/core/request-context";
import { createStep, createWorkflow } from "@mastra/core/workflows";
import type { MemoryStore } from "@throughline/core";
import { memorySteps, memoryTools, ThroughlineMemory, withMemory } from "@throughline/mastra";
import { type Identity, type IsolationDriver, obedientModel } from "@throughline/testkit";
import { z } from "zod";
import { aiModel } from "./ai-model.ts";
import { perAgent } from "./app.ts";

/** A Mastra with agents and a workflow, each one for everybody. */
export function mastraDriver(store: MemoryStore): IsolationDriver {
  const mind = obedientModel();
  const settings = { onError: () => {} };
  const app = perAgent(store, (memory, name) => {
    // The types of Mastra lack a finish reason that AI SDK 7 has gained.
    const config = { name, instructions: "Be brief.", model: aiModel(mind) as never };
    const host = new ThroughlineMemory(memory, settings);
    const agents = {
      processed: new Agent(withMemory(memory, { ...config, id: `${name}-processed` }, settings)),
      hosted: new Agent({ ...config, id: `${name}-hosted`, memory: host }),
      plain: new Agent({ ...config, id: `${name}-plain`, tools: memoryTools(memory, settings) }),
    };
    const { loadMemory, saveMemory, recalled } = memorySteps(memory, settings);
    const answer = createStep({
      id: "answer",
      inputSchema: loadMemory.outputSchema,
      outputSchema: z.object({ text: z.string() }),
      async execute(run) {
        const { system, messages } = await recalled(run);
        const { requestContext } = run;
        const given = [...messages, run.inputData.prompt];
        return { text: (await agents.plain.generate(given, { system, requestContext })).text };
      },
    });
    const talk = createWorkflow({
      id: `${name}-talk`,
      inputSchema: z.object({ prompt: z.string() }),
      outputSchema: saveMemory.outputSchema,
    })
      .then(loadMemory)
      .then(answer)
      .then(saveMemory)
      .commit();
    const mastra = new Mastra({ agents, workflows: { talk }, logger: false });
    for (const agent of Object.values(agents)) agent.__setLogger(noopLogger);
    return { ...agents, host, talk: mastra.getWorkflow("talk") };
  });
  const owner = ({ conversation: thread, subject }: Identity) => ({
    // Mastra takes a thread alone where the agent has no memory class.
    memory: { thread, ...(subject === undefined ? {} : { resource: subject }) } as { thread: string; resource: string },
  });
  const context = ({ conversation, subject }: Identity) =>
    new RequestContext<unknown>([
      ["conversation", conversation],
      ...(subject === undefined ? [] : ([["userId", subject]] as [string, string][])),
    ] as never);
  const where = ({ conversation: threadId, subject }: Identity) => ({
    threadId,
    ...(subject === undefined ? {} : { resourceId: subject }),
  });
  const ofThread = { memoryConfig: { workingMemory: { enabled: true, scope: "thread" as const } } };
  const text = (value: unknown) => JSON.stringify(value);
  return {
    memory: (who) => app(who).memory,
    runs: {
      "withMemory, told by thread and resource": {
        async run(who, says) {
          const words = mind.words(says);
          await app(who).processed.generate(words, owner(who));
          return mind.shown(words);
        },
      },
      "withMemory streamed, told by its context": {
        async run(who, says) {
          const words = mind.words(says);
          const result = await app(who).processed.stream(words, { requestContext: context(who) });
          await result.consumeStream();
          return mind.shown(words);
        },
      },
      "a workflow's steps": {
        async run(who, says) {
          const words = mind.words(says);
          const run = await app(who).talk.createRun();
          await run.start({ inputData: { prompt: words }, requestContext: context(who) });
          return mind.shown(words);
        },
      },
      ThroughlineMemory: {
        needsSubject: true,
        async run(who, says) {
          const words = mind.words(says);
          await app(who).hosted.generate(words, owner(who));
          return mind.shown(words);
        },
      },
    },
    async runWithToolsOf(who, toolsOf, says) {
      const words = mind.words(says);
      const own = { id: "both", name: "both", instructions: "Be brief.", model: aiModel(mind) as never };
      const given = { ...own, tools: memoryTools(app(toolsOf).memory, settings) };
      const agent = new Agent(withMemory(app(who).memory, given, { ...settings, tools: false }));
      await agent.generate(words, owner(who));
      return mind.shown(words);
    },
    reads: {
      "recall of a thread": {
        shows: ["said"],
        reach: "conversation",
        read: async (who) => text(await app(who).host.recall({ ...where(who), perPage: false })),
      },
      "recall by meaning": {
        shows: ["said"],
        reach: "subject",
        needsSubject: true,
        read: async (who) => text(await app(who).host.recall({ ...where(who), vectorSearchString: "locker code" })),
      },
      "threads of a person with what they hold": {
        shows: ["said"],
        reach: "subject",
        needsSubject: true,
        async read(who) {
          const { host } = app(who);
          const { threads } = await host.listThreads({ filter: { resourceId: who.subject ?? "" } });
          return text(await Promise.all(threads.map(({ id }) => host.recall({ threadId: id, perPage: false }))));
        },
      },
      "the working memory of a person": {
        shows: ["fact"],
        reach: "subject",
        needsSubject: true,
        read: async (who) => text(await app(who).host.getWorkingMemory(where(who))),
      },
      "the working memory of a thread": {
        shows: ["kept"],
        reach: "conversation",
        read: async (who) => text(await app(who).host.getWorkingMemory({ ...where(who), ...ofThread })),
      },
    },
    keep: (who, kept) =>
      app(who).host.updateWorkingMemory({ ...where(who), ...ofThread, workingMemory: `- Kept: ${kept}` }),
    erasures: { deleteThread: (who) => app(who).host.deleteThread(who.conversation) },
  };
}
