import { memoryTools, withMemory } from "@throughline/ai-sdk";
import { generateText, isStepCount } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { type Step, tellStory } from "./story.ts";

await tellStory(async (memory, chat, said, steps) => {
  const conversation = memory.conversation(chat);
  const model = scripted(steps);
  const { text } = await generateText({
    model,
    tools: memoryTools(conversation),
    stopWhen: isStepCount(5),
    ...(await withMemory(conversation, { prompt: said })),
  });
  return { answer: text, asked: JSON.stringify(model.doGenerateCalls.map(({ prompt }) => prompt)) };
});

function scripted(steps: readonly Step[]) {
  const inputTokens = { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 };
  const usage = { inputTokens, outputTokens: { total: 1, text: 1, reasoning: 0 } };
  const queue = [...steps];
  return new MockLanguageModelV4({
    doGenerate: async () => {
      const step = queue.shift();
      if (step === undefined) throw new Error("The script has no more steps.");
      const unified = "say" in step ? ("stop" as const) : ("tool-calls" as const);
      const content =
        "say" in step
          ? { type: "text" as const, text: step.say }
          : {
              type: "tool-call" as const,
              toolCallId: step.call,
              toolName: step.tool,
              input: JSON.stringify(step.input),
            };
      return { content: [content], finishReason: { unified, raw: unified }, usage, warnings: [] };
    },
  });
}
