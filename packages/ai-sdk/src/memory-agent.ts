import { type Conversation, type ConversationRef, conversationOf, type Memory } from "@throughline/core";
import {
  type GenerateTextResult,
  type OutputInterface,
  type StreamTextResult,
  ToolLoopAgent,
  type ToolLoopAgentSettings,
  type ToolSet,
  type UIMessage,
} from "ai";
import { memoryToolsContext } from "./memory-tools.ts";
import type { RunHooks } from "./run-events.ts";
import type { MemoryRun, MemorySettings, RunOptions, WithMemory } from "./run-options.ts";
import { withMemory } from "./with-memory.ts";

type Context = Record<string, unknown>;

/** Which conversation a call of the agent belongs to, and how the memory takes part in it. */
export interface AgentConversation extends ConversationRef {
  /** The chat's messages with their ids, where the call was made from them (`createAgentUIStreamResponse`). */
  uiMessages?: UIMessage[];
  memory?: MemorySettings;
}

/** What a {@link memoryAgent} is made of: a `ToolLoopAgent`'s settings, and how to tell whom it talks to. */
export type MemoryAgentSettings<
  CallOptions = never,
  Tools extends ToolSet = ToolSet,
  RuntimeContext extends Context = Context,
  Output extends OutputInterface = never,
> = ToolLoopAgentSettings<CallOptions, Tools, RuntimeContext, Output> & {
  memory?: MemorySettings;
  /** Tells the conversation from the call's `options` and the run's context. @default `runtimeContext.conversation` */
  identify?(call: { options: CallOptions; runtimeContext: RuntimeContext | undefined }): AgentConversation;
};

/** A `ToolLoopAgent` whose every call is one turn of a conversation. */
export type MemoryAgent<
  CallOptions = never,
  Tools extends ToolSet = ToolSet,
  RuntimeContext extends Context = Context,
  Output extends OutputInterface = never,
> = ToolLoopAgent<CallOptions, Tools, RuntimeContext, Output> & {
  /** The same agent, in this conversation whatever `identify` says. `started` gets each run as it begins. */
  in(
    conversation: Conversation,
    started?: (run: MemoryRun) => void,
  ): MemoryAgent<CallOptions, Tools, RuntimeContext, Output>;
};

/**
 * A `ToolLoopAgent` with memory. Given a conversation it is that one's; given a memory, `identify` tells the conversation
 * of each call, else `conversation` in the run's context. A call without one rejects with `INVALID_ARGUMENT` before the model is called.
 */
export function memoryAgent<
  CallOptions = never,
  // biome-ignore lint/complexity/noBannedTypes: the SDK's own default
  Tools extends ToolSet = {},
  RuntimeContext extends Context = Context,
  Output extends OutputInterface = never,
>(
  source: Memory | Conversation,
  settings: MemoryAgentSettings<CallOptions, Tools, RuntimeContext, Output>,
): MemoryAgent<CallOptions, Tools, RuntimeContext, Output> {
  return new ToolLoopAgentWithMemory(source, settings);
}

/** A class, because the SDK takes steering for instances of `ToolLoopAgent` only. */
class ToolLoopAgentWithMemory<
  CallOptions,
  Tools extends ToolSet,
  RuntimeContext extends Context,
  Output extends OutputInterface,
