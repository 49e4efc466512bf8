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

/** The form that is written most, of the days that every month has. */
const PLAIN = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;

/** Whether a text names a day that its month doesn't have: `Date` takes 30 February for 2 March. */
function isNoDay(text: string): boolean {
  const [, year, month, day] = /^\s*(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?!\d)/.exec(text) ?? [];
  if (day === undefined) return false;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  return date.getUTCDate() !== Number(day);
}

/** A time as ISO 8601 in UTC, of the years 0 to 9999, so that times compare as text. Throws `INVALID_ARGUMENT`. */
export function isoTime(value: unknown, what: string): string {
  // No need to parse and print it.
  if (typeof value === "string" && PLAIN.test(value)) return value;
  const isGiven = typeof value === "string" ? !isNoDay(value) : value instanceof Date;
  // As `isGiven` has looked.
  const date = isGiven ? new Date(value as string | Date) : null;
  const year = date === null ? Number.NaN : date.getUTCFullYear();
  if (date === null || !(year >= 0 && year <= 9_999)) {
    throw new MemoryError(
      "INVALID_ARGUMENT",
      `${what} is not a time that there is; give ISO 8601 of a year up to 9999, for example 2026-01-31T09:00:00Z.`,
      {
        details: { what },
      },
    );
  }
  return date.toISOString();
}
