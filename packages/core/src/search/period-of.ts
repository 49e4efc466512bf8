import { startOfDay } from "../extract/clock-time.ts";
import { daysOf } from "./date-terms.ts";
import type { NamedTime } from "./named-times.ts";

/** From when to when, ISO 8601, the end exclusive. */
export interface Period {
  from: string;
  to: string;
}

/** Days, the first one in and the last one out: `2026-05-08`. */
export interface Days {
  first: string;
  behind: string;
}

/** Before all that was ever said. */
const EVER = "0000-01-01";

/** The days that a time means, bounded by what stands beside it. Pure. */
export function daysMeant({ date, relation }: NamedTime, today: string): Days {
  const { first, behind } = daysOf(date);
  const tomorrow = daysOf(today).behind;
  switch (relation) {
    case "since":
      return { first, behind: tomorrow };
    case "after":
      return { first: behind, behind: tomorrow };
    case "before":
      return { first: EVER, behind: first };
    case "until":
      return { first: EVER, behind };
    default:
      return { first, behind };
  }
}

/**
 * From when to when some times reach in a zone: what all of them bound, and all together otherwise. `undefined` where that
 * hasn't begun or is nothing. Pure.
 */
export function periodOf(
  times: readonly NamedTime[],
  { at, zone, today }: { at: string; zone: string; today: string },
): Period | undefined {
  const days = times.map((time) => daysMeant(time, today));
  const first = days.map((each) => each.first).sort();
  const behind = days.map((each) => each.behind).sort();
  const isBounded = times.length > 1 && times.every(({ relation }) => relation !== undefined);
  const from = isBounded ? first.at(-1) : first[0];
  const to = isBounded ? behind[0] : behind.at(-1);
  if (from === undefined || to === undefined || from >= to) return undefined;
  const period = { from: from === EVER ? `${EVER}T00:00:00.000Z` : startOfDay(from, zone), to: startOfDay(to, zone) };
  return period.from > at ? undefined : period;
}

/** The last one of some days, and how many they are. */
export function spanOf({ first, behind }: Days): { first: string; last: string; days: number } {
  const end = Date.parse(behind);
  return { first, last: new Date(end - DAY).toISOString().slice(0, 10), days: (end - Date.parse(first)) / DAY };
}

const DAY = 86_400_000;