> extends ToolLoopAgent<CallOptions, Tools, RuntimeContext, Output> {
  readonly #source: Memory | Conversation;
  readonly #settings: MemoryAgentSettings<CallOptions, Tools, RuntimeContext, Output>;
  readonly #started: ((run: MemoryRun) => void) | undefined;

  constructor(
    source: Memory | Conversation,
    settings: MemoryAgentSettings<CallOptions, Tools, RuntimeContext, Output>,
    started?: (run: MemoryRun) => void,
  ) {
    super(settings);
    this.#source = source;
    this.#settings = settings;
    this.#started = started;
  }

  in(conversation: Conversation, started?: (run: MemoryRun) => void) {
    return new ToolLoopAgentWithMemory(conversation, this.#settings, started);
  }

  override async generate(
    call: Parameters<ToolLoopAgent<CallOptions, Tools, RuntimeContext, Output>["generate"]>[0],
  ): Promise<GenerateTextResult<Tools, RuntimeContext, Output>> {
    // A rejection is the caller's to see; only a stream's errors are printed.
    const { agent, parameters, run } = this.#prepare(call, () => {});
    const result = await agent.generate(parameters).catch(async (error: unknown) => {
      await run()?.fail(error);
      throw error;
    });
    return run()?.settle(Promise.resolve(result)) ?? result;
  }

  override async stream(
    call: Parameters<ToolLoopAgent<CallOptions, Tools, RuntimeContext, Output>["stream"]>[0],
  ): Promise<StreamTextResult<Tools, RuntimeContext, Output>> {
    const { agent, parameters } = this.#prepare(call);
    return agent.stream(parameters);
  }

  /** An agent for one call: which conversation it belongs to is known once the call is prepared. */
  #prepare<Call extends { abortSignal?: AbortSignal }>(call: Call, onError?: () => void) {
    const { identify: _identify, memory: _memory, prepareCall, ...settings } = this.#settings;
    const { callbacks, parameters } = takeCallbacks(settings, call);
    let run: WithMemory<RunOptions> | undefined;

    const begin = async (prepared: PreparedCall): Promise<object> => {
      const { conversation, uiMessages, memory } = this.#conversationOf(prepared);
      // The SDK leaves one hook of the agent in: it is this agent's own delegate, not the app's.
      const { prompt, messages, options: _options, onStepError: _hook, ...rest } = prepared;
      const given = uiMessages ? { uiMessages } : messages ? { messages } : { prompt: prompt ?? [] };
      run = await withMemory(conversation, {
        ...rest,
        ...given,
        ...(call.abortSignal === undefined ? {} : { abortSignal: call.abortSignal }),
        ...(onError === undefined ? {} : { onError }),
        ...callbacks,
        memory: { ...this.#settings.memory, ...memory },
      });
      this.#started?.(run.memory);
      const { id, subject } = conversation;
      const context = memoryToolsContext({ id, ...(subject === undefined ? {} : { subject }) });
      return { ...run, toolsContext: { ...prepared.toolsContext, ...context } };
    };
    const agent = new ToolLoopAgent<CallOptions, Tools, RuntimeContext, Output>({
      ...settings,
      ...delegate(() => run),
      // The SDK's options as it hands them over; the memory reads a few of them and hands all on.
      prepareCall: async (base: never) => (await begin((await prepareCall?.(base)) ?? base)) as never,
    } as unknown as ToolLoopAgentSettings<CallOptions, Tools, RuntimeContext, Output>);
    return { agent, parameters, run: () => run?.memory };
  }

  #conversationOf({ options, runtimeContext }: PreparedCall): AgentRun {
    // They are what the agent's own types say.
    const call = { options, runtimeContext } as { options: CallOptions; runtimeContext: RuntimeContext };
    const isBound = !("conversation" in this.#source);
    const { uiMessages, memory, ...ref } = (isBound ? undefined : this.#settings.identify?.(call)) ?? { id: "" };
    return { conversation: conversationOf(this.#source, ref.id ? ref : undefined, runtimeContext), uiMessages, memory };
  }
}

/** A call's options as the SDK hands them to `prepareCall`. */
type PreparedCall = RunOptions & { options?: unknown; runtimeContext?: unknown; toolsContext?: object };

interface AgentRun {
  conversation: Conversation;
  uiMessages?: UIMessage[] | undefined;
  memory?: MemorySettings | undefined;
}

const HOOKS = [
  "onStart",
  "onStepStart",
  "onToolExecutionEnd",
  "onStepEnd",
  "onStepError",
  "onError",
  "onAbort",
  "onEnd",
] as const;

/** Hooks of a run that has not begun yet. */
const delegate = (run: () => RunHooks | undefined) =>
  Object.fromEntries(HOOKS.map((name) => [name, (event: never) => run()?.[name](event)]));

type Callback = (event: never) => unknown;

/** The app's callbacks of settings and call as one each, and the call without them. */
function takeCallbacks<Call extends object>(settings: object, call: Call): { callbacks: RunOptions; parameters: Call } {
  const given = [settings, call] as { [name: string]: Callback | undefined }[];
  const parameters = { ...call };
  const callbacks = HOOKS.flatMap((name) => {
    const names = [name, ...(OLDER[name] ?? [])];
    const own = given.flatMap((from) => names.map((each) => from[each]).find(Boolean) ?? []);
    for (const each of names) delete (parameters as { [name: string]: unknown })[each];
    if (own.length < 2) return own.map((callback) => [name, callback]);
    return [[name, (event: never) => Promise.allSettled(own.map(async (callback) => callback(event)))]];
  });
  return { callbacks: Object.fromEntries(callbacks), parameters };
}

const OLDER: { readonly [name: string]: readonly string[] } = {
  onStart: ["experimental_onStart"],
  onStepStart: ["experimental_onStepStart"],
  onToolExecutionEnd: ["experimental_onToolCallFinish"],
  onStepEnd: ["onStepFinish"],
  onEnd: ["onFinish"],
};
