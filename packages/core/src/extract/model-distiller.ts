import type { Distiller, DistillerInput } from "../contract/models.ts";
import { MemoryError } from "../errors/memory-error.ts";
import { throwIfAborted } from "../memory/resilience.ts";
import { DEFAULT_INPUT_TOKENS } from "../models/ask-model.ts";
import type { Fail } from "../models/read-answer.ts";
import { type DistillerPrompt, distillerPrompt } from "./distiller-prompt.ts";
import { type ReadCandidates, readCandidates } from "./read-candidates.ts";

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
  return async (input) => {
    if (input.turns.length === 0 && input.events.length === 0) return [];
    const prompt = distillerPrompt(input, maxInputTokens);
    const first = await askOnce(ask, prompt, input);
    if (isUsable(first.read, input)) return told(first.read, input);
    input.onProblem?.({ reason: "retried", items: 0 });
    const second = await askOnce(ask, prompt, input);
    if (isUsable(second.read, input)) return told(second.read, input);
    throw second.fail({ reason: second.read.isUnreadable ? "unreadable" : "malformed" });
  };
}

async function askOnce(
  ask: AskDistiller,
  prompt: DistillerPrompt,
  input: DistillerInput,
): Promise<{ read: ReadCandidates; fail: Fail }> {
  throwIfAborted(input.signal, "distilling");
  const given = await ask({ ...prompt, signal: input.signal });
  const answer: DistillerAnswer = typeof given === "string" ? { text: given } : given;
  const read = await readCandidates(answer.text, input, { isTruncated: answer.isTruncated ?? false });
  return { read, fail: answer.fail ?? failed };
}

const failed: Fail = ({ reason }) =>
  new MemoryError(
    "DISTILLER_FAILED",
    `The distiller's model answered something that can't be read as facts (${reason}); nothing of it is kept.`,
    { details: { reason }, retryable: true },
  );

/** Whole in itself; or to be salvaged, and there is something to salvage. */
const isUsable = ({ isUnreadable, problems, candidates }: ReadCandidates, { salvage }: DistillerInput): boolean =>
  !isUnreadable && (problems.length === 0 || (salvage === true && candidates.length > 0));

function told({ candidates, problems }: ReadCandidates, { onProblem }: DistillerInput) {
  for (const problem of problems) onProblem?.(problem);
  return candidates;
}
