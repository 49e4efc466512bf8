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
  /** Nothing follows it in its turn. */
  ends: boolean;
}

const ROLES: readonly Role[] = ["user", "assistant", "tool", "system"];

/** Pieces behind this one share its place: they are next to each other all the same. */
export const LAST_SLOT = 63;
const SLOTS = LAST_SLOT + 1;

/** The place as one number, ascending within a conversation, for stores to keep. */
export const encodePlace = ({ seq, slot, role, asks, ends }: UnitPlace): number =>
  ((seq * SLOTS + Math.min(slot, LAST_SLOT)) * 4 + (asks ? 2 : 0) + (ends ? 1 : 0)) * ROLES.length +
  ROLES.indexOf(role);

/** Reads {@link encodePlace}. */
export function decodePlace(place: number): UnitPlace {
  const role = ROLES[place % ROLES.length] ?? "user";
  const rest = Math.floor(place / ROLES.length);
  const order = Math.floor(rest / 4);
  return { seq: Math.floor(order / SLOTS), slot: order % SLOTS, role, asks: rest % 4 > 1, ends: rest % 2 === 1 };
}

/** How many steps apart two pieces of one conversation are, as far as their places tell: no more than there are. */
export function stepsApart(first: UnitPlace, second: UnitPlace): number {
  if (first.seq === second.seq) return Math.max(1, Math.abs(second.slot - first.slot));
  const [earlier, later] = first.seq < second.seq ? [first, second] : [second, first];
  return later.seq - earlier.seq + later.slot + (earlier.ends ? 0 : 1);
}
