import type { BaseMessage } from "@langchain/core/messages";
import type { MessageInput, Report } from "@throughline/core";
import { fromLangChainMessage, type ToolNames } from "./from-langchain-messages.ts";

/** Each message in the neutral form; one that can't be carried is reported and only the model sees it. */
export function convertEach(messages: readonly BaseMessage[], names: ToolNames, report: Report): MessageInput[] {
  return messages.flatMap((message) => {
    if (!isSaid(message)) return [];
    try {
      return [fromLangChainMessage(message, names)];
    } catch (error) {
      report(error);
      return [];
    }
  });
}

/** Orders to the graph's own state, and what stands in it for messages that were summarized, nobody has said. */
const isSaid = ({ type, additional_kwargs }: BaseMessage): boolean =>
  type !== "remove" && additional_kwargs?.lc_source !== "summarization";

/** The messages behind the last one that was known as the turn began; `null` where somebody has taken that one out. */
export function behind(messages: readonly BaseMessage[], anchor: string | undefined): readonly BaseMessage[] | null {
  if (anchor === undefined) return messages.slice(leadingSystem(messages).length);
  const at = messages.findLastIndex(({ id }) => id === anchor);
  return at < 0 ? null : messages.slice(at + 1);
}

/** System messages at the head: the app's own instructions. */
export function leadingSystem(messages: readonly BaseMessage[]): readonly BaseMessage[] {
  const end = messages.findIndex(({ type }) => type !== "system");
  return end < 0 ? messages : messages.slice(0, end);
}

/** Ids of the calls that wait for an answer. */
export function openCalls(messages: Iterable<MessageInput>): Set<string> {
  const open = new Set<string>();
  for (const { parts = [] } of messages) {
    for (const part of parts) {
      if (part.type === "tool-call" && !part.providerExecuted) open.add(part.callId);
      if (part.type === "tool-result") open.delete(part.callId);
    }
  }
  return open;
}

export const isWaiting = (messages: Iterable<MessageInput>): boolean => openCalls(messages).size > 0;

/** Was the run stopped, by the app or by its time limit, rather than broken? */
export const isAbort = (error: unknown): boolean =>
  error instanceof Error && (error.name === "AbortError" || error.name === "TimeoutError");

/** LangGraph throws to interrupt a run and to leave a subgraph; neither is a failure. */
export const bubbles = (error: unknown): boolean => (error as { is_bubble_up?: unknown } | null)?.is_bubble_up === true;

export const isInterrupt = (error: unknown): boolean => bubbles(error) && (error as Error).name === "GraphInterrupt";
