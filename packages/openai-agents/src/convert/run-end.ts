import {
  AgentsError,
  InputGuardrailTripwireTriggered,
  OutputGuardrailTripwireTriggered,
  type RunContext,
  RunResult,
} from "@openai/agents";
import type { HostItem } from "./from-items.ts";
import type { RunData } from "./run-log.ts";

/** The state that an error carries, where it is this run's and not that of one inside a tool. */
export function dataOf(error: unknown, runContext: RunContext<unknown>): RunData | null {
  if (!(error instanceof AgentsError) || error.state === undefined) return null;
  const data = new RunResult(error.state);
  return data.runContext === runContext ? data : null;
}

/** Did a guardrail stop what goes in? Then the person's words are not to be shown to a model again. */
export const isBlockedInput = (error: unknown): boolean => error instanceof InputGuardrailTripwireTriggered;

/** What a guardrail kept back was never said: the answer goes, what tools did stays. */
export function withoutBlocked(items: readonly HostItem[], error: unknown): HostItem[] {
  if (!isBlockedInput(error) && !(error instanceof OutputGuardrailTripwireTriggered)) return [...items];
  const isSaid = ({ item }: HostItem) => item.type === "message" || item.type === "reasoning";
  const last = items.findLastIndex((entry) => !isSaid(entry));
  return items.slice(0, last + 1);
}

/** What was said in the answer that never came to its end: all that was streamed, less what stands in finished ones. */
export function unfinishedText(streamed: string, items: readonly HostItem[]): string {
  const finished = items
    .flatMap(({ item }) => (item.type === "message" && item.role === "assistant" ? item.content : []))
    .map((entry) => (entry.type === "output_text" ? entry.text : ""))
    .join("");
  return streamed.startsWith(finished) ? streamed.slice(finished.length) : "";
}
