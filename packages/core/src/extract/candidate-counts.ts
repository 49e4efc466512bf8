import type { CandidateCounts } from "../contract/events.ts";
import type { DistillProblem } from "../contract/models.ts";
import type { Outcome } from "../contract/outcome.ts";

/** Counts of nothing yet. */
export const noCandidates = (): CandidateCounts => ({
  candidates: 0,
  stored: 0,
  superseded: 0,
  merged: 0,
  unchanged: 0,
  disputed: 0,
  weak: 0,
  refused: 0,
  quarantined: 0,
  invalid: 0,
  repaired: 0,
});

/** Counts one outcome in. */
export function countOutcome(counts: CandidateCounts, { status }: Outcome): void {
  if (status !== "failed") counts[status]++;
}

/** Counts in what a distiller could not make use of. */
export function countProblem(counts: CandidateCounts, { reason, items }: DistillProblem): void {
  if (reason === "repaired") counts.repaired += items;
  else if (reason !== "retried") counts.invalid += items;
}

/** How many facts there are that weren't there before. */
export const foundAmong = ({ stored, superseded }: CandidateCounts): number => stored + superseded;
