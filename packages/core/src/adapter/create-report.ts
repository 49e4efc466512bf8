import type { Outcome } from "../contract/outcome.ts";
import type { MemoryError } from "../errors/memory-error.ts";
import { warn } from "../memory/warn.ts";
import { asMemoryError } from "./as-memory-error.ts";

/** Takes an error, or an outcome that is one. Never throws. */
export type Report = (problem: unknown) => void;

/**
 * For adapters: hands on to the app what went wrong where the host swallows it or would end its run for it. Without a
 * handler it is printed, except what the memory's own events have told already.
 */
export function createReport(onError: ((error: MemoryError) => void) | undefined): Report {
  return (problem) => {
    const error = asMemoryError(problem);
    if (onError === undefined) {
      if ((problem as Partial<Outcome> | null)?.status !== "failed") warn(error.message);
      return;
    }
    try {
      onError(error);
    } catch {
      // The app's handler is not the run's business.
    }
  };
}

/** For adapters: was a turn not recorded that should have been? A tier that the policy switches off loses nothing. */
export const isLost = ({ status, code }: Outcome): boolean =>
  status === "failed" || (status === "refused" && code !== "TIER_OFF");
