import { type Conversation, createReport, messageText, type Report } from "@throughline/core";
import type { ModelMessage } from "ai";
import { chainHooks, guardPrepareStep } from "./chain-hooks.ts";
import { approvalCalls } from "./convert/from-model-messages.ts";
import { convertEach, hostMessages, newMessages } from "./convert/host-messages.ts";
import { mergeInstructions } from "./convert/merge-instructions.ts";
import { readNative } from "./convert/native-form.ts";
import { toModelMessages } from "./convert/to-model-messages.ts";
import { recordRun } from "./record-run.ts";
import { OLD_NAMES, type RunOptions, type WithMemory } from "./run-options.ts";

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
  const approvals = await findApprovals(conversation, messages, report);
  const given = convertEach(messages, approvals, report);
  // Without the run's signal: a person who goes away has still said what they said, and reading has its own deadline.
  const turn = await conversation.begin({
    messages: given.map(({ input }) => input),
    id: settings.turnId,
    query: settings.query,
    agentName: settings.agentName,
    replaces: settings.replaces,
    model: typeof model === "string" ? model : model?.modelId,
  });
  const fresh = new Set(turn.fresh.map(({ id }) => id));
  const stored = turn.messages.filter(({ id }) => !fresh.has(id));
  const history = toModelMessages(
    stored.filter(({ role }) => role !== "system"),
    { exact: settings.replay === "exact", onUnsupported: report },
  );
  const own = newMessages(messages, given, turn.fresh.length);
  const prompt = [...system, ...history, ...own];
  const block = [...stored.filter(({ role }) => role === "system").map(messageText), turn.system]
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

/**
 * Calls of the approvals that these messages answer. An app that sends only the answer has its question in the paused
 * turn.
 */
async function findApprovals(
  conversation: Conversation,
  messages: readonly ModelMessage[],
  report: Report,
): Promise<Map<string, string>> {
  const calls = approvalCalls(messages);
  const isAnswerAlone = messages.some(
    ({ role, content }) =>
      role === "tool" && content.some((part) => part.type === "tool-approval-response" && !calls.has(part.approvalId)),
  );
  // Where the store can't be read, the turn begins without it all the same.
  const paused = isAnswerAlone ? await conversation.resume().catch(report) : null;
  for (const part of paused?.messages.flatMap(({ parts }) => parts) ?? []) {
    const approvalId = readNative(part).approval?.approvalId;
    if (part.type === "approval" && typeof approvalId === "string") calls.set(approvalId, part.callId);
  }
  return calls;
}
