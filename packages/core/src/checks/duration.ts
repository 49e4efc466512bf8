import { MemoryError } from "../errors/memory-error.ts";

const UNITS: Record<string, number> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** Longest duration, a thousand years: a time that far off can still be written as ISO 8601. */
const MAX_DURATION_MS = 1_000 * 365 * 86_400_000;

/** Milliseconds of a number (already milliseconds) or of a text such as `"90d"`. Throws `INVALID_ARGUMENT`. */
export function durationMs(value: number | string, what: string): number {
  const match = typeof value === "string" ? /^(\d+(?:\.\d+)?)\s*(ms|s|m|h|d|w)$/.exec(value.trim()) : null;
  const ms = match ? Number(match[1]) * (UNITS[match[2] as string] as number) : value;
  if (typeof ms !== "number" || !(ms > 0 && ms <= MAX_DURATION_MS)) {
    throw new MemoryError(
      "INVALID_ARGUMENT",
      `${what} is ${JSON.stringify(value)}; give milliseconds above 0 or a text such as "30m" or "90d", up to a thousand years.`,
      { details: { what } },
    );
  }
  return ms;
}

/** The ISO 8601 time `ms` after `now`. */
export const timeAfter = (now: string, ms: number): string => new Date(Date.parse(now) + ms).toISOString();

/** A time as ISO 8601 in UTC, so that times compare as text. Throws `INVALID_ARGUMENT`. */
export function isoTime(value: unknown, what: string): string {
  // Already in the one form that is written most: no need to parse and print it.
  if (typeof value === "string" && value.length === 24 && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value)) {
    return value;
  }
  const date = typeof value === "string" || value instanceof Date ? new Date(value) : null;
  if (date === null || Number.isNaN(date.getTime())) {
    throw new MemoryError(
      "INVALID_ARGUMENT",
      `${what} is not a time; give ISO 8601, for example 2026-01-31T09:00:00Z.`,
      {
        details: { what },
      },
    );
  }
  return date.toISOString();
}
