import {
  type Conversation,
  type ConversationRef,
  createReport,
  createResultKeeper,
  fitPrompt,
  isLost,
  isStop,
  type Memory,
  MemoryError,
  type MessageInput,
  type Outcome,
  type Report,
  type ResultKeeper,
  type TurnStatus,
} from "@throughline/core";
import type { Instructions, LanguageModelMiddleware, ModelMessage, SystemModelMessage } from "ai";
import * as z from "zod";
import { type BegunRun, beginRun } from "./begin-run.ts";
import { convertEach } from "./convert/host-messages.ts";
import { mergeInstructions } from "./convert/merge-instructions.ts";
import {
  createContentCollector,
  fromModelContent,
  type ModelCall,
  type ModelContent,
  type ModelStreamPart,
  toModelPrompt,
} from "./convert/model-content.ts";
import { createPromptView, type PromptView } from "./convert/prompt-view.ts";
import { callIds, statusOf } from "./convert/run-status.ts";
import { showPreviews } from "./convert/show-previews.ts";
import type { MemorySettings } from "./run-options.ts";

/** How {@link memoryMiddleware} takes part. */
export interface MemoryMiddlewareOptions
  extends Pick<MemorySettings, "query" | "recall" | "agentName" | "replay" | "onError"> {
  /**
   * Tells the conversation of a call. `null`: the call is none of the memory's. @default
   * `providerOptions.throughline`: `{ conversation, subject?, login? }`
   */
  identify?(call: ModelCall): ConversationRef | null;
}

/** A run whose next step may come. */
interface MiddlewareRun extends BegunRun {
  results: ResultKeeper;
  view: PromptView;
  /** How many of the host's messages stand before its own new ones. */
  from: number;
  /** Calls of the last step that the host is to answer. */
  calls: ReadonlySet<string>;
}

/** Runs that are remembered between their steps; one that is forgotten goes on from what is stored. */
const MAX_RUNS = 1_000;

/**
 * Memory for calls whose options the app doesn't make: `wrapLanguageModel({ model, middleware: memoryMiddleware(memory) })`.
 * A call with `providerOptions.throughline` is a step of a turn; what the memory reads of it never reaches the provider.
 * A call without is passed on as it is. Given a conversation, every call of the model is that one's.
 *
 * It sees single steps: after each with calls the turn is stored as paused, and the next step goes on with it. A loop
 * that the host ends there (step limit, a tool of the client) stays paused, without the results of its last calls.
 */
export function memoryMiddleware(
  source: Memory | Conversation,
  options: MemoryMiddlewareOptions = {},
): LanguageModelMiddleware & { readonly specificationVersion: "v4" } {
  const report = createReport(options.onError);
  const runs = new Map<string, MiddlewareRun>();
  const steps = new WeakMap<ModelCall, MiddlewareRun>();

  const start = async (conversation: Conversation, call: ModelCall, model: { modelId: string }) => {
    const said = call.prompt.filter(({ role }) => role !== "system") as ModelMessage[];
    const answered = lastCallIds(said);
    const known = [...runs].find(
      ([key, { calls }]) => key.startsWith(`${keyOf(conversation)} `) && answered.some((id) => calls.has(id)),
    );
    if (known !== undefined) {
      const [key, run] = known;
      runs.delete(key);
      const fresh = said.slice(said.findLastIndex(({ role }) => role === "assistant") + 1);
      const inputs = convertEach(
        fresh.map((message) => ({ message })),
        run.approvals,
        report,
      );
      run.turn.append(await run.results.offload(inputs.map(({ input }) => input)));
      return { run, own: said.slice(run.from) };
    }
    const messages = said.map((message) => ({ message }));
    const begun = await beginRun(conversation, messages, options, model, report);
    const tools = new Set(call.tools?.map(({ name }) => name));
    const results = createResultKeeper(begun.turn, report, () => tools.has("get_artifact"));
    const convert = (message: ModelMessage) => convertEach([{ message }], begun.approvals, report)[0]?.input;
    const view = createPromptView(convert, begun.turn.messages.at(-1)?.createdAt ?? "");
    await results.offloadFresh();
    const run: MiddlewareRun = { ...begun, results, view, from: said.length - begun.own.length, calls: new Set() };
    return { run, own: begun.own };
  };

  /** Ends a step: the turn is over, or it waits for its calls. */
  const end = async (run: MiddlewareRun, content: readonly ModelContent[], finish: string, error?: unknown) => {
    const { turn } = run;
    if (turn.ended) return;
    const answer = convertContent(content, report);
    const status: TurnStatus = statusOf(finish, answer);
    await reported(report, () => {
      if (status === "paused") return turn.pause(answer);
      if (status === "completed") return turn.complete(answer);
      return status === "aborted" ? turn.abort(answer) : turn.fail(error, answer);
    });
    if (status !== "paused") return;
    run.calls = new Set(callIds(answer));
    runs.set(`${keyOf(turn.conversation)} ${turn.id}`, run);
    const oldest = runs.keys().next().value;
    if (runs.size > MAX_RUNS && oldest !== undefined) runs.delete(oldest);
  };
  const broke = (run: MiddlewareRun, call: ModelCall, content: readonly ModelContent[], error: unknown) =>
    end(run, content, call.abortSignal?.aborted || isStop(error) ? "interrupted" : "error", error);

  return {
    specificationVersion: "v4",
    async transformParams({ params, model }) {
      const { call, ref } = identify(params, options.identify);
      const conversation = "conversation" in source ? ref && source.conversation(ref) : source;
      if (!conversation) return call;
      const { run, own } = await start(conversation, call, model);
      const system = call.prompt.filter(({ role }) => role === "system") as SystemModelMessage[];
      const merged = systemMessages(mergeInstructions(system.length === 0 ? undefined : system, run.block));
      const prompt = showPreviews([...run.history, ...own], run.results.preview);
      const fitted = await fitPrompt(run.turn, run.view.read(prompt), {
        system: merged.map(({ content }) => content).join("\n\n"),
        // What is sent is JSON.
        tools: call.tools === undefined ? undefined : JSON.parse(JSON.stringify(call.tools)),
        signal: call.abortSignal,
        report,
      }).catch(async (error: unknown) => {
        await reported(report, () => run.turn.fail(error));
        throw error;
      });
      const shown = fitted === null ? prompt : run.view.write(fitted.messages);
      const transformed = { ...call, prompt: [...merged, ...toModelPrompt(shown)] };
      steps.set(transformed, run);
      return transformed;
    },
    async wrapGenerate({ doGenerate, params }) {
      const run = steps.get(params);
      if (run === undefined) return doGenerate();
      try {
        const result = await doGenerate();
        await end(run, result.content, result.finishReason.unified);
        return result;
      } catch (error) {
        await broke(run, params, [], error);
        throw error;
      }
    },
    async wrapStream({ doStream, params }) {
      const run = steps.get(params);
      if (run === undefined) return doStream();
      try {
        const { stream, ...result } = await doStream();
        return {
          ...result,
          stream: recordStream(stream, params.abortSignal, (content, finish, error) =>
            finish === undefined ? broke(run, params, content, error) : end(run, content, finish, error),
          ),
        };
      } catch (error) {
        await broke(run, params, [], error);
        throw error;
      }
    },
  };
}

