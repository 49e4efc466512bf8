import type { MessageInput, Part } from "@throughline/core";

/** Does a call of these messages wait for its result? */
export function callsOpen(messages: readonly { parts?: readonly Part[] | MessageInput["parts"] }[]): boolean {
  const open = new Set<string>();
  for (const part of messages.flatMap(({ parts = [] }) => parts)) {
    if (part.type === "tool-call" && !part.providerExecuted) open.add(part.callId);
    if (part.type === "tool-result") open.delete(part.callId);
  }
  return open.size > 0;
}
