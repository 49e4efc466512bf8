import { type Message, type MessageInput, type Part, sanitizeTranscript } from "@throughline/core";

/** Calls of these messages that wait for their result. */
export function openCalls(messages: readonly { parts?: readonly Part[] | MessageInput["parts"] }[]): Set<string> {
  const open = new Set<string>();
  for (const part of messages.flatMap(({ parts = [] }) => parts)) {
    if (part.type === "tool-call" && !part.providerExecuted) open.add(part.callId);
    if (part.type === "tool-result") open.delete(part.callId);
  }
  return open;
}

/**
 * Messages of several turns as one prompt. The host takes items of one call id for one item, and providers that count
 * their ids anew in each turn make them come again: later ones get ids of their own.
 */
export const withOwnCallIds = (messages: readonly Message[]): Message[] =>
  sanitizeTranscript(messages, { openCalls: openCalls(messages) });
