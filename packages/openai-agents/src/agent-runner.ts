import { type AgentInputItem, RunState, type StreamedRunResult } from "@openai/agents";
import {
  type AgentEvent,
  type AgentRunner,
  asMemoryError,
  type Conversation,
  type MessageInput,
  toJson,
} from "@throughline/core";
import { approvalCall } from "./convert/from-items.ts";
import { toItems } from "./convert/to-items.ts";
import { readArguments } from "./convert/tool-output.ts";
import type { AnyAgent, StreamedRun } from "./run-options.ts";
import { runWithMemory } from "./run-with-memory.ts";

/** Where the states of runs that wait for a person are kept, by the conversation's id, as text. */
export interface RunStates {
  load(conversation: string): Promise<string | null>;
  /** `null` forgets it. */
  save(conversation: string, state: string | null): Promise<void>;
}

/** How an agent is run for a server. */
export interface AgentRunnerOptions<Context>
  extends Omit<StreamedRun<Context, AnyAgent>, "stream" | "signal" | "context"> {
  /** The context of a run. @default none */
  context?(conversation: Conversation): Context;
  /** Keeps states for answers that another process gets. @default in this process */
  states?: RunStates;
}

/**
 * An agent as a server runs it. A run that waits for a person ends with the event `done`; messages that hold the answers
 * (approval parts) go on with it.
 */
export function agentRunner<Context = undefined>(
  agent: AnyAgent,
  options: AgentRunnerOptions<Context> = {},
): AgentRunner {
  const { context, states = statesInProcess(), ...rest } = options;
  return async function* run({ messages, conversation, signal }): AsyncGenerator<AgentEvent> {
    try {
      const input = await inputOf<Context>(agent, messages, conversation, states);
      const given = context === undefined ? {} : { context: context(conversation) };
      const options: StreamedRun<Context, AnyAgent> = { ...rest, ...given, stream: true, signal };
      const result = await runWithMemory(conversation, agent, input, options);
      yield* eventsOf(result);
      const isWaiting = result.interruptions.length > 0;
      await states.save(conversation.id, isWaiting ? result.state.toString() : null);
      // Read only where there is one: the host warns of a look too early.
      const text = isWaiting || result.cancelled ? "" : result.finalOutput;
      yield { type: "done", text: typeof text === "string" ? text : JSON.stringify(text ?? "") };
    } catch (error) {
      const { code, message } = error instanceof Error && "code" in error ? asMemoryError(error) : nameOf(error);
      yield { type: "error", code, message };
    }
  };
}

function nameOf(error: unknown): { code: string; message: string } {
  return error instanceof Error ? { code: error.name, message: error.message } : { code: "Error", message: "" };
}

function statesInProcess(): RunStates {
  const states = new Map<string, string>();
  return {
    load: async (conversation) => states.get(conversation) ?? null,
    async save(conversation, state) {
      if (state === null) states.delete(conversation);
      else states.set(conversation, state);
    },
  };
}

/** The new messages as items; the state of the run that waits where they answer it. */
async function inputOf<Context>(
  agent: AnyAgent,
  messages: readonly MessageInput[],
  conversation: Conversation,
  states: RunStates,
): Promise<AgentInputItem[] | RunState<Context, AnyAgent>> {
  const answers = messages.flatMap(({ parts = [] }) => parts.filter((part) => part.type === "approval"));
  const text = answers.length === 0 ? null : await states.load(conversation.id);
  if (text === null) return toItems(messages);
  const state = await RunState.fromString<Context, AnyAgent>(agent, text);
  for (const asked of state.getInterruptions()) {
    const answer = answers.find(({ callId }) => callId === approvalCall(asked.rawItem));
    if (answer?.state === "approved") state.approve(asked);
    if (answer?.state === "denied") state.reject(asked, answer.reason === undefined ? {} : { message: answer.reason });
  }
  return state;
}

async function* eventsOf<Context>(result: StreamedRunResult<Context, AnyAgent>): AsyncGenerator<AgentEvent> {
  for await (const event of result) {
    if (event.type === "raw_model_stream_event" && event.data.type === "output_text_delta") {
      yield { type: "delta", text: event.data.delta };
    }
    if (event.type !== "run_item_stream_event") continue;
    const { rawItem } = event.item;
    if (rawItem?.type === "function_call" && event.name !== "tool_approval_requested") {
      const { callId, name: tool, arguments: text } = rawItem;
      yield { type: "tool_call", callId, tool, input: readArguments(text).input };
    }
    if (rawItem?.type === "function_call_result") {
      const { callId, name: tool, output } = rawItem;
      const isText = typeof output === "object" && "text" in output;
      yield { type: "tool_result", callId, tool, output: isText ? output.text : toJson(output, "A tool's output") };
    }
  }
}
