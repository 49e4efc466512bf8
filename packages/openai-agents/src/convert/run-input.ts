import { type AgentInputItem, RunResult, type RunState } from "@openai/agents";
import type { MessageInput, Part, Report } from "@throughline/core";
import type { AnyAgent } from "../run-options.ts";
import { approvalCall, type ConvertedMessage, convertItems, fromRunItems } from "./from-items.ts";

/** The host's input as items. */
export const inputItems = (input: string | readonly AgentInputItem[]): AgentInputItem[] =>
  typeof input === "string" ? [{ type: "message", role: "user", content: input }] : [...input];

/** What goes into a run, as the memory is told of it. */
export function readInput(items: readonly AgentInputItem[], report: Report): ConvertedMessage[] {
  return convertItems(items, report);
}

/**
 * What is new goes to the model as the app wrote it: the end of what the app gave, and with it what can't be carried
 * over.
 */
export function newItems(
  items: readonly AgentInputItem[],
  given: readonly ConvertedMessage[],
  fresh: number,
): readonly AgentInputItem[] {
  return items.slice((given.at(-fresh - 1)?.through ?? -1) + 1);
}

/** What a state holds of its run, and what a person has decided of the calls that wait. */
export function readState<Context, TAgent extends AnyAgent>(
  state: RunState<Context, TAgent>,
  report: Report,
): { data: RunResult<Context, TAgent>; messages: MessageInput[] } {
  // The host's own reading of a state; `RunResult` takes the agent's output type apart, which a state leaves open.
  const data = new RunResult(state) as RunResult<Context, TAgent>;
  const so = [...inputItems(data.input).map((item) => ({ item })), ...fromRunItems(data.newItems)];
  const decisions: Part[] = (data.interruptions ?? []).flatMap((asked): Part[] => {
    const callId = approvalCall(asked.rawItem);
    const toolName = asked.name ?? "";
    const approved = data.runContext.isToolApproved({ toolName, callId });
    if (approved === undefined) return [];
    const reason = approved ? undefined : data.runContext.getRejectionMessage(toolName, callId);
    return [{ type: "approval", callId, state: approved ? "approved" : "denied", ...(reason ? { reason } : {}) }];
  });
  const messages: MessageInput[] = convertItems(so, report).map(({ input }) => input);
  return { data, messages: decisions.length === 0 ? messages : [...messages, { role: "tool", parts: decisions }] };
}
