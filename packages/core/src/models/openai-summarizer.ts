import type { Summarizer } from "../contract/models.ts";
import { DEFAULT_INPUT_TOKENS } from "./ask-model.ts";
import { modelSummarizer } from "./model-summarizer.ts";
import { type OpenAIChatOptions, openaiChat } from "./openai-chat.ts";

/** What {@link openaiSummarizer} can be told. */
export interface OpenAISummarizerOptions extends OpenAIChatOptions {}

/**
 * A summarizer over OpenAI's Chat Completions, which vLLM, Ollama, LiteLLM, Azure OpenAI and many others speak: set
 * `baseUrl`. An answer is limited to about 1.5 times the summary's `maxTokens`; a model that thinks first needs more,
 * given by `extraBody`.
 *
 * Throws `INVALID_ARGUMENT` for an unusable address or a missing key. A call rejects with `SUMMARIZER_FAILED`,
 * `TIMEOUT` or `ABORTED`; an answer that is empty, refused, malformed or cut off without a usable part is a failure.
 */
export function openaiSummarizer(options: OpenAISummarizerOptions = {}): Summarizer {
  return modelSummarizer(openaiChat(options, "SUMMARIZER_FAILED"), options.maxInputTokens ?? DEFAULT_INPUT_TOKENS);
}
