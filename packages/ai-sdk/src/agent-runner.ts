import { type AgentEvent, type AgentRunner, isStop, type Json, toolResultEvents } from "@throughline/core";
import type { TextStreamPart, ToolSet } from "ai";
import { toJson } from "./convert/json.ts";
import { toModelMessages } from "./convert/to-model-messages.ts";
import type { MemoryAgent } from "./memory-agent.ts";
import type { MemoryRun } from "./run-options.ts";

/**
 * The agent as a server runs it: one turn in, what it says and does out. The turn is recorded whether or not anybody
 * listens to the end; a failure is the last event, never a throw.
 */
export function agentRunner<CallOptions, Tools extends ToolSet>(
  agent: MemoryAgent<CallOptions, Tools>,
  options?: CallOptions,
): AgentRunner {
  return async function* run({ messages, conversation, signal }): AsyncGenerator<AgentEvent> {
    let memory: MemoryRun | undefined;
    let text = "";
    let failed: unknown;
    try {
      const bound = agent.in(conversation, (started) => {
        memory = started;
      });
      // Whether the agent takes options is its own type's to say.
      const call = { messages: toModelMessages(messages, { exact: true }), abortSignal: signal, options } as never;
      const result = await bound.stream(call);
      // A listener that goes away leaves the run to its end.
      void result.consumeStream({ onError: () => {} });
      const injected = memory?.turn.injected.length ?? 0;
      if (injected > 0) yield { type: "memory", action: "recalled", detail: { items: injected } };
      for await (const part of result.stream) {
        if (part.type === "error") failed = part.error;
        if (part.type === "abort") failed = signal.reason ?? new DOMException("The run was stopped.", "AbortError");
        if (part.type === "start-step") text = "";
        for (const event of eventsOf(part)) {
          if (event.type === "delta") text += event.text;
          yield event;
        }
      }
      await memory?.recorded;
    } catch (error) {
      failed = error;
      await memory?.fail(error);
    }
    yield failed === undefined ? { type: "done", text } : errorEvent(failed);
  };
}

function eventsOf(part: TextStreamPart<ToolSet>): AgentEvent[] {
  switch (part.type) {
    case "text-delta":
      return [{ type: "delta", text: part.text }];
    case "tool-call":
      return [{ type: "tool_call", callId: part.toolCallId, tool: part.toolName, input: json(part.input) }];
    case "tool-result": {
      if (part.preliminary) return [];
      const { toolCallId: callId, toolName: tool } = part;
      return toolResultEvents({ callId, tool, output: json(part.output) });
    }
    case "tool-error": {
      const { toolCallId: callId, toolName: tool } = part;
      return [{ type: "tool_result", callId, tool, output: String(part.error), isError: true }];
    }
    default:
      return [];
  }
}

const json = (value: unknown): Json => toJson(value ?? null, "A tool's value");

function errorEvent(error: unknown): AgentEvent {
  const { code, message } = error as { code?: unknown; message?: unknown };
  const name = isStop(error) ? "ABORTED" : "AGENT_FAILED";
  return {
    type: "error",
    code: typeof code === "string" ? code : name,
    message: typeof message === "string" ? message : String(error),
  };
}
