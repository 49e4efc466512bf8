import type { Message, Part } from "../contract/message.ts";

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

/** User and assistant messages, as `maxMessages` counts them. */
export const countMessages = (messages: readonly Pick<Message, "role">[]): number =>
  messages.reduce((count, { role }) => count + (role === "user" || role === "assistant" ? 1 : 0), 0);

/** Calls `visit` with every text of a message that a model would be shown. */
export function visitTexts(message: Pick<Message, "parts">, visit: (text: string) => void): void {
  for (const part of message.parts) {
    switch (part.type) {
      case "text":
      case "reasoning":
        visit(part.text);
        break;
      case "tool-call":
        visit(part.tool);
        visit(JSON.stringify(part.input));
        break;
      case "tool-result":
        visit(typeof part.output === "string" ? part.output : JSON.stringify(part.output));
        break;
      case "custom":
        visit(JSON.stringify(part.value));
        break;
      default:
        break;
    }
  }
}

/** Tokens that the framing of one message costs beside its text. */
const MESSAGE_OVERHEAD = 4;

/** Tokens of messages by a counter of texts, framing included. Files count by a flat estimate. */
export function messageTokens(messages: readonly Pick<Message, "parts">[], count: (text: string) => number): number {
  let total = 0;
  for (const message of messages) {
    total += MESSAGE_OVERHEAD;
    visitTexts(message, (value) => {
      total += count(value);
    });
    for (const part of message.parts) if (part.type === "file") total += 256;
  }
  return total;
}
