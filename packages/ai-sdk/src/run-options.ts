import type { MemoryError, OpenTurn, Outcome } from "@throughline/core";
import type {
  FilePart,
  GenerateTextStartEvent,
  GenerateTextStepErrorEvent,
  GenerateTextStepStartEvent,
  Instructions,
  LanguageModel,
  ModelMessage,
  PrepareStepFunction,
  PrepareStepResult,
  StepResult,
  StreamTextEndEvent,
  TextPart,
  TextStreamPart,
  ToolExecutionEndEvent,
  ToolSet,
  UIMessage,
} from "ai";
import type { RunHooks } from "./run-events.ts";
import type { UIAnswerOptions } from "./ui-answer.ts";

/** How the memory takes part in one run. */
export interface MemorySettings {
  /** Id of the turn; the same id again is the same turn. @default a new id */
  turnId?: string;
  /** What to recall by. @default the text of the newest user message */
  query?: string;
  /** Past messages to recall by the query, at most. @default 0 */
  recall?: number;
  /** Name of the agent that answers, kept with the turn. */
  agentName?: string;
  /** Id of the turn whose place this one takes. @default what the messages themselves say */
  replaces?: string;
  /**
   * How stored messages are shown to the model. `portable` suits any provider. `exact` gives reasoning, item ids and
   * cache marks back to the provider that made them. @default "portable"
   */
  replay?: "portable" | "exact";
  /** With `uiMessages`: id of the UI message that the answer becomes. @default a new id */
  responseId?: string;
  /** Gets what the memory could not read, record or carry over. The run goes on. @default a warning on the console */
  onError?(error: MemoryError): void;
}

type Awaitable<Value> = Value | PromiseLike<Value>;

/**
 * The options of `generateText` and `streamText` that the memory looks at, old names among them. Others may be given
 * beside them and are handed on as they are; those that name tools (`toolChoice`, `activeTools`) are given to the call.
 */
export interface RunOptions {
  memory?: MemorySettings;
  model?: LanguageModel;
  /** The new messages, or the app's whole copy of the history. */
  messages?: ModelMessage[];
  prompt?: string | ModelMessage[];
  /** The same as a chat's client sends it: ids are kept, and `memory.ui` answers under the right one. */
  uiMessages?: UIMessage[];
  /** With `uiMessages`: what of a `data-…` part the model sees. */
  convertDataPart?(part: { type: `data-${string}`; data: unknown }): TextPart | FilePart | undefined;
  tools?: ToolSet;
  instructions?: Instructions;
  /** The older name of `instructions`. */
  system?: Instructions;
  abortSignal?: AbortSignal;
  prepareStep?(options: Parameters<PrepareStepFunction<ToolSet>>[0]): Awaitable<PrepareStepResult<ToolSet>>;
  onStart?(event: GenerateTextStartEvent): Awaitable<void>;
  experimental_onStart?(event: GenerateTextStartEvent): Awaitable<void>;
  onStepStart?(event: GenerateTextStepStartEvent): Awaitable<void>;
  experimental_onStepStart?(event: GenerateTextStepStartEvent): Awaitable<void>;
  onToolExecutionEnd?(event: ToolExecutionEndEvent): Awaitable<void>;
  experimental_onToolCallFinish?(event: ToolExecutionEndEvent): Awaitable<void>;
  onChunk?(event: { chunk: TextStreamPart<ToolSet> }): Awaitable<void>;
  onStepEnd?(event: StepResult<ToolSet>): Awaitable<void>;
  onStepFinish?(event: StepResult<ToolSet>): Awaitable<void>;
  onStepError?(event: GenerateTextStepErrorEvent): Awaitable<void>;
  /** `streamText` only. What it returns is handed on: it may ask for another try. */
  onError?(event: { error: unknown }): unknown;
  onAbort?(event: { callId: string; steps: StepResult<ToolSet>[]; reason?: unknown }): Awaitable<void>;
  onEnd?(event: StreamTextEndEvent): Awaitable<void>;
  onFinish?(event: StreamTextEndEvent): Awaitable<void>;
}

/** One run as the memory sees it. */
export interface MemoryRun {
  /** The turn that the run is recorded as. */
  readonly turn: OpenTurn;
  /** With `uiMessages`: options for whatever makes the response, for example `result.toUIMessageStreamResponse`. */
  readonly ui: UIAnswerOptions | undefined;
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

/** Older names of callbacks, handed on under the newer ones. */
export const OLD_NAMES = [
  "onFinish",
  "onStepFinish",
  "experimental_onStart",
  "experimental_onStepStart",
  "experimental_onToolCallFinish",
] as const;

/** Options that the memory takes in and does not hand on under the same name. */
type TakenOption = "memory" | "prompt" | "system" | "uiMessages" | "convertDataPart" | (typeof OLD_NAMES)[number];

/** What the memory adds to a run's options. */
export interface MemoryCallOptions extends RunHooks {
  /** What is stored, then what is new. */
  messages: ModelMessage[];
  /** The app's own instructions and what the memory knows. */
  instructions?: Instructions;
  /** The app's own; then the block is kept, large results are shown short, and what has grown is compacted. */
  prepareStep(step: {
    readonly stepNumber: number;
    readonly messages: ModelMessage[];
    readonly instructions: Instructions | undefined;
  }): Promise<{ instructions?: Instructions; messages?: ModelMessage[] } | undefined>;
  /** The run itself. It stays behind where these options are spread. */
  readonly memory: MemoryRun;
}

/** The options of a run with memory, to be handed or spread into `generateText` or `streamText`. */
export type WithMemory<Options extends RunOptions> = Omit<Options, TakenOption | keyof MemoryCallOptions> &
  MemoryCallOptions;