type EndStream = (content: ModelContent[], finish: string | undefined, error?: unknown) => Promise<void>;

/** The stream as it comes, and its end: the model's own, a break, a reader that stops, or the run's signal. */
function recordStream(
  stream: ReadableStream<ModelStreamPart>,
  signal: AbortSignal | undefined,
  ended: EndStream,
): ReadableStream<ModelStreamPart> {
  const reader = stream.getReader();
  const collector = createContentCollector();
  let finish: string | undefined;
  let failure: unknown;
  const stop = () => ended(collector.content(), "interrupted");
  // A signal may outlive many streams.
  const unlisten = () => signal?.removeEventListener("abort", stop);
  signal?.addEventListener("abort", stop, { once: true });
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) {
          unlisten();
          await ended(collector.content(), finish, failure);
          return controller.close();
        }
        collector.add(value);
        if (value.type === "finish") finish = value.finishReason.unified;
        if (value.type === "error") failure = value.error;
        controller.enqueue(value);
      } catch (error) {
        unlisten();
        await ended(collector.content(), undefined, error);
        controller.error(error);
      }
    },
    async cancel(reason) {
      unlisten();
      await stop();
      await reader.cancel(reason);
    },
  });
}

const identity = () =>
  z.object({ conversation: z.string().min(1), subject: z.string().optional(), login: z.string().optional() });

/** Whose call it is, and the call as the provider is to see it. */
function identify(
  params: ModelCall,
  own: MemoryMiddlewareOptions["identify"],
): { call: ModelCall; ref: ConversationRef | null } {
  const { throughline, ...others } = params.providerOptions ?? {};
  const call = throughline === undefined ? params : { ...params, providerOptions: others };
  if (own !== undefined) return { call, ref: own(params) };
  if (throughline === undefined) return { call, ref: null };
  const parsed = identity().safeParse(throughline);
  if (!parsed.success) {
    throw new MemoryError(
      "INVALID_ARGUMENT",
      "providerOptions.throughline must be { conversation, subject?, login? } with texts; leave it out for a call that the memory is not to see.",
    );
  }
  const { conversation: id, subject, login } = parsed.data;
  return { call, ref: { id, ...(subject ? { subject } : {}), ...(login ? { login } : {}) } };
}

const keyOf = ({ id, subject = "" }: Conversation): string => JSON.stringify([id, subject]);

/** Calls that the prompt's end answers. */
const lastCallIds = (messages: readonly ModelMessage[]): string[] =>
  messages
    .slice(messages.findLastIndex(({ role }) => role === "assistant") + 1)
    .flatMap(({ role, content }) =>
      role === "tool" ? content.flatMap((part) => (part.type === "tool-result" ? [part.toolCallId] : [])) : [],
    );

const systemMessages = (instructions: Instructions | undefined): SystemModelMessage[] =>
  (Array.isArray(instructions) ? instructions : instructions === undefined ? [] : [instructions]).map((entry) =>
    typeof entry === "string" ? { role: "system", content: entry } : entry,
  );

function convertContent(content: readonly ModelContent[], report: Report): MessageInput[] {
  try {
    const answer = fromModelContent(content);
    return answer === null ? [] : [answer];
  } catch (error) {
    report(error);
    return [];
  }
}

async function reported(report: Report, write: () => Promise<Outcome>): Promise<void> {
  try {
    const outcome = await write();
    if (isLost(outcome)) report(outcome);
  } catch (error) {
    report(error);
  }
}
