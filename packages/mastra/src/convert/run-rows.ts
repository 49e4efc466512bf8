import type { MessageInput, Report, TurnStatus } from "@throughline/core";
import { fromRow } from "./from-rows.ts";
import type { Row, RowPart } from "./rows.ts";

/** Each row in the neutral form; one that can't be carried is reported, and only the model sees it. */
export function convertEach(rows: readonly Row[], report: Report): MessageInput[] {
  return rows.flatMap((row) => {
    try {
      return fromRow(row);
    } catch (error) {
      report(error);
      return [];
    }
  });
}

/** What a run has brought forth and what is true of it: no errors that stand among the parts, no call half written. */
export function trueRows(rows: readonly Row[]): Row[] {
  return rows.flatMap((row) => {
    const said = row.content.parts.filter(isTrue);
    const last = said.findLastIndex(({ type }) => type !== "step-start");
    const parts = said.slice(0, last + 1);
    return parts.length === 0 ? [] : [{ ...row, content: { ...row.content, parts } }];
  });
}

const isTrue = (part: RowPart): boolean =>
  part.type !== "error" && !(part.type === "tool-invocation" && part.toolInvocation.state === "partial-call");

/** The error that Mastra keeps as a part of the answer. */
export function errorOf(rows: readonly Row[]): Error | undefined {
  const part = rows.flatMap(({ content }) => content.parts).findLast(({ type }) => type === "error");
  if (part?.type !== "error") return undefined;
  const { name, message } = part.error;
  return Object.assign(new Error(message), { name });
}

/** Messages with the approval that a call waits for: another framework sees what is asked. */
export function withApproval(messages: readonly MessageInput[], callId: string): MessageInput[] {
  return messages.map((message) => {
    const { parts = [] } = message;
    const at = parts.findIndex((part) => part.type === "tool-call" && part.callId === callId);
    const isAsked = parts.some((part) => part.type === "approval" && part.callId === callId);
    if (at < 0 || isAsked) return message;
    const asked = { type: "approval" as const, callId, state: "requested" as const };
    return { ...message, parts: [...parts.slice(0, at + 1), asked, ...parts.slice(at + 1)] };
  });
}

/** The messages without what is said behind the last tool. */
export function withoutAnswer(messages: readonly MessageInput[]): MessageInput[] {
  const isTools = ({ role, parts = [] }: MessageInput) =>
    role !== "assistant" || parts.some(({ type }) => type === "tool-call");
  return messages.slice(0, messages.findLastIndex(isTools) + 1);
}

/** Does a call of these messages wait for its result? */
export function isWaiting(messages: readonly MessageInput[]): boolean {
  const open = new Set<string>();
  for (const part of messages.flatMap(({ parts = [] }) => parts)) {
    if (part.type === "tool-call" && !part.providerExecuted) open.add(part.callId);
    if (part.type === "tool-result") open.delete(part.callId);
  }
  return open.size > 0;
}

/** How a run that came to an end is recorded. */
export function statusOf(finishReason: string, messages: readonly MessageInput[], isAborted: boolean): TurnStatus {
  if (finishReason === "error") return "failed";
  if (finishReason === "aborted") return "aborted";
  // An answer that was cut off leaves calls open that nobody will answer.
  if (finishReason !== "tool-calls" || !isWaiting(messages)) return "completed";
  return isAborted ? "aborted" : "paused";
}

/** Was the run stopped, by the app or by its time limit, rather than broken? */
export const isAbort = (error: unknown): boolean =>
  error instanceof Error && (error.name === "AbortError" || error.name === "TimeoutError");
