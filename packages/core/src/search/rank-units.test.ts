import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { UnitPostings } from "./gather-units.ts";
import { indexTerms, queryTerms } from "./index-terms.ts";
import { rankUnits } from "./rank-units.ts";
import { atOnce, SLICE } from "./slices.ts";
import { encodePlace } from "./unit-place.ts";

interface Said {
  conversation: number;
  text: string;
  role?: "user" | "assistant";
  asks?: boolean;
}

/** Messages, each a turn, numbered as `number` says. */
function rank(said: readonly Said[], query: string, number = (index: number): number => index) {
  const seqs = new Map<number, number>();
  const documents = said.map(({ conversation, text, role = "user", asks = false }, index) => {
    const seq = (seqs.get(conversation) ?? 0) + 1;
    seqs.set(conversation, seq);
    return {
      ...indexTerms(text),
      index,
      conversation,
      place: encodePlace({ seq, slot: 0, role, voice: 0, asks, left: 0 }),
    };
  });
  const terms = queryTerms(query).map((term): UnitPostings => {
    const holding = documents.filter((document) => document.terms.has(term));
    holding.sort((left, right) => number(left.index) - number(right.index));
    return {
      term,
      documentFrequency: holding.length,
      documents: holding.map(({ index }) => number(index)),
      frequencies: holding.map((document) => document.terms.get(term) ?? 0),
      lengths: holding.map(({ length }) => length),
      conversations: holding.map(({ conversation }) => conversation + 100 * number(0)),
      places: holding.map(({ place }) => place),
    };
  });
  const totalLength = documents.reduce((sum, { length }) => sum + length, 0);
  return atOnce(rankUnits({ documents: documents.length, totalLength, terms }));
}

const WORDS = ["red", "blue", "green", "car", "boat", "plane", "house", "tree", "river", "cloud"];
const words = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 6 });
const stories = fc.array(
  fc.record<Said>({ conversation: fc.integer({ min: 0, max: 3 }), text: words.map((list) => list.join(" ")) }),
  { minLength: 1, maxLength: 30 },
);

