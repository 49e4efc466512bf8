import fc from "fast-check";
import { expect, it } from "vitest";
import { type Candidates, rankCandidates } from "./rank-candidates.ts";
import { WEIGHTS } from "./weights.ts";

const place = (turn: number) => ({
  conversation: "c",
  turn: `t${turn}`,
  seq: turn,
  message: `m${turn}`,
  subject: undefined,
});
const bestFirst = <Scored extends { score: number }>(list: readonly Scored[]): Scored[] =>
  [...list].sort((a, b) => b.score - a.score);
/** Few different scores, so that there are ties, and any. */
const share = fc.oneof(
  fc.integer({ min: 0, max: 8 }).map((step) => step / 8),
  fc.double({ min: 0, max: 1, noNaN: true }),
);
const message = fc.integer({ min: 1, max: 90 });

/** Pieces of up to ninety messages, some of them gone, some near, some led to by facts. */
const candidates: fc.Arbitrary<Candidates> = fc
  .record({
    pieces: fc.array(fc.record({ message, score: share, isGone: fc.boolean() }), {
      minLength: 40,
      maxLength: 80,
      size: "max",
    }),
    near: fc.uniqueArray(fc.record({ message, cosine: share }), { selector: (one) => one.message, maxLength: 60 }),
    facts: fc.uniqueArray(fc.record({ message, score: share }), { selector: (one) => one.message, maxLength: 10 }),
    floor: fc.constantFrom(-0.2, 0, 0.35, 0.9),
    weight: fc.constantFrom(WEIGHTS.semantic, WEIGHTS.semanticUntold),
  })
  .map(({ pieces, near, facts, floor, weight }) => {
    const units = bestFirst(pieces.map(({ score }, document) => ({ document, score, quotes: false, text: document })));
    return {
      words: {
        units,
        places: async (documents) =>
          new Map(
            documents.flatMap((document) => {
              const piece = pieces[document];
              return piece === undefined || piece.isGone ? [] : [[document, place(piece.message)] as const];
            }),
          ),
      },
      near: bestFirst(
        near.map(({ message: turn, cosine }) => ({ place: place(turn), score: floor + cosine * (1 - floor) })),
      ),
      facts: bestFirst(
        facts.map(({ message: turn, score }) => ({ place: place(turn), score, fact: `f${turn}`, holds: 0 })),
      ),
      floor,
      weight,
    };
  });

it("G8/S1: a ranking that goes as far as is wanted is the beginning of the whole one, scores and all", async () => {
  let shorter = 0;
  await fc.assert(
    fc.asyncProperty(candidates, fc.integer({ min: 1, max: 12 }), async (given, wanted) => {
      const whole = await rankCandidates(given);
      expect(whole.isWhole).toBe(true);
      const some = await rankCandidates(given, wanted);
      if (!some.isWhole) shorter++;
      // As far as the last that is wanted, and what scores as much.
      const last = whole.ranked[wanted - 1]?.score ?? Number.NEGATIVE_INFINITY;
      const head = whole.ranked.filter(({ score }) => score >= (some.isWhole ? Number.NEGATIVE_INFINITY : last));
      // Equals stand in the order in which they were found; loading sorts them by time.
      const sorted = (ranked: typeof head) => ranked.map((found) => JSON.stringify(found)).sort();
      expect(sorted(some.ranked)).toEqual(sorted(head));
      expect(some.ranked.map(({ score }) => score)).toEqual(head.map(({ score }) => score));
    }),
    { numRuns: 2_000 },
  );
  // Or nothing was seen.
  expect(shorter).toBeGreaterThan(20);
});

it("G8/S1: what is equally near as the last that is wanted stays in the ranking", async () => {
  const near = [0.9, 0.8, 0.7, 0.7, 0.7, 0.6].map((score, index) => ({ place: place(index + 1), score }));
  const units = [{ document: 0, score: 0.1, quotes: false, text: 0 }];
  const words = { units, places: async () => new Map([[0, place(9)]]) };
  const { ranked, isWhole } = await rankCandidates({ words, near, facts: [], floor: 0, weight: 0.5 }, 4);
  // The words' best counts as 1.
  expect(ranked.map(({ at }) => at)).toEqual([9, 1, 2, 3, 4, 5].map(place));
  expect(isWhole).toBe(false);
});
