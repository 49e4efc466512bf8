import type { RunContext, Runner } from "@openai/agents";
import {
  type Conversation,
  createTurnRecorder,
  hideTurn,
  isStop,
  type MessageInput,
  type OpenTurn,
  type Report,
  type ResultKeeper,
  type TurnRecorder,
  type TurnStatus,
} from "@throughline/core";
import { convertItems, type HostItem } from "./convert/from-items.ts";
import { dataOf, isBlockedInput, unfinishedText, withoutBlocked } from "./convert/run-end.ts";
import { createRunLog, type RunData, type RunLog } from "./convert/run-log.ts";
import { withFailures } from "./convert/tool-failures.ts";
import { watchTools } from "./watch-tools.ts";

/** Where a run starts from. */
export interface RecordRunOptions {
  turn: OpenTurn;
  results: ResultKeeper;
  conversation: Conversation;
  runContext: RunContext<unknown>;
  runner: Runner;
  /** What a resumed run had made already. */
  before: RunData | null;
  /** A person's decisions about calls, among what was said before. */
  decided: readonly MessageInput[];
  signal: AbortSignal | undefined;
  report: Report;
}

/** What a result of the host says of its run. */
export interface RunEnd extends RunData {
  readonly interruptions?: readonly unknown[] | undefined;
}

/** Records one run as one turn, whichever of its ends comes first. */
export interface RunRecord {
  readonly log: RunLog;
  readonly recorder: TurnRecorder;
  /** A piece of text that was streamed. */
  streamed(delta: string): void;
  /** It came to its end, or waits for a person. */
  finished(result: RunEnd): Promise<void>;
  /** Its consumer went away. */
  cancelled(result: RunEnd, agent: string | undefined): Promise<void>;
  broke(error: unknown, result?: RunEnd, agent?: string): Promise<void>;
}

/** Watches a run and writes it as one turn. */
export function recordRun(options: RecordRunOptions): RunRecord {
  const { turn, results, conversation, runContext, before, signal, report } = options;
  const log = createRunLog(before);
  const recorder = createTurnRecorder(turn, report);
  const unwatch = watchTools(options.runner, runContext, log);
  let text = "";

  const end = async (status: TurnStatus, items: readonly HostItem[], error?: unknown): Promise<void> => {
    unwatch();
    const messages = withFailures(convertItems(items, report), options.decided);
    await recorder.end(status, await results.offload(messages), error);
  };
  const withRest = (items: readonly HostItem[], agent: string | undefined): HostItem[] => {
    const rest = unfinishedText(text, items);
    if (rest === "") return [...items];
    const content = [{ type: "output_text" as const, text: rest }];
    const item = { type: "message" as const, role: "assistant" as const, status: "incomplete" as const, content };
    return [...items, { item, ...(agent === undefined ? {} : { agent }) }];
  };

  return {
    log,
    recorder,
    streamed(delta) {
      text += delta;
    },
    async finished(result) {
      const isWaiting = (result.interruptions?.length ?? 0) > 0;
      await end(isWaiting ? "paused" : "completed", log.items(result));
    },
    cancelled: (result, agent) => end("aborted", withRest(log.items(result), agent)),
    async broke(error, result, agent) {
      const status = signal?.aborted || isStop(error) ? "aborted" : "failed";
      const items = log.items(result ?? dataOf(error, runContext));
      const said = withoutBlocked(items, error);
      await end(status, said.length < items.length || isBlockedInput(error) ? said : withRest(said, agent), error);
      if (isBlockedInput(error)) await hideTurn(conversation, turn.id).catch(report);
    },
  };
}
