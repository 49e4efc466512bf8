import { median, quantile } from "../lib/statistics.ts";
import type { Measured } from "../turn/measure.ts";

/** Columns of {@link turnFigures}. */
export const TURN_COLUMNS = [
  "p50 ms",
  "p99 ms",
  "read p50 ms",
  "write p50 ms",
  "CPU ms",
  "indexing CPU ms",
  "disk MB",
  "× mastra",
] as const;

/** What a turn of one contender took, in milliseconds. */
export function turnFigures(one: Measured): Record<string, number> {
  const after = median(one.afterCpu);
  return {
    "p50 ms": median(one.p50) / 1_000,
    "p99 ms": quantile(one.all, 0.99) / 1_000,
    "read p50 ms": median(one.readP50) / 1_000,
    "write p50 ms": median(one.writeP50) / 1_000,
    "CPU ms": median(one.cpu) / 1_000,
    ...(after > 0 ? { "indexing CPU ms": after / 1_000 } : {}),
  };
}

/** The megabytes of one contender, beside the peer's where both are known. */
export const diskFigures = (megabytes: number | undefined, peer: number | undefined): Record<string, number> =>
  megabytes === undefined
    ? {}
    : { "disk MB": megabytes, ...(peer === undefined ? {} : { "disk × mastra": megabytes / peer }) };
