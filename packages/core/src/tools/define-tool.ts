import * as z from "zod";
import type { Conversation } from "../contract/conversation.ts";
import { turnUnderWay } from "../conversation/open-turns.ts";
import { MemoryError } from "../errors/memory-error.ts";
import { callOf } from "../memory/call-options.ts";
import { contentHash } from "../text/hash.ts";
import type { MemoryToolName } from "./tool-names.ts";

/** What a host tells a tool about one call. */
export interface MemoryToolCall {
  /** The host's id of the call: running it again changes nothing. */
  callId?: string;
  /** Id of the turn the call belongs to. @default the conversation's turn under way */
  turn?: string;
  signal?: AbortSignal;
}

/** One tool, independent of any framework: adapters turn it into their host's own type. */
export interface MemoryTool<Input extends z.ZodType = z.ZodType> {
  readonly name: MemoryToolName;
  /** For the model. */
  readonly description: string;
  readonly input: Input;
  /** What {@link MemoryTool.run} answers: a text. */
  readonly output: z.ZodString;
  /** Runs the tool. Never throws: the answer is a short text that the model can act on. */
  run(input: unknown, call?: MemoryToolCall): Promise<string>;
}

/** A failure in words that the model can act on. */
function explainFailure(error: unknown): string {
  if (!MemoryError.isInstance(error)) return "The memory is not available right now; go on without it.";
  if (error.code.startsWith("STORE_") || error.code === "TIMEOUT") {
    return "The memory is not available right now; go on without it.";
  }
  return `Not done: ${error.message}`;
}

let text: z.ZodString | undefined;

/** Makes a tool that checks its input and answers a failure in words. Hosts get the object itself, not the lazy schema. */
export function defineTool<Input extends z.ZodType>(
  name: MemoryToolName,
  description: string,
  lazyInput: z.ZodLazy<Input>,
  run: (input: z.output<Input>, call: MemoryToolCall) => Promise<string>,
): MemoryTool<Input> {
  text ??= z.string();
  const input = lazyInput._zod.innerType;
  return {
    name,
    description,
    input,
    output: text,
    async run(given, call = {}) {
      const parsed = input.safeParse(given);
      if (!parsed.success) {
        const issue = parsed.error.issues[0];
        return `Not done: ${issue?.path.join(".") || "the input"} is not valid (${issue?.message ?? "wrong type"}).`;
      }
      try {
        return await run(parsed.data, call);
      } catch (error) {
        return explainFailure(error);
      }
    },
  };
}

/** The signal of a call, as an option. */
export const signalOf = ({ signal }: MemoryToolCall) => callOf(signal);
/**
 * Some providers number their calls anew in every run (`call_0`), so a call's id alone would answer a later call with an
 * earlier one's outcome and write nothing.
 */
export const idempotency = (conversation: Conversation, { callId, turn }: MemoryToolCall, input: object) =>
  callId === undefined
    ? {}
    : {
        idempotencyKey: contentHash(
          JSON.stringify([conversation.id, turn ?? turnUnderWay(conversation) ?? null, callId, input]),
        ),
      };
