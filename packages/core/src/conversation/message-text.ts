import { promptTokens } from "../budget/prompt-tokens.ts";
import type { Message, Part } from "../contract/message.ts";
import type { TokenCounter } from "../text/tokens.ts";

/** All text that a person or the model said in a message, joined by line breaks. */
export function messageText(message: { parts: readonly Part[] }): string {
  const first = message.parts[0];
  if (message.parts.length === 1) return first?.type === "text" ? first.text : "";
  return message.parts
    .filter((part) => part.type === "text")
    .map((part) => part.text)
    .join("\n");
}

/** What a tool answered in a message, as text. */
export function toolResultText(message: { parts: readonly Part[] }): string {
  const texts: string[] = [];
  for (const part of message.parts) {
    if (part.type === "tool-result") {
      texts.push(typeof part.output === "string" ? part.output : JSON.stringify(part.output));
    }
  }
  return texts.join("\n");
}

/** What was said in messages and what tools answered, as one text. */
export const wordsIn = (messages: readonly { parts: readonly Part[] }[]): string =>
  messages
    .flatMap((message) => [messageText(message), toolResultText(message)])
    .filter((text) => text !== "")
    .join("\n");

/** User and assistant messages, as `maxMessages` counts them. */
export const countMessages = (messages: readonly Pick<Message, "role">[]): number =>
  messages.reduce((count, { role }) => count + (role === "user" || role === "assistant" ? 1 : 0), 0);

/**
 * Tokens of messages by a counter of texts, framing, images and files included: the same estimate that the ceiling before
 * a model call goes by, so that a window that fits is a prompt that fits.
 */
export const messageTokens = (messages: readonly Pick<Message, "parts">[], count: TokenCounter): number =>
  promptTokens(messages, count);
