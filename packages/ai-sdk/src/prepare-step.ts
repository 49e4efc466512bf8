import { fitPrompt, type Json, type OpenTurn, type Report, type ResultKeeper } from "@throughline/core";
import { asSchema, type Instructions, type ModelMessage, type ToolSet } from "ai";
import { mergeInstructions } from "./convert/merge-instructions.ts";
import type { PromptView } from "./convert/prompt-view.ts";
import { showPreviews } from "./convert/show-previews.ts";
import type { RunOptions } from "./run-options.ts";

/** What the memory does before each step. */
export interface PrepareStepOptions {
  turn: OpenTurn;
  /** The app's own. */
  app: RunOptions["prepareStep"];
  block: string;
  results: ResultKeeper;
  view: PromptView;
  signal: AbortSignal | undefined;
  report: Report;
  /** The tools of the call, as far as it has begun. */
  tools(): ToolSet | undefined;
  /** Called with the results of approved calls that ran before the first step. */
  began(responseMessages: readonly ModelMessage[]): Promise<void>;
  /** Called where the run can't go on. */
  fail(error: unknown): Promise<unknown>;
}

/** Characters of a first prompt whose tools need not be counted. */
const SHORT_CHARS = 20_000;

/**
 * The app's `prepareStep`, and then the memory's: instructions keep the block, large results are shown as previews, a
 * prompt that has grown is compacted, and one that is over the model's budget is the run's end (`CONTEXT_OVERFLOW`).
 */
export function memoryPrepareStep(options: PrepareStepOptions): NonNullable<RunOptions["prepareStep"]> {
  const { app, block, results, view, signal, report } = options;
  let definitions: Json | undefined;

  return async (step) => {
    try {
      if (step.stepNumber === 0) await options.began(step.responseMessages ?? []);
      const prepared = await app?.(step);
      const own = prepared?.instructions ?? prepared?.system;
      const instructions = own === undefined ? undefined : mergeInstructions(own, block);
      const given = prepared?.messages ?? step.messages;
      const system = textOf(instructions ?? step.instructions);
      const prompt = showPreviews(given, results.preview);
      const read = view.read(prompt);
      // Writing the schemas takes longer than all else here, and a short first prompt is far from every budget.
      const isShort = step.stepNumber === 0 && JSON.stringify(read).length < SHORT_CHARS;
      if (!isShort) definitions ??= await toolDefinitions(options.tools());
      const fitted = await fitPrompt(options.turn, read, { system, tools: definitions, signal, report });
      const messages = fitted === null ? prompt : view.write(fitted.messages);
      return {
        ...prepared,
        ...(instructions === undefined ? {} : { instructions }),
        ...(messages === step.messages ? {} : { messages }),
      };
    } catch (error) {
      await options.fail(error);
      throw error;
    }
  };
}

const textOf = (instructions: Instructions | undefined): string =>
  (Array.isArray(instructions) ? instructions : [instructions ?? ""])
    .map((entry) => (typeof entry === "string" ? entry : entry.content))
    .join("\n\n");

/** The tools as they are sent, for their size; one whose schema can't be written counts by its name. */
async function toolDefinitions(tools: ToolSet | undefined): Promise<Json | undefined> {
  if (tools === undefined) return undefined;
  const entries = Object.entries(tools).map(async ([name, { description, inputSchema }]) => {
    const schema = await Promise.resolve(asSchema(inputSchema).jsonSchema).catch(() => ({}));
    return { name, description: typeof description === "string" ? description : "", schema };
  });
  // What goes over the wire is JSON.
  return (await Promise.all(entries)) as Json;
}
