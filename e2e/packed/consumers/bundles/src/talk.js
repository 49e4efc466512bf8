import { memoryTools, withMemory } from "@throughline/ai-sdk";
import { createMemory, inMemoryStore } from "@throughline/core";
import { generateText, isStepCount } from "ai";
import { MockLanguageModelV4 } from "ai/test";

const inputTokens = { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 };
const usage = { inputTokens, outputTokens: { total: 1, text: 1, reasoning: 0 } };

/** A model that says or calls what it is given, in this order. */
function scripted(...contents) {
  return new MockLanguageModelV4({
    doGenerate: async () => {
      const content = contents.shift();
      const unified = content.type === "text" ? "stop" : "tool-calls";
      return { content: [content], finishReason: { unified, raw: unified }, usage, warnings: [] };
    },
  });
}

/** Talks twice with a model that has a memory. Answers what was found of the first talk in the second. */
export async function talk(store = inMemoryStore(), waitUntil) {
  const open = () => createMemory({ agent: "guide", store, env: {}, ...(waitUntil ? { waitUntil } : {}) });
  const memory = open();
  const say = async (id, prompt, ...contents) => {
    const conversation = memory.conversation({ id, subject: "ada" });
    const model = scripted(...contents);
    const tools = memoryTools(conversation);
    const run = await withMemory(conversation, { prompt });
    const { text } = await generateText({ model, tools, stopWhen: isStepCount(5), ...run });
    return { text, asked: JSON.stringify(model.doGenerateCalls.at(-1).prompt) };
  };
  const input = JSON.stringify({ key: "dog", value: "Rex", quote: "My dog is called Rex" });
  await say(
    "monday",
    "My dog is called Rex. Er liebt den Strand.",
    { type: "tool-call", toolCallId: "c1", toolName: "memory_remember", input },
    { type: "text", text: "A good name!" },
  );
  const { text, asked } = await say("tuesday", "What is my dog called?", { type: "text", text: "Rex." });
  await memory.settled();
  const { hits } = await memory.search("Strand", { subject: "ada" });
  const { turns } = await memory.conversation({ id: "monday", subject: "ada" }).transcript();
  await memory.close();
  return { text, isTold: asked.includes("Rex"), hits: hits.length, said: turns[0]?.messages.length };
}
