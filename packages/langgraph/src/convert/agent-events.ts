import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import { type AgentEvent, asMemoryError, jsonOrText, MemoryError, toolResultEvents } from "@throughline/core";
import { stateMessages } from "./run-messages.ts";

/** Turns what a graph streams in the modes `messages` and `updates` into an agent's events. For one run. */
export class AgentEvents {
  /** The newest answer. */
  text = "";
  readonly #told = new Set<string>();

  /** The events of one chunk. */
  *of(mode: string, chunk: unknown): Generator<AgentEvent> {
    if (mode === "messages") {
      const [message] = chunk as [BaseMessage];
      if (message.type === "ai" && message.text !== "") yield { type: "delta", text: message.text };
      return;
    }
    // A run that waits for a person has no answer yet.
    if (Object.hasOwn(chunk as object, "__interrupt__")) this.text = "";
    for (const message of updatedMessages(chunk)) {
      if (AIMessage.isInstance(message)) {
        if (message.text !== "") this.text = message.text;
        for (const { id = "", name, args } of message.tool_calls ?? []) {
          if (this.#isNew(`call ${id}`)) yield { type: "tool_call", callId: id, tool: name, input: jsonOrText(args) };
        }
      } else if (ToolMessage.isInstance(message) && this.#isNew(`result ${message.tool_call_id}`)) {
        yield* this.#result(message);
      }
    }
  }

  *#result({ tool_call_id: callId, name: tool = "", content, status }: ToolMessage): Generator<AgentEvent> {
    const isError = status === "error";
    yield* toolResultEvents({ callId, tool, output: jsonOrText(content), ...(isError ? { isError } : {}) });
  }

  #isNew(what: string): boolean {
    if (this.#told.has(what)) return false;
    this.#told.add(what);
    return true;
  }
}

/** How an error is told to whoever runs the agent. */
export function errorEvent(error: unknown): AgentEvent {
  // The middleware's errors wrap what the host threw on the way.
  const cause = MemoryError.isInstance((error as Error | null)?.cause) ? asMemoryError((error as Error).cause) : error;
  if (MemoryError.isInstance(cause)) return { type: "error", code: cause.code, message: cause.message };
  const { name = "Error", message = String(error), lc_error_code: code } = { ...failureOf(error) };
  return { type: "error", code: code ?? name, message };
}

const failureOf = (error: unknown): { name?: string; message?: string; lc_error_code?: string } | undefined =>
  error instanceof Error
    ? {
        name: error.name,
        message: error.message,
        ...("lc_error_code" in error && { lc_error_code: String(error.lc_error_code) }),
      }
    : undefined;

/** The messages that nodes have put into the state. */
const updatedMessages = (chunk: unknown): BaseMessage[] =>
  Object.values({ ...(chunk as object) })
    .flat()
    .flatMap(stateMessages);
