import type { Summarizer } from "../contract/models.ts";
import { type AnthropicChatOptions, anthropicChat } from "./anthropic-chat.ts";
import { DEFAULT_INPUT_TOKENS } from "./ask-model.ts";
import { modelSummarizer } from "./model-summarizer.ts";

/** What {@link anthropicSummarizer} can be told. */
export interface AnthropicSummarizerOptions extends AnthropicChatOptions {}

/**
 * A summarizer over Anthropic's Messages API, or a gateway that speaks it: set `baseUrl`, with or without `/v1`.
 *
 * Throws `INVALID_ARGUMENT` for an unusable address or a missing key. A call rejects with `SUMMARIZER_FAILED`,
 * `TIMEOUT` or `ABORTED`; an answer that is empty, refused, malformed or cut off without a usable part is a failure.
 */
export function anthropicSummarizer(options: AnthropicSummarizerOptions = {}): Summarizer {
  return modelSummarizer(anthropicChat(options, "SUMMARIZER_FAILED"), options.maxInputTokens ?? DEFAULT_INPUT_TOKENS);
}
