import { Agent, Runner } from "@openai/agents";
import { assistantMessage, functionCall, ScriptedModel } from "@openai/agents/testing";
import { memoryTools, runWithMemory } from "@throughline/openai-agents";
import { tellStory } from "./story.ts";

const runner = new Runner({ tracingDisabled: true });

await tellStory(async (memory, chat, said, steps) => {
  const conversation = memory.conversation(chat);
  const model = new ScriptedModel(
    steps.map((step) =>
      "say" in step ? [assistantMessage(step.say)] : [functionCall(step.tool, step.input, { callId: step.call })],
    ),
  );
  const agent = new Agent({ name: "Ann", instructions: "Be brief.", tools: memoryTools(conversation), model });
  const { finalOutput } = await runWithMemory(conversation, agent, said, { runner });
  return { answer: String(finalOutput), asked: JSON.stringify(model.calls.map(({ request }) => request)) };
});
