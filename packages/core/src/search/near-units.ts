import type { Slicer, Slices } from "./slices.ts";
import { ASSISTANT, roleOf, stepsApart } from "./unit-place.ts";
import { WEIGHTS } from "./weights.ts";

/** Which pieces stand around each: those of unit `u` from `from[u]` to `from[u + 1]`. */
export interface NearUnits {
  from: Uint32Array;
  units: Uint32Array;
  /** What of their words counts there, by number in {@link SHARES}. */
  shares: Uint8Array;
}

export const REACH = Math.max(WEIGHTS.before.length, WEIGHTS.behind.length);

/** What of a piece's words counts beside it: by who speaks, by which stands first, by how many steps they are apart. */
export const SHARES = Float64Array.from(
  [1, WEIGHTS.besideAssistant].flatMap((part) =>
    [WEIGHTS.before, WEIGHTS.behind].flatMap((weights) =>
      Array.from({ length: REACH }, (_, passed) => (weights[passed] ?? 0) * part),
    ),
  ),
);

/** Farther than anything counts. */
export const TOO_FAR = -1;
/** Of another turn, where an assistant speaks. */
export const NO_SHARE = -2;

/**
 * Which of {@link SHARES} counts of another piece's words beside a piece of the same conversation; `passed`: how many pieces are
 * passed to get there, with it, below 0 where it stands before.
 */
export function shareNumber(
  seq: number,
  rest: number,
  otherSeq: number,
  otherRest: number,
  passed: number,
): number | typeof TOO_FAR | typeof NO_SHARE {
  const apart = passed < 0 ? stepsApart(otherSeq, otherRest, seq, rest) : stepsApart(seq, rest, otherSeq, otherRest);
  // Of the turn before it isn't known how many pieces follow: no fewer than were passed.
  const steps = Math.max(Math.abs(passed), apart);
  if (steps > REACH) return TOO_FAR;
  const isAmongPeople = roleOf(rest) !== ASSISTANT && roleOf(otherRest) !== ASSISTANT;
  // What the assistant says is about its own turn: beside other turns it would only repeat what people said there.
  if (!isAmongPeople && otherSeq !== seq) return NO_SHARE;
  return ((isAmongPeople ? 0 : 2) + (passed < 0 ? 0 : 1)) * REACH + steps - 1;
}

/** What each piece stands next to. Whatever is around a piece has that piece around it. */
export function* nearUnits(
  { seqs, rests, conversationOf }: { seqs: Float64Array; rests: Uint16Array; conversationOf: Uint32Array },
  slicer: Slicer,
): Slices<NearUnits> {
  const size = seqs.length;
  const starts = slicer.room.integers(size + 1);
  const units = slicer.room.integers(2 * REACH * size);
  const shares = slicer.room.bytes(2 * REACH * size);
  let count = 0;
  yield* slicer.each(size, (from, to) => {
    for (let unit = from; unit < to; unit++) {
      starts[unit] = count;
      const seq = seqs[unit] as number;
      const rest = rests[unit] as number;
      const conversation = conversationOf[unit];
      for (let step = -1; step <= 1; step += 2) {
        for (let passed = 1; passed <= REACH; passed++) {
          const other = unit + step * passed;
          if (conversationOf[other] !== conversation) break;
          const number = shareNumber(seq, rest, seqs[other] as number, rests[other] as number, step * passed);
          if (number === TOO_FAR) break;
          if (number === NO_SHARE) continue;
          units[count] = other;
          shares[count] = number;
          count++;
        }
      }
    }
  });
  starts[size] = count;
  return { from: starts, units, shares };
}
