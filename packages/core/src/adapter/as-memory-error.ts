import type { Outcome } from "../contract/outcome.ts";
import { CODES, type MemoryErrorCode } from "../errors/codes.ts";
import { MemoryError } from "../errors/memory-error.ts";

/** For adapters: anything that went wrong, a write's outcome among them, as a `MemoryError` to hand to the app. */
export function asMemoryError(problem: unknown): MemoryError {
  if (MemoryError.isInstance(problem)) return problem;
  if (isOutcome(problem)) {
    const { code, reason, retryable } = problem;
    return new MemoryError(
      isCode(code) ? code : "STORE_FAILED",
      reason ?? "The turn was not recorded.",
      retryable === undefined ? {} : { retryable },
    );
  }
  return new MemoryError("STORE_FAILED", "The memory failed in a way it has no better code for.", { cause: problem });
}

const isOutcome = (problem: unknown): problem is Outcome =>
  typeof problem === "object" && problem !== null && typeof (problem as Partial<Outcome>).status === "string";

const isCode = (code: string | undefined): code is MemoryErrorCode => code !== undefined && Object.hasOwn(CODES, code);
