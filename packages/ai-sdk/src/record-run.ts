import {
  createResultKeeper,
  createTurnRecorder,
  isStop,
  MemoryError,
  type MessageInput,
  type OpenTurn,
  type Outcome,
  type Report,
  type TurnStatus,
} from "@throughline/core";
import type { ModelMessage, ToolSet } from "ai";
import { approvalCalls } from "./convert/from-model-messages.ts";
import { convertResponse } from "./convert/host-messages.ts";
import { createPartialStep } from "./convert/partial-step.ts";
import { createPromptView } from "./convert/prompt-view.ts";
import { callIds, isWaiting, statusOf } from "./convert/run-status.ts";
import { memoryPrepareStep } from "./prepare-step.ts";
import type { RunHooks, RunSource } from "./run-events.ts";
import type { MemoryRun, RunOptions } from "./run-options.ts";
import { createUIAnswer, type UIChat } from "./ui-answer.ts";

/** Where a run starts from. */
export interface RecordRunOptions {
  turn: OpenTurn;
  /** Calls of approvals that the run's own messages don't show. */
  approvals: ReadonlyMap<string, string>;
  signal: AbortSignal | undefined;
  report: Report;
  /** What is known, for the instructions. */
  block: string;
  app: Pick<RunOptions, "prepareStep" | "memory" | "tools">;
  /** The chat that the answer is shown in, and the answer's id there. */
  ui?: UIChat;
}

/** Records one run as one turn, whichever of its ends comes first. */
export function recordRun({ turn, approvals, signal, report, block, app, ui }: RecordRunOptions): {
  hooks: RunHooks;
  prepareStep: NonNullable<RunOptions["prepareStep"]>;
  run: MemoryRun;
} {
  const calls = new Map(approvals);
  const partial = createPartialStep();
  /** Results of approved calls that ran before the first step. */
  let before: MessageInput[] = [];
  let finished: MessageInput[] = [];
  let isStepOpen = false;
  let lastError: unknown;
  let tools: ToolSet | undefined = app.tools;
  const recorder = createTurnRecorder(turn, report);
  const results = createResultKeeper(turn, report, () => tools !== undefined && Object.hasOwn(tools, "get_artifact"));
  const soFar = () => [...before, ...finished, ...unfinished()];
  const answer = ui === undefined ? undefined : createUIAnswer({ turn, recorder, report, soFar }, ui);

  const convert = (messages: readonly ModelMessage[], sources: readonly RunSource[] = []): MessageInput[] => {
    for (const [approval, call] of approvalCalls(messages)) calls.set(approval, call);
    return convertResponse(messages, sources, calls, report);
  };

  const end = async (status: TurnStatus, rest: MessageInput[] = [], error?: unknown): Promise<Outcome> => {
    const messages = await results.offload([...before, ...finished, ...rest]);
    return recorder.end(status, answer?.name(messages) ?? messages, error);
  };
  const unfinished = (): MessageInput[] => {
    const known = new Set(callIds([...turn.messages, ...finished]));
    return partial.messages((callId) => known.has(callId));
  };
  const cutShort = (status: "aborted" | "failed", error?: unknown) => end(status, unfinished(), error);
  const broke = (error: unknown) => cutShort(signal?.aborted || isStop(error) ? "aborted" : "failed", error);

  const hooks: RunHooks = {
    async onStart(event) {
      tools = event.tools ?? tools;
      if (recorder.ended === null) return;
      if (recorder.ended === "completed" || recorder.ended === "paused") return report(usedAgain());
      // What failed first is completed.
      recorder.again();
      before = [];
      finished = [];
      partial.reset();
    },
    async onStepStart() {
      isStepOpen = true;
    },
    onToolExecutionEnd: async (event) => partial.toolRan(event),
    onChunk: async ({ chunk }) => partial.chunk(chunk),
    async onStepEnd({ finishReason, response, sources, experimental_steeringMessages: steering = [] }) {
      isStepOpen = false;
      partial.reset();
      const at = finished.push(...convert([...steering, ...response.messages], sources));
      const from = at - steering.length - response.messages.length;
      finished.splice(from, at - from, ...(await results.offload(finished.slice(from, at))));
      // `generateText` tells nobody of an abort between two steps, and after this one there won't be a next.
      if (signal?.aborted && finishReason === "tool-calls" && !isWaiting(finished)) await end("aborted");
    },
    onStepError: async ({ error }) => void (await broke(error)),
    async onError({ error }) {
      lastError = error;
      // Inside a step it may be tried again, or the step may still end; its own end says.
      if (!isStepOpen) await broke(error);
      return undefined;
    },
    onAbort: async () => void (await cutShort("aborted")),
    async onEnd({ finishReason, responseMessages, steps }) {
      const ofSteps = steps.reduce((count, step) => count + step.response.messages.length, 0);
      before = convert(responseMessages.slice(0, responseMessages.length - ofSteps));
      await end(statusOf(finishReason, finished), [], lastError);
    },
  };

  const prepareStep = memoryPrepareStep({
    turn,
    app: app.prepareStep,
    block,
    results,
    view: createPromptView((message) => convert([message])[0], turn.messages.at(-1)?.createdAt ?? ""),
    signal,
    report,
    tools: () => tools,
    fail: broke,
    async began(responseMessages) {
      before = convert(responseMessages.filter(({ role }) => role === "tool"));
      if (before.length > 0) partial.reset();
      // What the client's tools answered is as large as what the app's do.
      await results.offloadFresh();
      before = await results.offload(before);
    },
  });

  const run: MemoryRun = {
    turn,
    ui: answer?.options,
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
  return { hooks, prepareStep, run };
}

const usedAgain = () =>
  new MemoryError("TURN_ENDED", "These options have recorded a run already; call withMemory for each run.");
