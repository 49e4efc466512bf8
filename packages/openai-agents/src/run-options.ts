import type {
  Agent,
  NonStreamRunOptions,
  Runner,
  RunResult,
  StreamedRunResult,
  StreamRunOptions,
} from "@openai/agents";
import type { MemoryError, OpenTurn, Outcome, Scope } from "@throughline/core";

/** How the memory takes part in one run. */
export interface MemorySettings<Context = unknown> {
  /** Which conversation. @default `conversation` in the run's context */
  scope?: Scope<Context>;
  /** Id of the turn; the same id again is the same turn. @default a new id */
  turnId?: string;
  /** What to recall by. @default the text of the newest user message */
  query?: string;
  /** Past messages to recall by the query, at most. Looked for beside the host's own work. @default 0 */
  recall?: number;
  /** Name of the agent that answers, kept with the turn. @default the agent that the run starts with */
  agentName?: string;
  /** Id of the turn whose place this one takes. @default what the input itself says */
  replaces?: string;
  /**
   * How stored messages are shown to the model. `portable` suits any provider. `exact` gives reasoning, ids of items and
   * the provider's own tools back to the provider that made them. @default "portable"
   */
  replay?: "portable" | "exact";
  /** Gets what the memory could not read, record or carry over. The run goes on. @default a warning on the console */
  onError?(error: MemoryError): void;
}

/** What {@link runWithMemory} takes beside the host's own options. */
export interface MemoryRunOptions<Context = unknown> {
  /** How the memory takes part in the run. @default the memory's own ways */
  memory?: MemorySettings<Context>;
  /** The runner to run with, its own configuration included. @default one with the SDK's defaults */
  runner?: Runner;
  /** History comes from the memory; a session would be a second one. */
  session?: never;
}

/** One run as the memory sees it. */
export interface MemoryRun {
  /** The turn that the run is recorded as. */
  readonly turn: OpenTurn;
  /** How the turn was recorded. Pending until the run has ended. */
  readonly recorded: Promise<Outcome>;
}

/** Agents of any output and context, as the host's own `run` takes them. */
// biome-ignore lint/suspicious/noExplicitAny: the host's own bound
export type AnyAgent = Agent<any, any>;

/** Options of a plain run with memory. */
export type PlainRun<Context, TAgent extends AnyAgent> = Omit<NonStreamRunOptions<Context, TAgent>, "session"> &
  MemoryRunOptions<Context>;

/** Options of a streamed run with memory. */
export type StreamedRun<Context, TAgent extends AnyAgent> = Omit<StreamRunOptions<Context, TAgent>, "session"> &
  MemoryRunOptions<Context>;

/** What the host gives for a run, with the memory's part beside it. */
export type PlainResult<Context, TAgent extends AnyAgent> = RunResult<Context, TAgent> & { readonly memory: MemoryRun };

/** The same of a streamed run. Its stream ends, and `completed` resolves, when the turn is recorded. */
export type StreamedResult<Context, TAgent extends AnyAgent> = StreamedRunResult<Context, TAgent> & {
  readonly memory: MemoryRun;
};
