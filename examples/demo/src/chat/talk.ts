import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { memoryTools, withMemory } from "@throughline/ai-sdk";
import { type Conversation, memoryGuidelines, type OpenTurn } from "@throughline/core";
import { isStepCount, streamText } from "ai";
import type { ModelAddress } from "../agents/choose-model.ts";

/** What happens while the agent answers. */
export interface Listener {
  /** The turn as the memory opened it: its part of the prompt, and why it holds what it holds. */
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

/** One streamed turn of an AI SDK agent with a memory: this is all that it takes. */
export async function talk(
  conversation: Conversation,
  options: { model: ModelAddress; text: string; listener?: Listener; signal?: AbortSignal },
): Promise<string> {
  const { model, listener = {}, signal } = options;
  const provider = createOpenAICompatible({ name: "openai", baseURL: model.baseUrl, apiKey: model.apiKey });
  const call = await withMemory(conversation, {
    model: provider.chatModel(model.name),
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
