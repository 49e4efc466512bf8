import type { LanguageModelV4, LanguageModelV4Prompt } from "@ai-sdk/provider";
import { memoryTools, withMemory } from "@throughline/ai-sdk";
import { type Conversation, memoryGuidelines, type OpenTurn } from "@throughline/core";
import { isStepCount, streamText, wrapLanguageModel } from "ai";
import { memoryBlockOf } from "../offline/read-prompt.ts";

/** What happens while the agent answers. */
export interface Listener {
  /** What the memory put into the prompt, once a turn: a block of the system part (or nothing), and stored messages. */
  onMemory?(block: string, storedMessages: number): void;
  /** The turn as the memory opened it: it can explain its prompt. */
  onTurn?(turn: OpenTurn): void;
  /** What the memory could not read or record; the answer goes on without. */
  onProblem?(problem: string): void;
  onCall?(tool: string, input: unknown): void;
  onResult?(tool: string, output: unknown): void;
  onText?(delta: string): void;
}

const INSTRUCTIONS = `You are a friendly assistant. Answer in one to three sentences of plain text.
${memoryGuidelines}`;

const MAX_STEPS = 6;

/** One turn of an AI SDK agent with a memory: this is all that it takes. */
export async function talk(
  conversation: Conversation,
  options: { model: LanguageModelV4; text: string; listener?: Listener; signal?: AbortSignal },
): Promise<string> {
  const { listener = {}, signal } = options;
  const call = await withMemory(conversation, {
    model: overheard(options.model, listener),
    instructions: INSTRUCTIONS,
    prompt: options.text,
    tools: memoryTools(conversation),
    stopWhen: isStepCount(MAX_STEPS),
    memory: { onError: ({ code, message }) => listener.onProblem?.(`${code}: ${message}`) },
    ...(signal === undefined ? {} : { abortSignal: signal }),
    // Errors come out of the stream below; the SDK would print them as well.
    onError: () => {},
  });
  listener.onTurn?.(call.memory.turn);
  const result = streamText(call);
  let text = "";
  for await (const part of result.stream) {
    switch (part.type) {
      case "text-delta":
        text += part.text;
        listener.onText?.(part.text);
        break;
      case "tool-call":
        listener.onCall?.(part.toolName, part.input);
        break;
      case "tool-result":
        listener.onResult?.(part.toolName, part.output);
        break;
      case "tool-error":
        listener.onResult?.(part.toolName, part.error);
        break;
      case "error":
        throw part.error;
      default:
        break;
    }
  }
  return text;
}

/** The same model; the listener hears what the memory put into its first prompt. */
function overheard(model: LanguageModelV4, listener: Listener): LanguageModelV4 {
  let isFirst = true;
  const hear = (prompt: LanguageModelV4Prompt): void => {
    // All but the system part and the person's new words comes from the store.
    const stored = prompt.filter(({ role }) => role !== "system").length - 1;
    if (isFirst) listener.onMemory?.(memoryBlockOf(prompt), stored);
    isFirst = false;
  };
  return wrapLanguageModel({
    model,
    middleware: {
      specificationVersion: "v4",
      async transformParams({ params }) {
        hear(params.prompt);
        return params;
      },
    },
  });
}
