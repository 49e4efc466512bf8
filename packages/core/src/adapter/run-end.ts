import type { MessageInput } from "../contract/message.ts";

/** For adapters: was the run stopped, by the app or by its time limit, rather than broken? */
export const isStop = (error: unknown): boolean =>
  error instanceof Error && (error.name === "AbortError" || error.name === "TimeoutError");

/** For adapters: ids of the calls in these messages that wait for an answer. What a provider runs itself doesn't. */
export function waitingCalls(messages: Iterable<Pick<MessageInput, "parts">>): Set<string> {
  const waiting = new Set<string>();
  for (const { parts = [] } of messages) {
    for (const part of parts) {
      if (part.type === "tool-call" && !part.providerExecuted) waiting.add(part.callId);
      if (part.type === "tool-result") waiting.delete(part.callId);
    }
  }
  return waiting;
}
