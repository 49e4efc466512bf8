import {
  type AgentInputItem,
  type CallModelInputFilter,
  RunContext,
  Runner,
  type RunResult,
  RunState,
} from "@openai/agents";
import {
  type Conversation,
  conversationOf,
  createPromptFitter,
  createReport,
  createResultKeeper,
  MemoryError,
  type MemorySource,
  type OpenTurn,
  type PromptFitter,
  type Report,
} from "@throughline/core";
import { storedItems } from "./convert/own-call-ids.ts";
import { promptGroups, toolDefinitions } from "./convert/prompt-groups.ts";
import { inputItems, newItems, readInput, readState } from "./convert/run-input.ts";
import { toItems } from "./convert/to-items.ts";
import { type RunRecord, recordRun } from "./record-run.ts";
import type { AnyAgent, MemorySettings, PlainResult, PlainRun, StreamedResult, StreamedRun } from "./run-options.ts";
import { watchStream } from "./watch-stream.ts";
import { joinInstructions, markRun, turnOf } from "./with-memory-instructions.ts";

/**
 * What `run` does, with memory: the stored history before the input, what is known in the instructions of every agent of
 * the run, and the run recorded as one turn, also where it is cancelled, fails, or waits for a person. A `RunState` goes
 * on with its turn. What the host throws is thrown.
 */
export async function runWithMemory<TAgent extends AnyAgent, Context = undefined>(
  memory: MemorySource,
  agent: TAgent,
  input: string | AgentInputItem[] | RunState<Context, TAgent>,
  options?: PlainRun<Context, TAgent>,
): Promise<PlainResult<Context, TAgent>>;
export async function runWithMemory<TAgent extends AnyAgent, Context = undefined>(
  memory: MemorySource,
  agent: TAgent,
  input: string | AgentInputItem[] | RunState<Context, TAgent>,
  options: StreamedRun<Context, TAgent>,
): Promise<StreamedResult<Context, TAgent>>;
export async function runWithMemory<TAgent extends AnyAgent, Context = undefined>(
  memory: MemorySource,
  agent: TAgent,
  input: string | AgentInputItem[] | RunState<Context, TAgent>,
  options: PlainRun<Context, TAgent> | StreamedRun<Context, TAgent> = {},
): Promise<PlainResult<Context, TAgent> | StreamedResult<Context, TAgent>> {
  const { memory: settings = {}, runner = new Runner(), context, sessionInputCallback, ...host } = options;
  if ("session" in host && host.session !== undefined) {
    throw new MemoryError("INVALID_ARGUMENT", "runWithMemory brings the history itself: leave `session` out.");
  }
  const report = createReport(settings.onError);
  const state = input instanceof RunState ? readState(input, report) : null;
  // A state brings the context of its run along; else the host would make the same of what it is given.
  const runContext =
    state?.data.runContext ?? (context instanceof RunContext ? context : new RunContext(context as Context));
  const conversation = conversationOf(memory, settings.scope, runContext.context);
  const items = input instanceof RunState ? [] : inputItems(input);
  const given = readInput(items, report);
  const model = typeof agent.model === "string" && agent.model !== "" ? { model: agent.model } : {};
  const id = settings.turnId ?? (state ? turnOf(runContext) : undefined);
  // Without the run's signal: a person who goes away has still said what they said, and reading has its own deadline.
  const turn = await conversation.begin({
    messages: state?.messages ?? given.map(({ input: message }) => message),
    agentName: settings.agentName ?? agent.name,
    query: settings.query,
    replaces: settings.replaces,
    ...(id === undefined ? {} : { id }),
    ...model,
  });
  const tools = new Set(agent.tools.map(({ name }) => name));
  const results = createResultKeeper(turn, report, () => tools.has("get_artifact"));
  const record = recordRun({
    turn,
    results,
    conversation,
    runContext,
    runner,
    // As it is now: the run goes on in the same state.
    before: state && { newItems: [...state.data.newItems], rawResponses: [...state.data.rawResponses] },
    decided: state?.messages ?? [],
    signal: host.signal,
    report,
  });
  const filter = host.callModelInputFilter ?? runner.config.callModelInputFilter;
  const block = recallBlock(conversation, turn, settings, report);
  const fit = createPromptFitter({
    turn,
    results,
    report,
    signal: host.signal,
    read: promptGroups,
    write: (message) => toItems([message], { exact: true, onUnsupported: report }),
  });
  const unmark = markRun(runContext, turn.id);
  const run = {
    ...host,
    context: runContext,
    callModelInputFilter: withBlock(filter, block, record, fit),
  };
  try {
    const isServed = [host.conversationId, host.previousResponseId].some((id) => id !== undefined);
    // What the app brought may be as large as what its tools give.
    await results.offloadFresh();
    // Where the provider keeps the conversation itself, it has the history.
    const history =
      isServed || state ? [] : storedItems(turn, { exact: settings.replay === "exact", onUnsupported: report });
    const own = [...newItems(items, given, turn.fresh.length)];
    const callback = sessionInputCallback ?? runner.config.sessionInputCallback;
    const combined = callback ? await callback(history, own) : [...history, ...own];
    const prompt = input instanceof RunState ? input : combined;
    if (run.stream) {
      const result = await runner.run<TAgent, Context>(agent, prompt, { ...run, stream: true });
      watchStream(result, record, unmark);
      return withRun(result, turn, record);
    }
    const result = await runner.run<TAgent, Context>(agent, prompt, { ...run, stream: false });
    await record.finished(result);
    unmark();
    // Rejects where the memory is strict.
    await record.recorder.recorded;
    return withRun(result, turn, record);
  } catch (error) {
    unmark();
    if (record.recorder.ended === null) await record.broke(error);
    throw error;
  }
}

/** The turn's block; with past messages in it where they are asked for, which are looked for while the host prepares. */
async function recallBlock(
  conversation: Conversation,
  turn: OpenTurn,
  { recall = 0, query }: MemorySettings<never>,
  report: Report,
): Promise<string> {
  if (recall === 0) return turn.system;
  const newest = turn.messages.findLast(({ role }) => role === "user");
  const words = newest?.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n") ?? "";
  return conversation.systemContext({ query: query ?? words, recall }).catch((error: unknown) => {
    report(error);
    return turn.system;
  });
}

/**
 * The app's own filter between one that puts the block into the instructions, and one that brings the input down to what
 * the model takes. Nothing is added to the input, which a host may keep.
 */
function withBlock(
  filter: CallModelInputFilter | undefined,
  block: Promise<string>,
  { log }: RunRecord,
  fit: PromptFitter<AgentInputItem>,
): CallModelInputFilter {
  const ours: CallModelInputFilter = async (args) => {
    log.shown(args.agent.name, args.modelData.input);
    const modelData = { ...args.modelData, instructions: joinInstructions(args.modelData.instructions, await block) };
    const given = filter ? await filter({ ...args, modelData }) : modelData;
    const system = given.instructions ?? modelData.instructions;
    return { ...given, input: await fit(given.input, { system, tools: toolDefinitions(args.agent) }) };
  };
  return filter?.preserveInputIdentity ? Object.assign(ours, { preserveInputIdentity: true }) : ours;
}

/** The host's result with the memory's part beside it, which no copy and no JSON of it shows. */
function withRun<Result extends RunResult<never, never> | object>(
  result: Result,
  turn: OpenTurn,
  { recorder }: RunRecord,
) {
  const memory = {
    turn,
    get recorded() {
      return recorder.recorded;
    },
  };
  return Object.defineProperty(result, "memory", { value: memory }) as Result & { readonly memory: typeof memory };
}
