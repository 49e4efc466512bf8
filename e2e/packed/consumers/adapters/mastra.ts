import { Agent, type AgentConfig } from "@mastra/core/agent";
import { withMemory } from "@throughline/mastra";
import { type Step, tellStory } from "./story.ts";

type Model = Extract<AgentConfig["model"], { specificationVersion: "v2" }>;
type Prompt = Parameters<Model["doGenerate"]>[0]["prompt"];

await tellStory(async (memory, chat, said, steps) => {
  const prompts: Prompt[] = [];
  const model = scripted(steps, prompts);
  const agent = new Agent(withMemory(memory, { id: "guide", name: "Guide", instructions: "Be brief.", model }));
  const { text } = await agent.generate(said, { memory: { thread: chat.id, resource: chat.subject } });
  return { answer: text, asked: JSON.stringify(prompts) };
});

/** A model as Mastra takes it, written by hand: its host's libraries are all that this app has. */
function scripted(steps: readonly Step[], prompts: Prompt[]): Model {
  const queue = [...steps];
  const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
  const next = (prompt: Prompt) => {
    prompts.push(prompt);
    const step = queue.shift();
    if (step === undefined) throw new Error("The script has no more steps.");
    return step;
  };
  const callOf = (step: Exclude<Step, { say: string }>) => ({
    type: "tool-call" as const,
    toolCallId: step.call,
    toolName: step.tool,
    input: JSON.stringify(step.input),
  });
  return {
    specificationVersion: "v2",
    provider: "scripted",
    modelId: "scripted",
    supportedUrls: {},
    async doGenerate({ prompt }) {
      const step = next(prompt);
      const isText = "say" in step;
      const content = isText ? { type: "text" as const, text: step.say } : callOf(step);
      return { content: [content], finishReason: isText ? "stop" : "tool-calls", usage, warnings: [] };
    },
    async doStream({ prompt }) {
      const step = next(prompt);
      const parts =
        "say" in step
          ? [
              { type: "text-start" as const, id: "0" },
              { type: "text-delta" as const, id: "0", delta: step.say },
              { type: "text-end" as const, id: "0" },
            ]
          : [callOf(step)];
      const finishReason = "say" in step ? ("stop" as const) : ("tool-calls" as const);
      const all = [
        { type: "stream-start" as const, warnings: [] },
        ...parts,
        { type: "finish" as const, finishReason, usage },
      ];
      return { stream: ReadableStream.from(all) };
    },
  };
}
