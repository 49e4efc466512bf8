import type { DistillerInput, FactCandidate } from "../contract/models.ts";
import { MemoryError } from "../errors/memory-error.ts";
import { throwIfAborted } from "../memory/resilience.ts";
import type { Fail } from "../models/read-answer.ts";
import { type DistillerPrompt, distillerPrompt } from "./distiller-prompt.ts";
import type { AskDistiller, DistillerAnswer } from "./model-distiller.ts";
import { type ReadCandidates, readCandidates } from "./read-candidates.ts";

/** Asks a model for the facts of turns and events, and once more where its answer can't be read. */
export async function askForFacts(
  ask: AskDistiller,
  maxInputTokens: number,
  input: DistillerInput,
): Promise<FactCandidate[]> {
  const prompt = distillerPrompt(input, maxInputTokens);
  const first = await askOnce(ask, prompt, input);
  if (isUsable(first.read, input)) return told(first.read, input);
  input.onProblem?.({ reason: "retried", items: 0 });
  const second = await askOnce(ask, prompt, input);
  if (isUsable(second.read, input)) return told(second.read, input);
  throw second.fail({ reason: second.read.isUnreadable ? "unreadable" : "malformed" });
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
