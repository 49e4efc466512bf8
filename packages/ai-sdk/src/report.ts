import { MemoryError, type Outcome } from "@throughline/core";
import type { MemorySettings } from "./run-options.ts";

/** Takes an error or an outcome that is a failure. */
export type Report = (problem: unknown) => void;

/**
 * Hands on what went wrong, since the AI SDK swallows what its callbacks throw. Without a handler it is printed, except
 * what the memory's own events have told already.
 */
export function createReport(onError: MemorySettings["onError"]): Report {
  return (problem) => {
    const error = asError(problem);
    if (onError === undefined) {
      // biome-ignore lint/suspicious/noConsole: without a handler a lost turn must still be seen
      if ((problem as Partial<Outcome>).status !== "failed") console.warn(`throughline: ${error.message}`);
      return;
    }
    try {
      onError(error);
    } catch {
      // The app's handler is not the run's business.
    }
  };
}

function asError(problem: unknown): MemoryError {
  if (MemoryError.isInstance(problem)) return problem;
  const { status, code, reason } = problem as Partial<Outcome>;
  if (status !== undefined) {
    return new MemoryError((code ?? "STORE_FAILED") as MemoryError["code"], reason ?? "The turn was not recorded.");
  }
  return new MemoryError("STORE_FAILED", "The memory failed in a way it has no better code for.", { cause: problem });
}
