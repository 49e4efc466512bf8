import { Agent, type AgentInputItem, type Model, Runner } from "@openai/agents";
import { assistantMessage, functionCall, modelResponder, ScriptedModel } from "@openai/agents/testing";
import type { MemoryStore } from "@throughline/core";
import { createSession, memoryTools, runWithMemory, withMemoryInstructions } from "@throughline/openai-agents";
import { type IsolationDriver, type ObedientModel, obedientModel } from "@throughline/testkit";
import { perAgent, refOf } from "./app.ts";

const textOf = (item: AgentInputItem | undefined): string => {
  if (item === undefined || !("role" in item)) return "";
  const { content } = item;
  return typeof content === "string" ? content : content.map((part) => ("text" in part ? part.text : "")).join("");
};

/** The SDK's own scripted model, which does what the person says. */
function openAiModel(mind: ObedientModel): Model {
  const step = modelResponder(({ request }) => {
    const { input, systemInstructions } = request;
    const items = typeof input === "string" ? [{ role: "user" as const, content: input }] : input;
    const at = items.findLastIndex((item) => "role" in item && item.role === "user");
    const isAnswered = items.slice(at).some(({ type }) => type === "function_call_result");
    const calls = mind.next(JSON.stringify([systemInstructions, input]), textOf(items[at]), isAnswered);
    return calls.length === 0
      ? [assistantMessage("Noted.")]
      : calls.map(({ tool, input: given, callId }) => functionCall(tool, { ...given }, { callId }));
  });
  const one = () => new ScriptedModel([step]);
  return {
    getResponse: (request) => one().getResponse(request),
    getStreamedResponse: (request) => one().getStreamedResponse(request),
  };
}

/** The SDK's runner, an agent and a session, each one for everybody. */
export function openAiAgentsDriver(store: MemoryStore): IsolationDriver {
  const mind = obedientModel();
  const model = openAiModel(mind);
  const runner = new Runner({ tracingDisabled: true });
  const onError = () => {};
  const app = perAgent(store, (memory) => {
    const config = { name: "Ann", model, tools: memoryTools(memory) };
    return {
      agent: new Agent({ ...config, instructions: "Be brief." }),
      knowing: new Agent({ ...config, instructions: withMemoryInstructions(memory, "Be brief.", { onError }) }),
      session: createSession(memory, undefined, { onError }),
    };
  });
  return {
    memory: (who) => app(who).memory,
    runs: {
      runWithMemory: {
        async run(who, text) {
          const words = mind.words(text);
          const { memory, agent } = app(who);
          await runWithMemory(memory, agent, words, {
            runner,
            context: { conversation: refOf(who) },
            memory: { onError },
          });
          return mind.shown(words);
        },
      },
      "runWithMemory, streamed": {
        async run(who, text) {
          const words = mind.words(text);
          const { memory, agent } = app(who);
          const scope = refOf(who);
          const result = await runWithMemory(memory, agent, words, {
            runner,
            stream: true,
            context: { conversation: scope },
            memory: { scope, onError },
          });
          await result.completed;
          return mind.shown(words);
        },
      },
      "a session for all": {
        async run(who, text) {
          const words = mind.words(text);
          const { knowing, session } = app(who);
          await runner.run(knowing, words, { session, context: { conversation: refOf(who) } });
          return mind.shown(words);
        },
      },
    },
    async runWithToolsOf(who, toolsOf, text) {
      const words = mind.words(text);
      const agent = new Agent({
        name: "Ann",
        instructions: "Be brief.",
        model,
        tools: memoryTools<{ conversation: unknown }>(app(toolsOf).memory),
      });
      // The handle itself, as an app may put it there.
      const context = { conversation: app(who).memory.conversation(refOf(who)) };
      await runWithMemory(app(who).memory, agent, words, { runner, context, memory: { onError } });
      return mind.shown(words);
    },
    reads: {
      "a session's items": {
        shows: ["said"],
        reach: "conversation",
        read: async (who) => JSON.stringify(await createSession(app(who).memory, refOf(who)).getItems()),
      },
    },
    erasures: { clearSession: (who) => createSession(app(who).memory, refOf(who)).clearSession() },
  };
}
