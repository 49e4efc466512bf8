import type { MessageInput, TurnStatus } from "@throughline/core";

/** How a run that came to its end is recorded. */
export function statusOf(finishReason: string, messages: readonly MessageInput[]): TurnStatus {
  if (finishReason === "error") return "failed";
  if (finishReason === "interrupted") return "aborted";
  // An answer that was cut off leaves calls open that nobody will answer.
  const isWhole = finishReason !== "length" && finishReason !== "content-filter";
  return isWhole && isWaiting(messages) ? "paused" : "completed";
}

/** Ids of the calls in these messages. */
export const callIds = (messages: readonly Pick<MessageInput, "parts">[]): string[] =>
  messages.flatMap(({ parts = [] }) => parts.flatMap((part) => (part.type === "tool-call" ? [part.callId] : [])));

/** Does a call of these messages wait for a person or for the client's own tool? */
export function isWaiting(messages: readonly MessageInput[]): boolean {
  const open = new Set<string>();
  for (const part of messages.flatMap(({ parts = [] }) => parts)) {
    if (part.type === "tool-call" && !part.providerExecuted) open.add(part.callId);
    if (part.type === "tool-result") open.delete(part.callId);
    // A call that the provider runs waits as well where it asked for approval.
    if (part.type === "approval" && part.state === "requested") open.add(part.callId);
    if (part.type === "approval" && part.state !== "requested") open.delete(part.callId);
  }
  return open.size > 0;
}
