import { MemoryError, type MessageInput, type OpenTurn, type Outcome, type TurnStatus } from "@throughline/core";
import type { ModelMessage } from "ai";
import { approvalCalls, fromModelMessage } from "./convert/from-model-messages.ts";
import { createPartialStep, sourcePart } from "./partial-step.ts";
import type { Report } from "./report.ts";
import type { RunHooks, RunSource } from "./run-events.ts";

/** One run as the memory sees it. */
export interface MemoryRun {
  /** The turn that the run is recorded as. */
  readonly turn: OpenTurn;
  /** How the turn was recorded. Pending until the run has ended. */
  readonly recorded: Promise<Outcome>;
  /** Records what has happened so far as aborted, for an end that no callback sees. Does nothing after another end. */
  abort(): Promise<Outcome>;
  /** The same for a failure. */
  fail(error: unknown): Promise<Outcome>;
  /**
   * Waits for `generateText` and records its failure where no callback saw it: an abort between two steps, a prompt
   * that was refused. Gives back what the run gives, and rejects as it does.
   */
  settle<Result>(run: PromiseLike<Result>): Promise<Result>;
}

/** Where a run starts from. */
export interface RecordRunOptions {
  turn: OpenTurn;
  /** How many messages the run was given. */
  promptLength: number;
  /** Calls of approvals that the run's own messages don't show. */
  approvals: ReadonlyMap<string, string>;
  signal: AbortSignal | undefined;
  report: Report;
}

/** How a run that came to its end is recorded. */
function statusOf(finishReason: string, messages: readonly MessageInput[]): TurnStatus {
  if (finishReason === "error") return "failed";
  if (finishReason === "interrupted") return "aborted";
  // An answer that was cut off leaves calls open that nobody will answer.
  const isWhole = finishReason !== "length" && finishReason !== "content-filter";
  return isWhole && isWaiting(messages) ? "paused" : "completed";
}

const isAbort = (error: unknown): boolean =>
  error instanceof Error && (error.name === "AbortError" || error.name === "TimeoutError");

