import { type Conversation, MemoryError, type Message, type MessageInput, type Outcome } from "@throughline/core";
import type { Instructions, ModelMessage } from "ai";
import { approvalCalls, fromModelMessage } from "./convert/from-model-messages.ts";
import { readNative } from "./convert/native-form.ts";
import { toModelMessages } from "./convert/to-model-messages.ts";
import { mergeInstructions } from "./merge-instructions.ts";
import { recordRun } from "./record-run.ts";
import type { RunHooks } from "./run-events.ts";
import type { MemorySettings, RunOptions, WithMemory } from "./run-options.ts";

/**
 * Options for one `generateText` or `streamText` with memory: the stored history before the new messages, what is known
 * in the instructions, and the callbacks that record the run as one turn. The app's own options and callbacks are
 * handed on. Call it once for each run.
 *
 * @example
 * const result = streamText({ model, tools, ...(await withMemory(conversation, { prompt, abortSignal })) });
 */
export async function withMemory<Options extends RunOptions>(
  conversation: Conversation,
  options: Options,
): Promise<WithMemory<Options>> {
  const { memory: settings = {}, model, abortSignal } = options;
  const report = createReport(settings.onError);
  const { system, messages } = hostMessages(options);
  const approvals = await findApprovals(conversation, messages);
  const given = convertEach(messages, approvals, report);
  // Without the run's signal: a person who goes away has still said what they said, and reading has its own deadline.
  const turn = await conversation.begin({
    messages: given.map(({ input }) => input),
    ...pick(settings),
    ...(model === undefined ? {} : { model: typeof model === "string" ? model : model.modelId }),
  });
  const fresh = new Set(turn.fresh.map(({ id }) => id));
  const stored = turn.messages.filter(({ id }) => !fresh.has(id));
  const history = toModelMessages(
    stored.filter(({ role }) => role !== "system"),
    { exact: settings.replay === "exact", onUnsupported: report },
  );
  const own = newMessages(messages, given, turn.fresh.length);
  const prompt = [...system, ...history, ...own];
  const block = [...stored.filter(({ role }) => role === "system").map(textOf), turn.system]
    .filter(Boolean)
    .join("\n\n");
  const instructions = mergeInstructions(options.instructions ?? options.system, block);
  const { hooks, run } = recordRun({ turn, promptLength: prompt.length, approvals, signal: abortSignal, report });

  const { memory: _memory, prompt: _prompt, system: _system, ...rest } = options;
  for (const name of OLD_NAMES) delete (rest as { [key: string]: unknown })[name];
  const result = {
    ...rest,
    messages: prompt,
    ...(instructions === undefined ? {} : { instructions }),
    ...chainHooks(hooks, options),
    ...(options.prepareStep ? { prepareStep: guardPrepareStep(options.prepareStep, block, run.fail) } : {}),
  };
  // Not enumerable: spread into a call, the options hold only what the AI SDK knows.
  Object.defineProperty(result, "memory", { value: run });
  // The app's own options as they came, and what the memory adds in place of theirs.
  return result as unknown as WithMemory<Options>;
}

const OLD_NAMES = [
  "onFinish",
  "onStepFinish",
  "experimental_onStart",
  "experimental_onStepStart",
  "experimental_onToolCallFinish",
] as const;

/** The app's messages; its own system messages keep their place in front and are not the conversation's. */
function hostMessages({ messages, prompt }: RunOptions): { system: ModelMessage[]; messages: ModelMessage[] } {
  if (messages !== undefined && prompt !== undefined) {
    throw new MemoryError("INVALID_ARGUMENT", "withMemory takes prompt or messages, not both.");
  }
  const given =
    messages ?? (typeof prompt === "string" ? [{ role: "user" as const, content: prompt }] : (prompt ?? []));
  return {
    system: given.filter(({ role }) => role === "system"),
    messages: given.filter(({ role }) => role !== "system"),
  };
}

/**
 * Calls of the approvals that these messages answer. An app that sends only the answer has its question in the paused
 * turn.
 */
async function findApprovals(
  conversation: Conversation,
  messages: readonly ModelMessage[],
): Promise<Map<string, string>> {
  const calls = approvalCalls(messages);
  const isAnswerAlone = messages.some(
    ({ role, content }) =>
      role === "tool" && content.some((part) => part.type === "tool-approval-response" && !calls.has(part.approvalId)),
  );
  const paused = isAnswerAlone ? await conversation.resume() : null;
  for (const part of paused?.messages.flatMap(({ parts }) => parts) ?? []) {
    const approvalId = readNative(part).approval?.approvalId;
    if (part.type === "approval" && typeof approvalId === "string") calls.set(approvalId, part.callId);
  }
  return calls;
}

