import { RunState, type StreamedRunResult } from "@openai/agents";
import {
  type AgentEvent,
  type AgentRunner,
  type ApprovalPart,
  type Conversation,
  MemoryError,
  toJson,
  waitingCalls,
} from "@throughline/core";
import { approvalCall } from "./convert/from-items.ts";
import { toItems } from "./convert/to-items.ts";
import { readArguments } from "./convert/tool-output.ts";
import type { AnyAgent, StreamedRun } from "./run-options.ts";
import { runWithMemory } from "./run-with-memory.ts";

/**
 * Where the states of runs that wait for a person are kept, by the id of their turn, as text. Whose a turn is the memory
 * says: nobody is given the state of another person's run.
 */
export interface RunStates {
  /** The state of a turn, as it was saved; `null` where there is none. */
  load(turn: string): Promise<string | null>;
  /** `null` forgets it. One that is never answered is never forgotten: keep it as long as an answer may come. */
  save(turn: string, state: string | null): Promise<void>;
}

/** How an agent is run for a server. */
export interface AgentRunnerOptions<Context>
  extends Omit<StreamedRun<Context, AnyAgent>, "stream" | "signal" | "context"> {
  /** The context of a run. @default none */
  context?(conversation: Conversation): Context;
  /** Keeps states for answers that another process gets. @default the newest 1,000 in this process */
  states?: RunStates;
}

/**
 * An agent as a server runs it. A run that waits for a person ends with the event `done`; messages that hold the answers
 * (approval parts) go on with it; where no state is kept for them the run is an `error` event.
 */
export function agentRunner<Context = undefined>(
  agent: AnyAgent,
  options: AgentRunnerOptions<Context> = {},
): AgentRunner {
  const { context, states = statesInProcess(), ...rest } = options;
  /** Turns that are being gone on with: an answer given twice runs no tool twice. */
  const resumed = new Set<string>();
  return async function* run({ messages, conversation, signal }): AsyncGenerator<AgentEvent> {
    let waited: string | null = null;
    try {
      const answers = messages.flatMap(({ parts = [] }) => parts.filter((part) => part.type === "approval"));
      const paused = answers.length === 0 ? null : await waitingTurn(conversation, answers);
      if (paused !== null) {
        if (resumed.has(paused)) throw new MemoryError("VERSION_CONFLICT", "The run is being gone on with already.");
        waited = paused;
        resumed.add(paused);
      }
      const input = waited === null ? toItems(messages) : await stateOf<Context>(agent, waited, answers, states);
      const given = context === undefined ? {} : { context: context(conversation) };
      const memory = waited === null ? rest.memory : { ...rest.memory, turnId: waited };
      const own: StreamedRun<Context, AnyAgent> = { ...rest, ...given, stream: true, signal };
      const result = await runWithMemory(conversation, agent, input, memory === undefined ? own : { ...own, memory });
      yield* eventsOf(result);
      const isWaiting = result.interruptions.length > 0;
      if (isWaiting) await states.save(result.memory.turn.id, result.state.toString());
      else if (waited !== null) await states.save(waited, null);
      // Read only where there is one: the host warns of a look too early.
      const text = isWaiting || result.cancelled ? "" : result.finalOutput;
      yield { type: "done", text: typeof text === "string" ? text : JSON.stringify(text ?? "") };
    } catch (error) {
      yield { type: "error", ...nameOf(error) };
    } finally {
      if (waited !== null) resumed.delete(waited);
    }
  };
}

/** Providers have codes of their own, which are not the memory's. */
function nameOf(error: unknown): { code: string; message: string } {
  if (MemoryError.isInstance(error)) return { code: error.code, message: error.message };
  return error instanceof Error ? { code: error.name, message: error.message } : { code: "Error", message: "" };
}

const MAX_STATES = 1_000;

function statesInProcess(): RunStates {
  const states = new Map<string, string>();
  return {
    load: async (turn) => states.get(turn) ?? null,
    async save(turn, state) {
      states.delete(turn);
      if (state === null) return;
      states.set(turn, state);
      const oldest = states.keys().next().value;
      if (states.size > MAX_STATES && oldest !== undefined) states.delete(oldest);
    },
  };
}

const notWaiting = () =>
  new MemoryError(
    "NOT_FOUND",
    "No run of this conversation waits for that answer: it was given already, or its state was not kept (option `states`).",
  );

/** The turn of this conversation that asks for one of these answers. */
async function waitingTurn(conversation: Conversation, answers: readonly ApprovalPart[]): Promise<string> {
  const paused = await conversation.resume();
  const calls = waitingCalls(paused?.messages ?? []);
  if (paused === null || !answers.some(({ callId }) => calls.has(callId))) throw notWaiting();
  return paused.id;
}

/** The state of the run that waits, with the answers in it. */
async function stateOf<Context>(
  agent: AnyAgent,
  turn: string,
  answers: readonly ApprovalPart[],
  states: RunStates,
): Promise<RunState<Context, AnyAgent>> {
  const text = await states.load(turn);
  if (text === null) throw notWaiting();
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