/** Records one run as one turn, whichever of its ends comes first. */
export function recordRun({ turn, promptLength, approvals, signal, report }: RecordRunOptions): {
  hooks: RunHooks;
  run: MemoryRun;
} {
  const calls = new Map(approvals);
  const partial = createPartialStep();
  /** Results of approved calls that ran before the first step. */
  let before: MessageInput[] = [];
  let finished: MessageInput[] = [];
  let isStepOpen = false;
  let ended: { status: TurnStatus; outcome: Promise<Outcome> } | null = null;
  let settled = pendingOutcome();

  const convert = (messages: readonly ModelMessage[], sources: readonly RunSource[] = []): MessageInput[] => {
    for (const [approval, call] of approvalCalls(messages)) calls.set(approval, call);
    const inputs = messages.flatMap((message) => {
      try {
        return [fromModelMessage(message, calls)];
      } catch (error) {
        report(error);
        return [];
      }
    });
    const answer = inputs.findLast(({ role }) => role === "assistant");
    if (answer && sources.length > 0) answer.parts = [...(answer.parts ?? []), ...sources.map(sourcePart)];
    return inputs;
  };

  const write = async (status: TurnStatus, messages: MessageInput[], error: unknown): Promise<Outcome> => {
    // The same options tried again, with another model for example: what failed first is completed.
    if (turn.ended) {
      const { id, fresh, conversation } = turn;
      return conversation.record({ id, status, messages: [...fresh, ...messages] });
    }
    if (status === "completed") return turn.complete(messages);
    if (status === "paused") return turn.pause(messages);
    return status === "aborted" ? turn.abort(messages) : turn.fail(error, messages);
  };

  const end = (status: TurnStatus, rest: readonly MessageInput[] = [], error?: unknown): Promise<Outcome> => {
    ended ??= {
      status,
      outcome: write(status, [...before, ...finished, ...rest], error).then(
        (outcome) => {
          if (outcome.status === "failed" || (outcome.status === "refused" && outcome.code !== "TIER_OFF"))
            report(outcome);
          settled.resolve(outcome);
          return outcome;
        },
        // Only a strict memory throws.
        (thrown: unknown) => {
          report(thrown);
          settled.reject(thrown);
          return { status: "failed", code: MemoryError.isInstance(thrown) ? thrown.code : "STORE_FAILED" };
        },
      ),
    };
    return ended.outcome;
  };

  const cutShort = (status: "aborted" | "failed", error?: unknown): Promise<Outcome> => {
    const known = new Set(callIds([...turn.messages, ...finished]));
    return end(
      status,
      partial.messages((callId) => known.has(callId)),
      error,
    );
  };
  const broke = (error: unknown) => cutShort(signal?.aborted || isAbort(error) ? "aborted" : "failed", error);

  const hooks: RunHooks = {
    async onStart() {
      if (ended === null) return;
      if (ended.status === "completed" || ended.status === "paused") {
        report(
          new MemoryError("TURN_ENDED", "These options have recorded a run already; call withMemory for each run."),
        );
        return;
      }
      ended = null;
      settled = pendingOutcome();
      before = [];
      finished = [];
      partial.reset();
    },
    async onStepStart({ stepNumber, messages }) {
      isStepOpen = true;
      if (stepNumber !== 0) return;
      before = convert(messages.slice(promptLength).filter(({ role }) => role === "tool"));
      if (before.length > 0) partial.reset();
    },
    async onToolExecutionEnd(event) {
      partial.toolRan(event);
    },
    async onChunk({ chunk }) {
      partial.chunk(chunk);
    },
    async onStepEnd({ finishReason, response, sources, experimental_steeringMessages: steering = [] }) {
      isStepOpen = false;
      partial.reset();
      finished.push(...convert([...steering, ...response.messages], sources));
      // `generateText` tells nobody of an abort between two steps, and after this one there won't be a next.
      if (signal?.aborted && finishReason === "tool-calls" && !isWaiting(finished)) await end("aborted");
    },
    async onStepError({ error }) {
      await broke(error);
    },
    async onError({ error }) {
      // Inside a step the error may be tried again, or the step may still end; its own end says.
      if (!isStepOpen) await broke(error);
      return undefined;
    },
    async onAbort() {
      await cutShort("aborted");
    },
    async onEnd({ finishReason, responseMessages, steps }) {
      const ofSteps = steps.reduce((count, step) => count + step.response.messages.length, 0);
      before = convert(responseMessages.slice(0, responseMessages.length - ofSteps));
      await end(statusOf(finishReason, finished));
    },
  };

  const run: MemoryRun = {
    turn,
    get recorded() {
      return settled.promise;
    },
    abort: () => cutShort("aborted"),
    fail: broke,
    async settle(result) {
      const value = await Promise.resolve(result).catch(async (error: unknown) => {
        await broke(error);
        throw error;
      });
      // Rejects where the memory is strict.
      if (ended) await settled.promise;
      return value;
    },
  };
  return { hooks, run };
}

/** Whoever waits for it sees its failure; nobody has to wait. */
function pendingOutcome(): PromiseWithResolvers<Outcome> {
  const pending = Promise.withResolvers<Outcome>();
  pending.promise.catch(() => {});
  return pending;
}

const callIds = (messages: readonly Pick<MessageInput, "parts">[]): string[] =>
  messages.flatMap(({ parts = [] }) => parts.flatMap((part) => (part.type === "tool-call" ? [part.callId] : [])));

/** Does a call of these messages wait for a person or for the client's own tool? */
function isWaiting(messages: readonly MessageInput[]): boolean {
  const open = new Set<string>();
  for (const part of messages.flatMap(({ parts = [] }) => parts)) {
    if (part.type === "tool-call" && !part.providerExecuted) open.add(part.callId);
    if (part.type === "tool-result") open.delete(part.callId);
    // A call that the provider runs waits as well where it asked for approval.
    if (part.type === "approval" && part.state === "requested") open.add(part.callId);
    if (part.type === "approval" && part.state !== "requested") open.delete(part.callId);
  }
  return open.size > 0;
}
