import type { Distiller } from "../contract/models.ts";
import { modelDistiller } from "../extract/model-distiller.ts";
import { type AnthropicChatOptions, anthropicChat } from "./anthropic-chat.ts";

/** What {@link anthropicDistiller} can be told. */
export interface AnthropicDistillerOptions extends AnthropicChatOptions {}

/**
 * A distiller over Anthropic's Messages API, or a gateway that speaks it: set `baseUrl`, with or without `/v1`. One
 * request a call; a second one where the answer can't be read.
 *
 * Throws `INVALID_ARGUMENT` for an unusable address or a missing key. A call rejects with `DISTILLER_FAILED`, `TIMEOUT`
 * or `ABORTED`; what is broken in an answer is mended or left out where `salvage` is set, else a failure.
 */
export function anthropicDistiller(options: AnthropicDistillerOptions = {}): Distiller {
  return modelDistiller(anthropicChat(options, "DISTILLER_FAILED"), options.maxInputTokens);
}