/** Each message in the neutral form with its place; one that can't be carried is reported and only the model sees it. */
function convertEach(
  messages: readonly ModelMessage[],
  calls: ReadonlyMap<string, string>,
  report: (error: unknown) => void,
): { input: MessageInput; index: number }[] {
  return messages.flatMap((message, index) => {
    try {
      return [{ input: fromModelMessage(message, calls), index }];
    } catch (error) {
      report(error);
      return [];
    }
  });
}

/**
 * What is new goes to the model as the app wrote it: the end of what the app gave, and with it what can't be carried
 * over.
 */
function newMessages(
  messages: readonly ModelMessage[],
  given: readonly { index: number }[],
  fresh: number,
): readonly ModelMessage[] {
  const lastKnown = given.at(-fresh - 1)?.index ?? -1;
  return messages.slice(lastKnown + 1);
}

function pick({ turnId, query, agentName, replaces }: MemorySettings) {
  return {
    ...(turnId === undefined ? {} : { id: turnId }),
    ...(query === undefined ? {} : { query }),
    ...(agentName === undefined ? {} : { agentName }),
    ...(replaces === undefined ? {} : { replaces }),
  };
}

const textOf = (message: Message): string =>
  message.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");

/** Hands on what went wrong; the AI SDK swallows what its callbacks throw. */
function createReport(onError: MemorySettings["onError"]): (problem: unknown) => void {
  return (problem) => {
    const error = asError(problem);
    if (onError === undefined) {
      // biome-ignore lint/suspicious/noConsole: without a handler a lost turn must still be seen
      console.warn(`throughline: ${error.message}`);
      return;
    }
    try {
      onError(error);
    } catch {
      // The app's handler is not the run's business.
    }
  };
}

function asError(problem: unknown): MemoryError {
  if (MemoryError.isInstance(problem)) return problem;
  const { status, code, reason } = problem as Partial<Outcome>;
  if (status !== undefined) {
    return new MemoryError((code ?? "STORE_FAILED") as MemoryError["code"], reason ?? "The turn was not recorded.");
  }
  return new MemoryError("STORE_FAILED", "The memory failed in a way it has no better code for.", { cause: problem });
}

/** The recorder's hooks, each followed by the app's own under its new or its old name. */
function chainHooks(hooks: RunHooks, app: RunOptions): RunHooks {
  return {
    onStart: chain(hooks.onStart, app.onStart ?? app.experimental_onStart),
    onStepStart: chain(hooks.onStepStart, app.onStepStart ?? app.experimental_onStepStart),
    onToolExecutionEnd: chain(hooks.onToolExecutionEnd, app.onToolExecutionEnd ?? app.experimental_onToolCallFinish),
    onChunk: chain(hooks.onChunk, app.onChunk),
    onStepEnd: chain(hooks.onStepEnd, app.onStepEnd ?? app.onStepFinish),
    onStepError: chain(hooks.onStepError, app.onStepError),
    onAbort: chain(hooks.onAbort, app.onAbort),
    onEnd: chain(hooks.onEnd, app.onEnd ?? app.onFinish),
    async onError(event) {
      await hooks.onError(event);
      // What the app's handler may return is the SDK's to say; a void one gives `undefined`.
      if (app.onError) return (await app.onError(event)) as { retry?: boolean } | undefined;
      // As `streamText` does where it is given no `onError`.
      // biome-ignore lint/suspicious/noConsole: as above
      console.error(event.error);
      return undefined;
    },
  };
}

/** First the recorder, so that the turn is written by the time the app's callback runs. */
function chain<Event, AppEvent>(
  ours: (event: Event) => Promise<void>,
  theirs: ((event: AppEvent) => void | PromiseLike<void>) | undefined,
): (event: Event) => Promise<void> {
  if (theirs === undefined) return ours;
  return async (event) => {
    await ours(event);
    // The SDK's own event; the recorder's type of it is narrower.
    await theirs(event as unknown as AppEvent);
  };
}

/** The app's `prepareStep`: instructions it sets keep the memory's block, and its throw is the run's end. */
function guardPrepareStep(
  prepareStep: NonNullable<RunOptions["prepareStep"]>,
  block: string,
  fail: (error: unknown) => Promise<unknown>,
): NonNullable<RunOptions["prepareStep"]> {
  return async (step) => {
    try {
      const prepared = await prepareStep(step);
      const own: Instructions | undefined = prepared?.instructions ?? prepared?.system;
      const instructions = own === undefined ? undefined : mergeInstructions(own, block);
      return instructions === undefined ? prepared : { ...prepared, instructions };
    } catch (error) {
      await fail(error);
      throw error;
    }
  };
}