describe("ranking of messages", () => {
  it("S1: an answer is found by the words of the question before it", () => {
    const said = [
      { conversation: 0, text: "How was the pottery workshop with Melanie", asks: true },
      { conversation: 0, text: "Melanie made a blue bowl" },
      { conversation: 1, text: "Melanie likes her pottery" },
    ];
    const order = rank(said, "What did Melanie make at the pottery workshop?").units.map(({ document }) => document);
    expect(order.indexOf(1)).toBeLessThan(order.indexOf(2));
  });

  it("S1: of two that say the same, the one whose conversation is about it is first", () => {
    const said = [
      { conversation: 0, text: "we booked the hotel" },
      { conversation: 0, text: "dinner was late again" },
      { conversation: 1, text: "we booked the hotel" },
      { conversation: 1, text: "the weather" },
      { conversation: 1, text: "more of it" },
      { conversation: 1, text: "so it goes" },
      { conversation: 1, text: "and then" },
      { conversation: 1, text: "Lisbon is lovely" },
    ];
    const [first] = rank(said, "hotel in Lisbon").units;
    expect([2, 7]).toContain(first?.document);
    const order = rank(said, "hotel in Lisbon").units.map(({ document }) => document);
    expect(order.indexOf(2)).toBeLessThan(order.indexOf(0));
  });

  it("S1: what the person said comes before what the assistant said of it", () => {
    const said: Said[] = [
      { conversation: 0, text: "budget tracker in Flask", role: "assistant" },
      { conversation: 1, text: "budget tracker in Flask", role: "user" },
    ];
    expect(rank(said, "budget tracker").units.map(({ document }) => document)).toEqual([1, 0]);
  });

  it("S1: neither the order of postings nor the numbers of documents matter", () => {
    fc.assert(
      fc.property(stories, words, fc.integer({ min: 1, max: 1000 }), (said, query, seed) => {
        const shuffled = (index: number): number => ((index + 1) * 7919 * seed) % 1_000_003;
        const numbers = new Map(said.map((_, index) => [shuffled(index), index]));
        const plain = rank(said, query.join(" "));
        const other = rank(said, query.join(" "), shuffled);
        const byDocument = (ranking: typeof plain, name: (document: number) => number | undefined) =>
          Object.fromEntries(ranking.units.map(({ document, score }) => [name(document), score]));
        expect(byDocument(other, (document) => numbers.get(document))).toEqual(
          byDocument(plain, (document) => document),
        );
        expect(other.relevance).toBe(plain.relevance);
      }),
    );
  });

  it("S1: the order of postings doesn't matter in a turn of more pieces than places either, nor how many words are asked for", () => {
    const pieces = Array.from({ length: 300 }, (_, number) => number);
    const place = (slot: number): number => encodePlace({ seq: 1, slot, role: "user", voice: 0, asks: false, left: 0 });
    const terms = Array.from({ length: 40 }, (_, word): UnitPostings => {
      const documents = pieces.filter((number) => (number * 7 + word * 13) % 17 === 0);
      return {
        term: `word${word}`,
        documentFrequency: documents.length,
        documents,
        frequencies: documents.map(() => 1),
        lengths: documents.map((number) => 5 + (number % 3)),
        conversations: documents.map(() => 1),
        places: documents.map(place),
      };
    });
    const reversed = (some: readonly UnitPostings[]) =>
      some.map((term) => ({
        ...term,
        documents: term.documents.toReversed(),
        lengths: term.lengths.toReversed(),
        places: term.places.toReversed(),
      }));
    const scores = (some: readonly UnitPostings[]) =>
      new Map(
        atOnce(rankUnits({ documents: 300, totalLength: 1_800, terms: some })).units.map((unit) => [
          unit.document,
          unit,
        ]),
      );
    for (const some of [terms.slice(0, 5), terms]) expect(scores(reversed(some))).toEqual(scores(some));
  });

  it("S1: scores fall, are finite and positive, and each message is there once", () => {
    fc.assert(
      fc.property(stories, words, (said, query) => {
        const { units, relevance } = rank(said, query.join(" "));
        expect(new Set(units.map(({ document }) => document)).size).toBe(units.length);
        expect(relevance).toBeGreaterThanOrEqual(0);
        units.forEach(({ score }, index) => {
          expect(score).toBeGreaterThan(0);
          expect(score).toBeLessThanOrEqual(units[index - 1]?.score ?? Number.MAX_VALUE);
        });
      }),
    );
  });

  it("S1: a message that holds one more word of the question comes before one that says something else there", () => {
    fc.assert(
      fc.property(fc.subarray(WORDS, { minLength: 2, maxLength: 5 }), stories, (query, rest) => {
        const [last = "", ...others] = query;
        const said = [
          { conversation: 10, text: [...others, last].join(" ") },
          { conversation: 11, text: [...others, "zebra"].join(" ") },
          ...rest,
        ];
        const order = rank(said, query.join(" ")).units;
        const scoreOf = (document: number): number => order.find((unit) => unit.document === document)?.score ?? 0;
        expect(scoreOf(0)).toBeGreaterThan(scoreOf(1));
      }),
    );
  });

  it("G8: what answers a question is more relevant than what shares a word with it", () => {
    const said = Array.from({ length: 200 }, (_, index) => ({
      conversation: index,
      text: `${WORDS[index % 10]} ${WORDS[(index * 3) % 10]} number${index}`,
    }));
    said.push({ conversation: 300, text: "the dentist moved the appointment to Friday" });
    const asked = rank(said, "When is the appointment at the dentist?").relevance;
    expect(asked).toBeGreaterThan(0.3);
    expect(rank(said, "Which boat did grandfather carve from driftwood?").relevance).toBeLessThan(asked / 2);
    expect(rank(said, "zorbik flumtrag").relevance).toBe(0);
  });

  it("J7: pauses behind every few thousand pieces or words in them, however many there are", () => {
    const size = 10 * SLICE;
    const numbers = Array.from({ length: size }, (_, index) => index);
    const all = {
      documentFrequency: size,
      documents: numbers,
      frequencies: numbers.map(() => 1),
      lengths: numbers.map(() => 8),
      conversations: numbers.map((number) => Math.floor(number / 100)),
      places: numbers.map((number) =>
        encodePlace({ seq: number % 100, slot: 0, role: "user", voice: 0, asks: false, left: 0 }),
      ),
    };
    const terms = ["one", "two"].map((term) => ({ ...all, term }));
    const slices = rankUnits({ documents: size, totalLength: 8 * size, terms, phrases: [["one", "two"]] });
    let pauses = 0;
    while (slices.next().done !== true) pauses++;
    // Two words in each piece, each worked on at least twice: to bring them together, and to add them up.
    expect(pauses).toBeGreaterThanOrEqual((2 * 2 * size) / SLICE);
  });

  it("J7: does what an ordinary question asks for without a pause", () => {
    const said = Array.from({ length: 100 }, (_, index) => ({ conversation: index % 5, text: WORDS.join(" ") }));
    expect(rank(said, "red blue").units).toHaveLength(100);
    const postings = {
      documents: [1, 2],
      frequencies: [1, 1],
      lengths: [2, 2],
      conversations: [1, 1],
      places: [64, 128],
    };
    const slices = rankUnits({
      documents: 2,
      totalLength: 4,
      terms: [{ term: "red", documentFrequency: 2, ...postings }],
    });
    expect(slices.next().done).toBe(true);
  });
});
