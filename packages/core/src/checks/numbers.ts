import { MemoryError } from "../errors/memory-error.ts";

interface NumberRange {
  holds: (value: number) => boolean;
  /** Ends a sentence that begins with "must be". */
  wanted: string;
}

/** What the numbers that an app gives may be. */
const RANGES = {
  /** How many. */
  count: { holds: (value) => Number.isSafeInteger(value) && value >= 1, wanted: "a whole number, 1 or more" },
  /** How many at most, where all can be meant and none can't. */
  some: {
    holds: (value) => value === Number.POSITIVE_INFINITY || (Number.isSafeInteger(value) && value >= 1),
    wanted: "a whole number, 1 or more, or Infinity",
  },
  /** How many, where none makes sense; a version; a place in a list. */
  whole: { holds: (value) => Number.isSafeInteger(value) && value >= 0, wanted: "a whole number, 0 or more" },
  /** How many at most, where all can be meant. */
  most: {
    holds: (value) => value === Number.POSITIVE_INFINITY || (Number.isSafeInteger(value) && value >= 0),
    wanted: "a whole number, 0 or more, or Infinity",
  },
  /** An estimate; it may have a fraction. */
  amount: { holds: (value) => Number.isFinite(value) && value >= 0, wanted: "a number, 0 or more" },
  tokens: { holds: (value) => Number.isFinite(value) && value >= 1, wanted: "a number of tokens, 1 or more" },
  /** Milliseconds; Infinity is no limit. */
  milliseconds: { holds: (value) => value > 0, wanted: "a number of milliseconds above 0" },
  share: { holds: (value) => value >= 0 && value <= 1, wanted: "a number from 0 to 1" },
  cosine: { holds: (value) => value >= -1 && value <= 1, wanted: "a number from -1 to 1" },
} satisfies Record<string, NumberRange>;

/** A kind of numbers that an app gives. */
export type NumberKind = keyof typeof RANGES;

/** Whether a text names a kind of numbers. */
export const isNumberKind = (kind: string): kind is NumberKind => Object.hasOwn(RANGES, kind);

/** Whether a value is a number of the kind. `NaN` is of none. */
export const isNumber = (kind: NumberKind, value: unknown): boolean =>
  typeof value === "number" && RANGES[kind].holds(value);

/** What a number of the kind has to be, as the end of a sentence. */
export const wantedNumber = (kind: NumberKind): string => RANGES[kind].wanted;

/** Throws `INVALID_ARGUMENT` that names the first of the options that is given and is no number of its kind. */
export function checkNumbers(what: string, options: object, kinds: Readonly<Record<string, NumberKind>>): void {
  const given: { [option: string]: unknown } = { ...options };
  for (const [option, kind] of Object.entries(kinds)) {
    const value = given[option];
    if (value === undefined || isNumber(kind, value)) continue;
    const found = typeof value === "number" ? String(value) : value === null ? "null" : `of type ${typeof value}`;
    throw new MemoryError("INVALID_ARGUMENT", `${what}: ${option} must be ${wantedNumber(kind)}; it is ${found}.`, {
      details: { option },
    });
  }
}
