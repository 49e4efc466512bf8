import {
  createTurnRecorder,
  MemoryError,
  type MessageInput,
  type OpenTurn,
  type Outcome,
  type Report,
} from "@throughline/core";
import type { ModelMessage } from "ai";
import { approvalCalls } from "./convert/from-model-messages.ts";
import { convertEach } from "./convert/host-messages.ts";
import { createPartialStep, sourcePart } from "./convert/partial-step.ts";
import { callIds, isAbort, isWaiting, statusOf } from "./convert/run-status.ts";
import type { RunHooks, RunSource } from "./run-events.ts";
import type { MemoryRun } from "./run-options.ts";

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
  let lastError: unknown;
  const recorder = createTurnRecorder(turn, report);

  const convert = (messages: readonly ModelMessage[], sources: readonly RunSource[] = []): MessageInput[] => {
    for (const [approval, call] of approvalCalls(messages)) calls.set(approval, call);
    const inputs = convertEach(messages, calls, report).map(({ input }) => input);
    const answer = inputs.findLast(({ role }) => role === "assistant");
    if (answer && sources.length > 0) answer.parts = [...(answer.parts ?? []), ...sources.map(sourcePart)];
    return inputs;
  };

  const cutShort = (status: "aborted" | "failed", error?: unknown): Promise<Outcome> => {
    const known = new Set(callIds([...turn.messages, ...finished]));
    const rest = partial.messages((callId) => known.has(callId));
    return recorder.end(status, [...before, ...finished, ...rest], error);
  };
  const broke = (error: unknown) => cutShort(signal?.aborted || isAbort(error) ? "aborted" : "failed", error);

  const hooks: RunHooks = {
    async onStart() {
      if (recorder.ended === null) return;
      if (recorder.ended === "completed" || recorder.ended === "paused") {
        report(
          new MemoryError("TURN_ENDED", "These options have recorded a run already; call withMemory for each run."),
        );
        return;
      }
      // What failed first is completed.
      recorder.again();
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
      if (signal?.aborted && finishReason === "tool-calls" && !isWaiting(finished))
        await recorder.end("aborted", [...before, ...finished]);
    },
    async onStepError({ error }) {
      await broke(error);
    },
    async onError({ error }) {
      lastError = error;
      // Inside a step it may be tried again, or the step may still end; its own end says.
      if (!isStepOpen) await broke(error);
      return undefined;
    },
    async onAbort() {
      await cutShort("aborted");
    },
    async onEnd({ finishReason, responseMessages, steps }) {
      const ofSteps = steps.reduce((count, step) => count + step.response.messages.length, 0);
      before = convert(responseMessages.slice(0, responseMessages.length - ofSteps));
      await recorder.end(statusOf(finishReason, finished), [...before, ...finished], lastError);
    },
  };

  const run: MemoryRun = {
    turn,
    get recorded() {
      return recorder.recorded;
    },
    abort: () => cutShort("aborted"),
    fail: broke,
    async settle(result) {
      const value = await Promise.resolve(result).catch(async (error: unknown) => {
        await broke(error);
        throw error;
      });
      // Rejects where the memory is strict.
      if (recorder.ended) await recorder.recorded;
      return value;
    },
  };
  return { hooks, run };
}
