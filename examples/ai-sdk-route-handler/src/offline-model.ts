import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from "@ai-sdk/provider";

const USAGE: LanguageModelV4Usage = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};

/** What the script says or calls next, from its prompt alone. */
type Step = { say: string } | { tool: string; input: object };

/** A story long enough to go away from. */
export const STORY = Array.from({ length: 200 }, (_, index) => `step${index + 1}`).join(" ");

function nextStep({ prompt }: LanguageModelV4CallOptions, toss: () => number): Step {
  const last = prompt.at(-1);
  if (last?.role === "tool") {
    const [result] = last.content;
    if (result?.type === "tool-result" && result.toolName === "weather") {
      return { say: `It is ${result.output.type === "text" ? result.output.value : "unknown"} there.` };
    }
    return { say: "I will remember that." };
  }
  const said =
    last?.role === "user" ? last.content.map((part) => (part.type === "text" ? part.text : "")).join(" ") : "";
  const [quote, name] = /my name is (\w+)/i.exec(said) ?? [];
  if (name) return { tool: "memory_remember", input: { key: "name", value: name, quote } };
  if (/what is my name/i.test(said)) {
    const system = prompt.flatMap((message) => (message.role === "system" ? [message.content] : [])).join("\n");
    const [, known] = /^- name: (\w+)/m.exec(system) ?? [];
    return { say: known ? `Your name is ${known}.` : "You have not told me." };
  }
  const [, city] = /weather in (\w+)/i.exec(said) ?? [];
  if (city) return { tool: "weather", input: { city } };
  if (/toss/i.test(said)) return { say: toss() % 2 === 0 ? "Heads." : "Tails." };
  if (/story/i.test(said)) return { say: STORY };
  const told = prompt.filter(({ role, content }) => role === "assistant" && JSON.stringify(content).includes("step1 "));
  if (/go on/i.test(said)) return { say: told.length > 0 ? "We were on our way." : "With what?" };
  return { say: "Hello." };
}

/**
 * A model that follows a script of a few rules, without key or network. It knows nothing but its prompt, so what it
 * knows of a person comes from the memory.
 */
export function offlineModel(): LanguageModelV4 {
  let calls = 0;
  let tosses = 0;
  return {
    specificationVersion: "v4",
    provider: "example",
    modelId: "scripted-offline-model",
    supportedUrls: {},
    doGenerate() {
      throw new Error("The route streams; the offline model's script has no other form.");
    },
    async doStream(options) {
      const step = nextStep(options, () => tosses++);
      const reason = "say" in step ? "stop" : "tool-calls";
      const body: LanguageModelV4StreamPart[] =
        "say" in step
          ? [
              { type: "text-start", id: "0" },
              ...(step.say.match(/\S+\s*/g) ?? []).map((delta) => ({ type: "text-delta", id: "0", delta }) as const),
              { type: "text-end", id: "0" },
            ]
          : [
              {
                type: "tool-call",
                toolCallId: `call-${process.pid}-${++calls}`,
                toolName: step.tool,
                input: JSON.stringify(step.input),
              },
            ];
      return {
        stream: inTime(
          [
            { type: "stream-start", warnings: [] },
            ...body,
            { type: "finish", usage: USAGE, finishReason: { unified: reason, raw: undefined } },
          ],
          options.abortSignal,
        ),
      };
    },
  };
}

/**
 * Sends the parts with a little time between words, as a model would. A long answer slows down, so that whoever goes away
 * from it does so in the middle, however busy the machine is.
 */
function inTime(
  parts: LanguageModelV4StreamPart[],
  signal: AbortSignal | undefined,
): ReadableStream<LanguageModelV4StreamPart> {
  let words = 0;
  return new ReadableStream({
    async pull(controller) {
      signal?.throwIfAborted();
      const part = parts.shift();
      if (part === undefined) return controller.close();
      if (part.type === "text-delta") await new Promise((resolve) => setTimeout(resolve, ++words > 20 ? 200 : 2));
      controller.enqueue(part);
    },
  });
}
