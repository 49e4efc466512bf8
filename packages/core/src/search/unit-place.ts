import type { Role } from "../contract/message.ts";

/** Where a piece of a message stands in its conversation, and whose words it is. */
export interface UnitPlace {
  /** The turn's sequence number. */
  seq: number;
  /** Its place among the pieces of its turn, from 0. */
  slot: number;
  role: Role;
  /** It asks something, and another person is to answer. */
  asks: boolean;
  /** How many pieces follow it in its turn; three stand for more. */
  left: number;
}

const ROLES: readonly Role[] = ["user", "assistant", "tool", "system"];

/** Pieces behind this one share its place: they are next to each other all the same. */
export const LAST_SLOT = 63;
const SLOTS = LAST_SLOT + 1;

/** More pieces that follow aren't told apart: those of the next turn are too far from here. */
export const MOST_LEFT = 3;
const REST = 2 * (MOST_LEFT + 1) * ROLES.length;

/** The place as one number, ascending within a conversation, for stores to keep. */
export const encodePlace = ({ seq, slot, role, asks, left }: UnitPlace): number =>
  (seq * SLOTS + Math.min(slot, LAST_SLOT)) * REST +
  ((asks ? MOST_LEFT + 1 : 0) + Math.min(left, MOST_LEFT)) * ROLES.length +
  ROLES.indexOf(role);

/** The sequence number of the turn in an {@link encodePlace}. */
export const seqOf = (place: number): number => Math.floor(place / (SLOTS * REST));
/** What else is in it, in one small number that the functions below read. */
export const restOf = (place: number): number => place % (SLOTS * REST);

const slotOf = (rest: number): number => rest >> 5;
export const asks = (rest: number): boolean => (rest & 16) !== 0;
export const leftOf = (rest: number): number => (rest >> 2) & MOST_LEFT;
/** The number of a role, the same for the same role. */
export const roleOf = (rest: number): number => rest & 3;
export const ASSISTANT = ROLES.indexOf("assistant");
export const USER = ROLES.indexOf("user");

/** Reads {@link encodePlace}. */
export function decodePlace(place: number): UnitPlace {
  const rest = restOf(place);
  return {
    seq: seqOf(place),
    slot: slotOf(rest),
    role: ROLES[roleOf(rest)] ?? "user",
    asks: asks(rest),
    left: leftOf(rest),
  };
}

/**
 * How many steps apart two pieces of one conversation are, as far as their places tell: no more than there are. Of two turns the
 * earlier one is given first.
 */
export function stepsApart(seq: number, rest: number, laterSeq: number, laterRest: number): number {
  if (seq === laterSeq) return Math.max(1, Math.abs(slotOf(laterRest) - slotOf(rest)));
  return laterSeq - seq + slotOf(laterRest) + leftOf(rest);
}
