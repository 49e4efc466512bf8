import type { GatheredUnits, UnitPostings } from "./gather-units.ts";
import type { Slicer, Slices } from "./slices.ts";
import { roleOf } from "./unit-place.ts";

/** The pieces that hold terms of a phrase, where all of its terms stand in one text: it may go on in the next piece. */
export function* quotingUnits(
  terms: readonly UnitPostings[],
  { gathered, texts }: { gathered: GatheredUnits; texts: Uint32Array },
  phrases: readonly (readonly string[])[],
  slicer: Slicer,
): Slices<ReadonlySet<number>> {
  const quoting = new Set<number>();
  if (phrases.length === 0) return quoting;
  const holders = new Map(terms.map(({ term }, index) => [term, gathered.terms[index]?.held ?? new Uint32Array()]));
  for (const phrase of phrases) {
    const lists = phrase.map((term) => holders.get(term) ?? new Uint32Array());
    // How many of the phrase's terms each text holds, of those up to the one at hand and without a gap.
    const counts = slicer.room.integers(gathered.size);
    for (const [index, held] of lists.entries()) {
      yield* slicer.each(held.length, (from, to) => {
        for (let at = from; at < to; at++) {
          const text = texts[held[at] as number] as number;
          if (counts[text] === index) counts[text] = index + 1;
        }
      });
    }
    for (const held of lists) {
      yield* slicer.each(held.length, (from, to) => {
        for (let at = from; at < to; at++) {
          const unit = held[at] as number;
          if (counts[texts[unit] as number] === lists.length) quoting.add(unit);
        }
      });
    }
  }
  return quoting;
}

/** For each piece a number of what one role says in one turn: the number of its first piece. */
export function* textNumbers(gathered: GatheredUnits, slicer: Slicer): Slices<Uint32Array> {
  const numbers = slicer.room.integers(gathered.size);
  yield* slicer.each(gathered.size, (from, to) => {
    for (let unit = Math.max(1, from); unit < to; unit++) {
      numbers[unit] = isSameText(gathered, unit - 1, unit) ? (numbers[unit - 1] as number) : unit;
    }
  });
  return numbers;
}

const isSameText = ({ seqs, rests, conversationOf }: GatheredUnits, one: number, other: number): boolean =>
  seqs[one] === seqs[other] &&
  conversationOf[one] === conversationOf[other] &&
  roleOf(rests[one] as number) === roleOf(rests[other] as number);
