import type { Role } from "../contract/message.ts";
import { foldText } from "./terms.ts";

/** Where a piece of a message stands in its conversation, and whose words it is. */
export interface UnitPlace {
  /** The turn's sequence number. */
  seq: number;
  /** Its place among the pieces of its turn, from 0. */
  slot: number;
  role: Role;
  /** Which of those who are told apart by name said it, from 1 to {@link VOICES}; 0: nobody is named. Of a user's words only. */
  voice: number;
  /** It asks something, and another person is to answer. */
  asks: boolean;
  /** How many pieces follow it in its turn; three stand for more. */
  left: number;
}

const ROLES: readonly Role[] = ["user", "assistant", "tool", "system"];
/** Names that are told apart; of more, some count as one. */
export const VOICES = 15;
/** Users by their voices, then the other roles. */
const SPEAKERS = 32;

/** Pieces behind this one share its place: they are next to each other all the same. */
export const LAST_SLOT = 31;
const SLOTS = LAST_SLOT + 1;

/** More pieces that follow aren't told apart: those of the next turn are too far from here. */
export const MOST_LEFT = 3;
const REST = 2 * (MOST_LEFT + 1) * SPEAKERS;

/** The place as one number for stores to keep; ascending within a conversation, but for pieces behind the last slot. */
export const encodePlace = ({ seq, slot, role, voice, asks, left }: UnitPlace): number =>
  (seq * SLOTS + Math.min(slot, LAST_SLOT)) * REST +
  ((asks ? MOST_LEFT + 1 : 0) + Math.min(left, MOST_LEFT)) * SPEAKERS +
  (role === "user" ? Math.min(voice, VOICES) : VOICES + ROLES.indexOf(role));

/** By what pieces of a conversation stand in order: the same number for those that share their place. */
export const orderOf = (place: number): number => Math.floor(place / REST);
/** The sequence number of the turn in an {@link encodePlace}. */
export const seqOf = (place: number): number => Math.floor(place / (SLOTS * REST));
/** What else is in it, in one small number that the functions below read. */
export const restOf = (place: number): number => place % (SLOTS * REST);

const slotOf = (rest: number): number => rest >> 8;
export const asks = (rest: number): boolean => (rest & 128) !== 0;
export const leftOf = (rest: number): number => (rest >> 5) & MOST_LEFT;
/** The number of a role, the same for the same role. */
export const roleOf = (rest: number): number => Math.max(0, speakerOf(rest) - VOICES);
const speakerOf = (rest: number): number => rest % SPEAKERS;
/** Who of the users; 0 where nobody is named, or it's no user's. */
export const voiceOf = (rest: number): number => (speakerOf(rest) <= VOICES ? speakerOf(rest) : 0);
export const ASSISTANT = ROLES.indexOf("assistant");

/** Reads {@link encodePlace}. */
export function decodePlace(place: number): UnitPlace {
  const rest = restOf(place);
  return {
    seq: seqOf(place),
    slot: slotOf(rest),
    role: ROLES[roleOf(rest)] ?? "user",
    voice: voiceOf(rest),
    asks: asks(rest),
    left: leftOf(rest),
  };
}

/** The voice of somebody with this name. Pure: it is kept in indexes. */
export function voiceNamed(name = ""): number {
  const folded = foldText(name).trim();
  if (folded === "") return 0;
  let hash = 0;
  for (let at = 0; at < folded.length; at++) hash = (hash * 31 + folded.charCodeAt(at)) % 65_521;
  return 1 + (hash % VOICES);
}

/**
 * How many steps apart two pieces of one conversation are, as far as their places tell: no more than there are. Of two turns the
 * earlier one is given first.
 */
export function stepsApart(seq: number, rest: number, laterSeq: number, laterRest: number): number {
  if (seq === laterSeq) return Math.max(1, Math.abs(slotOf(laterRest) - slotOf(rest)));
  return laterSeq - seq + slotOf(laterRest) + leftOf(rest);
}
