import type { FollowingDocument } from "../contract/store-keyword.ts";
import { NO_SHARE, REACH, SHARES, shareNumber, TOO_FAR } from "./near-units.ts";
import { type HeldUnits, normAround, type RankedUnit, saturated, scoreOf } from "./rank-units.ts";
import { Slicer, type Slices } from "./slices.ts";
import { leftOf, restOf, roleOf, seqOf, stepsApart, voiceOf } from "./unit-place.ts";

/**
 * Which of the best pieces may have another person's words right behind them that hold no word of the question: what somebody
 * with a name said last in a turn. Behind it in the same turn the assistant answers, and says nothing that the person didn't.
 */
export function openBehind({ gathered, best }: HeldUnits): { document: number; conversation: number }[] {
  const { seqs, rests, conversationOf, documents, conversationNumbers } = gathered;
  const isOpen = (unit: number): boolean => {
    const [rest, next] = [rests[unit] as number, unit + 1];
    if (voiceOf(rest) === 0 || leftOf(rest) > 0) return false;
    if (conversationOf[next] !== conversationOf[unit]) return true;
    return stepsApart(seqs[unit] as number, rest, seqs[next] as number, rests[next] as number) > 1;
  };
  return best.filter(isOpen).map((unit) => ({
    document: documents[unit] as number,
    conversation: conversationNumbers[conversationOf[unit] as number] as number,
  }));
}

/**
 * Ranks what people said without a word of the question, each right behind what another one said that is among the best, by the
 * words around it and by those of its conversation: an answer need not repeat what it answers. Best first. Pure.
 */
export function* rankFollowing(held: HeldUnits, following: readonly FollowingDocument[]): Slices<RankedUnit[]> {
  const { gathered, weights, averageLength, whole, most, texts } = held;
  const unitOf = new Map(held.best.map((unit) => [gathered.documents[unit], unit]));
  const pieces = following.flatMap((piece) => {
    const unit = unitOf.get(piece.behind);
    // What holds a word is ranked already.
    if (unit === undefined || gathered.documents[unit + 1] === piece.document) return [];
    if (seqOf(piece.place) - (gathered.seqs[unit] as number) > REACH) return [];
    // Who goes on answers nobody.
    const voice = voiceOf(restOf(piece.place));
    if (voice === 0 || voice === voiceOf(gathered.rests[unit] as number)) return [];
    return [{ piece, unit, near: nearTo(held, unit, piece) }];
  });
  // Mostly so: then no word's places are gone through for nothing.
  if (pieces.length === 0) return [];
  const frequencies = yield* frequenciesAround(held, new Set(pieces.flatMap(({ near }) => [...near.keys()])));
  return pieces
    .map(({ piece, unit, near }, index) => {
      const norm = normAround(piece.length, averageLength);
      const around = weights.reduce((sum, weight, term) => {
        let spread = 0;
        for (const [other, share] of near) spread += share * (frequencies[term]?.get(other) ?? 0);
        return sum + saturated(spread, norm, weight);
      }, 0);
      const rest = restOf(piece.place);
      const beside = [unit, unit + 1].find((other) => isSameText(held, other, unit, piece.place));
      return {
        document: piece.document,
        score: scoreOf(0, around, whole[gathered.conversationOf[unit] as number] as number, most, rest),
        quotes: false,
        text: beside === undefined ? gathered.size + index : (texts[beside] as number),
      };
    })
    .sort((left, right) => right.score - left.score);
}

/** What stands around a piece that stands right behind `unit`: what of each one's words counts there. */
function nearTo({ gathered }: HeldUnits, unit: number, { place }: FollowingDocument): Map<number, number> {
  const { seqs, rests, conversationOf } = gathered;
  const near = new Map<number, number>();
  for (const step of [-1, 1]) {
    for (let passed = 1; passed <= REACH; passed++) {
      const other = step < 0 ? unit + 1 - passed : unit + passed;
      if (conversationOf[other] !== conversationOf[unit]) break;
      const [otherSeq, otherRest] = [seqs[other] as number, rests[other] as number];
      const number = shareNumber(seqOf(place), restOf(place), otherSeq, otherRest, step * passed);
      if (number === TOO_FAR) break;
      if (number !== NO_SHARE) near.set(other, SHARES[number] as number);
    }
  }
  return near;
}

/** How often these pieces hold each term. */
function* frequenciesAround({ gathered }: HeldUnits, units: ReadonlySet<number>): Slices<Map<number, number>[]> {
  const slicer = new Slicer();
  const found: Map<number, number>[] = [];
  for (const { held, frequencies } of gathered.terms) {
    const ofTerm = new Map<number, number>();
    yield* slicer.each(held.length, (from, to) => {
      for (let at = from; at < to; at++) {
        const unit = held[at] as number;
        if (units.has(unit)) ofTerm.set(unit, frequencies[at] as number);
      }
    });
    found.push(ofTerm);
  }
  return found;
}

/** Whether a piece is of the text of `other`, which stands in `unit`'s conversation or behind it. */
function isSameText({ gathered }: HeldUnits, other: number, unit: number, place: number): boolean {
  const { seqs, rests, conversationOf } = gathered;
  return (
    conversationOf[other] === conversationOf[unit] &&
    seqs[other] === seqOf(place) &&
    roleOf(rests[other] as number) === roleOf(restOf(place))
  );
}
