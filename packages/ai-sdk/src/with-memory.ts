import { type Conversation, createReport, MemoryError } from "@throughline/core";
import { generateId } from "ai";
import { beginRun } from "./begin-run.ts";
import { chainHooks } from "./chain-hooks.ts";
import { hostMessages } from "./convert/host-messages.ts";
import { mergeInstructions } from "./convert/merge-instructions.ts";
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
  // Adapters of other hosts take a memory in this place, and JavaScript lets one through.
  if (typeof conversation?.begin !== "function") {
    throw new MemoryError("INVALID_ARGUMENT", "withMemory takes a conversation: memory.conversation({ id, subject }).");
  }
  const { memory: settings = {}, model, abortSignal, uiMessages } = options;
  const report = createReport(settings.onError);
  const { system, messages } = await hostMessages(options);
  const begun = await beginRun(conversation, messages, settings, model, report);
  const { turn, approvals, block } = begun;
  const instructions = mergeInstructions(options.instructions ?? options.system, block);
  const { hooks, prepareStep, run } = recordRun({
    turn,
    approvals,
    signal: abortSignal,
    report,
    block,
    app: options,
    ...(uiMessages === undefined ? {} : { ui: { messages: uiMessages, id: settings.responseId ?? generateId() } }),
  });

  const taken: readonly string[] = ["memory", "prompt", "system", "uiMessages", "convertDataPart", ...OLD_NAMES];
  const rest = Object.fromEntries(Object.entries(options).filter(([name]) => !taken.includes(name)));
  const result = {
    ...rest,
    messages: [...system, ...begun.history, ...begun.own],
    ...(instructions === undefined ? {} : { instructions }),
    ...chainHooks(hooks, options),
    prepareStep,
  };
  // Not enumerable: spread into a call, the options hold only what the AI SDK knows.
  Object.defineProperty(result, "memory", { value: run });
  // The app's own options as they came, and what the memory adds in place of theirs.
  return result as unknown as WithMemory<Options>;
}
