import { checkNumbers } from "../checks/numbers.ts";
import type { Distiller } from "../contract/models.ts";
import { DEFAULT_INPUT_TOKENS } from "../models/ask-model.ts";
import type { Fail } from "../models/read-answer.ts";
import type { DistillerPrompt } from "./distiller-prompt.ts";

/** What a model answered. */
export interface DistillerAnswer {
  text: string;
  /** The answer was cut off at a limit. @default false */
  isTruncated?: boolean;
  /** Makes the error of an answer that is no use. @default `DISTILLER_FAILED` without details of a provider */
  fail?: Fail;
}

/** Asks any model with one prompt. */
export type AskDistiller = (
  prompt: DistillerPrompt & { signal: AbortSignal | undefined },
) => Promise<string | DistillerAnswer>;

/**
 * A distiller over any model that answers a prompt. An answer that can't be read is asked for once more; then the call
 * rejects with `DISTILLER_FAILED`. Broken items reject as well, unless `salvage` is set: then whole ones are mended, the
 * others are left out, and `onProblem` is told.
 */
export function modelDistiller(ask: AskDistiller, maxInputTokens: number = DEFAULT_INPUT_TOKENS): Distiller {
  checkNumbers("modelDistiller", { maxInputTokens }, { maxInputTokens: "count" });
  return async (input) => {
    if (input.turns.length === 0 && input.events.length === 0) return [];
    return (await import("./ask-for-facts.ts")).askForFacts(ask, maxInputTokens, input);
  };
}
