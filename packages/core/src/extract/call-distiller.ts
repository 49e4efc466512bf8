import type { CandidateCounts } from "../contract/events.ts";
import type { Distiller, DistillerInput, FactCandidate } from "../contract/models.ts";
import { MemoryError } from "../errors/memory-error.ts";
import type { Engine } from "../memory/engine.ts";
import { runWithin } from "../memory/resilience.ts";
import { countProblem } from "./candidate-counts.ts";
import { checkCandidate } from "./candidate-schema.ts";

/** Candidates that are taken of one answer; nobody says so much, and what is beyond them counts as invalid. */
const MAX_CANDIDATES = 200;

/** How long a distiller may take with one batch, in milliseconds. */
const DISTILLER_TIMEOUT_MS = 90_000;

/**
 * Asks the distiller, and checks each candidate of its answer. With `salvage` what is no candidate is left out and
 * counted; otherwise one of them is an error. Throws `DISTILLER_FAILED` for whatever the distiller threw, `ABORTED` where
 * the caller's signal fired.
 */
export async function callDistiller(
  engine: Engine,
  distiller: Distiller,
  input: Omit<DistillerInput, "onProblem" | "instructions">,
  counts: CandidateCounts,
): Promise<FactCandidate[]> {
  const { instructions } = engine.policy.extract;
  let answer: unknown;
  try {
    answer = await runWithin<unknown>(
      (signal) =>
        distiller({
          ...input,
          ...(instructions === undefined ? {} : { instructions }),
          onProblem: (problem) => countProblem(counts, problem),
          signal,
        }),
      { ms: DISTILLER_TIMEOUT_MS, what: "the distiller", signal: input.signal },
    );
  } catch (cause) {
    if (MemoryError.isInstance(cause) && (cause.code === "ABORTED" || cause.code === "DISTILLER_FAILED")) throw cause;
    const retryable = !MemoryError.isInstance(cause) || cause.retryable;
    throw new MemoryError("DISTILLER_FAILED", "The distiller failed; what it was given is tried again.", {
      cause,
      retryable,
    });
  }
  if (!Array.isArray(answer)) throw noList();
  const given = (answer as unknown[]).length;
  const checked = (answer as unknown[]).slice(0, MAX_CANDIDATES).map(checkCandidate);
  const found = checked.filter((candidate) => candidate !== null);
  const invalid = given - found.length;
  counts.candidates += given;
  counts.invalid += invalid;
  if (invalid > 0 && input.salvage !== true) {
    throw new MemoryError(
      "DISTILLER_FAILED",
      `${invalid} of ${given} items of the distiller are no candidates; nothing of the batch is kept.`,
      { details: { invalid } },
    );
  }
  return found;
}

const noList = (): MemoryError =>
  new MemoryError("DISTILLER_FAILED", "The distiller answered no list of candidates; nothing is kept.");
