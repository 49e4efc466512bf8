import * as z from "zod";
import { asMemoryError } from "../adapter/as-memory-error.ts";
import type { Conversation } from "../contract/conversation.ts";
import type { JsonObject } from "../contract/json.ts";
import { turnUnderWay } from "../conversation/open-turns.ts";
import { CODES, type MemoryErrorCode } from "../errors/codes.ts";
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

/** What a tool answers, for a host that can carry more than a text. */
export interface MemoryToolAnswer {
  /**
   * For the model: what {@link MemoryTool.run} answers. What was remembered or said stands in `<remembered>`, labelled as data,
   * each entry escaped on a line of its own.
   */
  text: string;
  /** The same as plain data, with stored texts as they are; empty where there is none. For programs, not for a prompt. */
  data: JsonObject;
  /** A code of the error table, where it was not done. */
  code?: string;
  /** The same call may succeed later. Only where it was not done. */
  retryable?: boolean;
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
  /** The same with its data, and with a code where it was not done. Never throws. */
  answer(input: unknown, call?: MemoryToolCall): Promise<MemoryToolAnswer>;
}

const NOT_AVAILABLE = "The memory is not available right now; go on without it.";

/** A failure in words that the model can act on. */
function explainFailure(error: unknown): MemoryToolAnswer {
  const { code, message, retryable } = asMemoryError(error);
  const isOut = !MemoryError.isInstance(error) || code.startsWith("STORE_") || code === "TIMEOUT";
  return { text: isOut ? NOT_AVAILABLE : `Not done: ${message}`, data: {}, code, retryable };
}

let text: z.ZodString | undefined;

/** An answer that says what was not done, and why. */
export const refusal = (text: string, code: MemoryErrorCode, data: JsonObject = {}): MemoryToolAnswer => ({
  text,
  data,
  code,
  retryable: CODES[code].retryable,
});

/** Makes a tool that checks its input and answers a failure in words. Hosts get the object itself, not the lazy schema. */
export function defineTool<Input extends z.ZodType>(
  name: MemoryToolName,
  description: string,
  lazyInput: z.ZodLazy<Input>,
  run: (input: z.output<Input>, call: MemoryToolCall) => Promise<MemoryToolAnswer>,
): MemoryTool<Input> {
  text ??= z.string();
  const input = lazyInput._zod.innerType;
  const answer: MemoryTool["answer"] = async (given, call = {}) => {
    const parsed = input.safeParse(given);
    if (!parsed.success) {
      const issue = parsed.error.issues[0];
      const place = issue?.path.join(".") || "the input";
      return refusal(`Not done: ${place} is not valid (${issue?.message ?? "wrong type"}).`, "INVALID_ARGUMENT");
    }
    try {
      return await run(parsed.data, call);
    } catch (error) {
      return explainFailure(error);
    }
  };
  return {
    name,
    description,
    input,
    output: text,
    answer,
    run: async (given, call) => (await answer(given, call)).text,
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
