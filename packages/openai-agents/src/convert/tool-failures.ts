import type { MessageInput, Part } from "@throughline/core";
import type { ConvertedMessage } from "./from-items.ts";

/** What the SDK tells a model of a tool that threw, where the tool says nothing of its own. */
const FAILED = "An error occurred while running the tool.";

/**
 * A run's messages with the results marked that are no answer of a tool: the SDK tells a throw and a person's refusal in words, as
 * it tells any other result. `decided` holds the person's decisions. Pure.
 */
export function withFailures(
  messages: readonly Pick<ConvertedMessage, "input">[],
  decided: readonly MessageInput[],
): MessageInput[] {
  const denied = new Set(
    decided
      .flatMap(({ parts = [] }) => parts)
      .flatMap((part) => (part.type === "approval" && part.state === "denied" ? [part.callId] : [])),
  );
  const marked = (part: Part): Part => {
    if (part.type !== "tool-result") return part;
    const isThrow = typeof part.output === "string" && part.output.startsWith(FAILED);
    return isThrow || denied.has(part.callId) ? { ...part, isError: true } : part;
  };
  return messages.map(({ input }) => ({ ...input, parts: input.parts.map(marked) }));
}
