import {
  memoryAgent,
  memoryMiddleware,
  memoryTools,
  memoryToolsContext,
  toUIMessages,
  withMemory,
} from "@throughline/ai-sdk";
import type { MemoryStore } from "@throughline/core";
import { type IsolationDriver, obedientModel } from "@throughline/testkit";
import { generateText, isStepCount, streamText, wrapLanguageModel } from "ai";
import { z } from "zod";
import { aiModel } from "./ai-model.ts";
import { perAgent, refOf } from "./app.ts";

const stopWhen = isStepCount(5);
const onError = () => {};

/** The AI SDK's calls, an agent and a wrapped model, each one for everybody. */
export function aiSdkDriver(store: MemoryStore): IsolationDriver {
  const mind = obedientModel();
  const model = aiModel(mind);
  const app = perAgent(store, (memory) => ({
    tools: memoryTools(memory),
    wrapped: wrapLanguageModel({ model, middleware: memoryMiddleware(memory, { onError }) }),
    agent: memoryAgent(memory, {
      model,
      tools: memoryTools(memory),
      toolsContext: memoryToolsContext(),
      stopWhen,
      memory: { onError },
      callOptionsSchema: z.object({ id: z.string(), subject: z.string().optional() }),
      identify: ({ options: { id, subject } }) => ({ id, ...(subject === undefined ? {} : { subject }) }),
    }),
  }));
  return {
    memory: (who) => app(who).memory,
    runs: {
      "generateText with withMemory": {
        async run(who, text) {
          const prompt = mind.words(text);
          const conversation = app(who).memory.conversation(refOf(who));
          const run = await withMemory(conversation, { prompt, memory: { onError } });
          await generateText({ model, tools: memoryTools(conversation), stopWhen, ...run });
          return mind.shown(prompt);
        },
      },
      "streamText with a chat's messages": {
        async run(who, text) {
          const words = mind.words(text);
          const conversation = app(who).memory.conversation(refOf(who));
          const known = toUIMessages((await conversation.transcript()).turns);
          // The same ids in each chat, as clients that count have them.
          const fresh = {
            id: `m${known.length}`,
            role: "user" as const,
            parts: [{ type: "text" as const, text: words }],
          };
          const given = [...known, fresh];
          const run = await withMemory(conversation, { uiMessages: given, onError, memory: { onError } });
          await streamText({ model, tools: memoryTools(conversation), stopWhen, ...run }).consumeStream();
          return mind.shown(words);
        },
      },
      "an agent for all": {
        async run(who, text) {
          const prompt = mind.words(text);
          await app(who).agent.generate({ prompt, options: refOf(who) });
          return mind.shown(prompt);
        },
      },
      "a wrapped model for all": {
        async run(who, text) {
          const prompt = mind.words(text);
          const { wrapped, tools } = app(who);
          const { id, subject } = refOf(who);
          const throughline = { conversation: id, ...(subject === undefined ? {} : { subject }) };
          await generateText({
            model: wrapped,
            tools,
            toolsContext: memoryToolsContext(refOf(who)),
            prompt,
            stopWhen,
            maxRetries: 0,
            providerOptions: { throughline },
          });
          return mind.shown(prompt);
        },
      },
    },
    async runWithToolsOf(who, toolsOf, text) {
      const prompt = mind.words(text);
      const run = await withMemory(app(who).memory.conversation(refOf(who)), { prompt, memory: { onError } });
      const { tools } = app(toolsOf);
      await generateText({ model, tools, toolsContext: memoryToolsContext(refOf(who)), stopWhen, ...run });
      return mind.shown(prompt);
    },
    reads: {
      "messages of a chat that is loaded again": {
        shows: ["said"],
        reach: "conversation",
        async read(who) {
          const { turns } = await app(who).memory.conversation(refOf(who)).transcript();
          return JSON.stringify(toUIMessages(turns));
        },
      },
    },
  };
}
