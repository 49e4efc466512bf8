import { type AgentEvent, jsonOrText, type MessageInput, toolResultEvents } from "@throughline/core";

/** A piece of an agent's stream, as far as it is read here. */
export interface StreamChunk {
  type: string;
  payload?: unknown;
}

interface Payload {
  id?: string;
  text?: string;
  toolCallId?: string;
  toolName?: string;
  args?: unknown;
  result?: unknown;
  isError?: boolean;
  error?: unknown;
  reason?: string;
}

/** An agent's events for one piece of its stream. */
export function* eventsOf({ type, payload }: StreamChunk): Generator<AgentEvent> {
  // The members are those of the types named below.
  const {
    text = "",
    toolCallId: callId = "",
    toolName: tool = "",
    args,
    result,
    isError,
    error,
    reason,
  } = {
    ...(payload as Payload | undefined),
  };
  switch (type) {
    case "text-delta":
      yield { type: "delta", text };
      return;
    case "tool-call":
      yield { type: "tool_call", callId, tool, input: jsonOrText(args) };
      return;
    case "tool-result":
      yield* toolResultEvents({ callId, tool, output: jsonOrText(result), ...(isError ? { isError } : {}) });
      return;
    case "tool-error":
      yield { type: "tool_result", callId, tool, output: nameOf(error).message, isError: true };
      return;
    case "error":
      yield { type: "error", ...nameOf(error) };
      return;
    case "tripwire":
      yield { type: "error", code: "TRIPWIRE", message: reason ?? "" };
  }
}

/** An error by its code or its name. */
export function nameOf(error: unknown): { code: string; message: string } {
  const { code, id, name, message } = { ...members(error) };
  const named = [code, id, name].find((value) => typeof value === "string");
  return {
    code: typeof named === "string" ? named : "Error",
    message: typeof message === "string" ? message : String(error),
  };
}

const members = (error: unknown): { [member: string]: unknown } | undefined =>
  error instanceof Error
    ? { ...error, name: error.name, message: error.message }
    : typeof error === "object" && error !== null
      ? { ...error }
      : undefined;

/** What a person has said of a call that waits: yes or no, or the answer that its tool asked for. */
export type Decision = { callId: string } & (
  | { type: "approve" }
  | { type: "decline" }
  | { type: "answer"; answer: unknown }
);

/** The decisions among what is new. */
export const decisionsOf = (messages: readonly MessageInput[]): Decision[] =>
  messages.flatMap(({ parts = [] }) =>
    parts.flatMap((part): Decision[] => {
      if (part.type === "tool-result") return [{ callId: part.callId, type: "answer", answer: part.output }];
      if (part.type !== "approval" || part.state === "requested") return [];
      return [{ callId: part.callId, type: part.state === "approved" ? "approve" : "decline" }];
    }),
  );
