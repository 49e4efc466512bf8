import type { Distiller } from "../contract/models.ts";
import { modelDistiller } from "../extract/model-distiller.ts";
import { type OpenAIChatOptions, openaiChat } from "./openai-chat.ts";

/** What {@link openaiDistiller} can be told. */
export interface OpenAIDistillerOptions extends OpenAIChatOptions {}

/**
 * A distiller over OpenAI's Chat Completions, which vLLM, Ollama, LiteLLM, Azure OpenAI and many others speak: set
 * `baseUrl`. One request a call; a second one where the answer can't be read.
 *
 * Throws `INVALID_ARGUMENT` for an unusable address or a missing key. A call rejects with `DISTILLER_FAILED`, `TIMEOUT`
 * or `ABORTED`; what is broken in an answer is mended or left out where `salvage` is set, else a failure.
 */
export function openaiDistiller(options: OpenAIDistillerOptions = {}): Distiller {
  return modelDistiller(openaiChat(options, "DISTILLER_FAILED"), options.maxInputTokens);
}
