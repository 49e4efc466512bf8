import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { FollowingDocument } from "../contract/store-keyword.ts";
import type { UnitPostings } from "./gather-units.ts";
import { indexTerms, queryTerms } from "./index-terms.ts";
import { openBehind, rankFollowing } from "./rank-following.ts";
import { rankUnits } from "./rank-units.ts";
import { atOnce } from "./slices.ts";
import { encodePlace, VOICES } from "./unit-place.ts";
import { WEIGHTS } from "./weights.ts";

interface Said {
  text: string;
  conversation?: number;
  role?: "user" | "assistant";
  /** Whose words: nobody's with 0. One after the other, where it isn't said. */
  voice?: number;
  /** Of a turn of its own, as long as it isn't said that it is in the one before. */
  sameTurn?: boolean;
}

/** Messages as a store has them: numbered as `number` says, each conversation in its order. */
function documentsOf(said: readonly Said[], number: (index: number) => number) {
  const ends = new Map<number, { seq: number; slot: number }>();
  return said.map(({ text, conversation = 0, role = "user", voice: given, sameTurn = false }, index) => {
    const voice = given ?? 1 + (index % VOICES);
    const last = ends.get(conversation) ?? { seq: 0, slot: 0 };
    const { seq, slot } = sameTurn ? { seq: last.seq, slot: last.slot + 1 } : { seq: last.seq + 1, slot: 0 };
    ends.set(conversation, { seq, slot });
    const next = said.slice(index + 1).find((other) => (other.conversation ?? 0) === conversation);
    const place = encodePlace({ seq, slot, role, voice, asks: false, left: next?.sameTurn ? 1 : 0 });
    return { ...indexTerms(text), document: number(index), index, conversation, place };
  });
}

/** What is ranked right behind the best, by position in `said`, best first; and how many were looked behind. */
function follow(said: readonly Said[], query: string, number = (index: number): number => index) {
  const documents = documentsOf(said, number);
  const terms = queryTerms(query).map((term): UnitPostings => {
    const holding = documents.filter((document) => document.terms.has(term));
    holding.sort((left, right) => left.document - right.document);
    return {
      term,
      documentFrequency: holding.length,
      documents: holding.map(({ document }) => document),
      frequencies: holding.map((document) => document.terms.get(term) ?? 0),
      lengths: holding.map(({ length }) => length),
      conversations: holding.map(({ conversation }) => conversation),
      places: holding.map(({ place }) => place),
    };
  });
  const totalLength = documents.reduce((sum, { length }) => sum + length, 0);
  const { held, units } = atOnce(rankUnits({ documents: documents.length, totalLength, terms }));
  if (held === undefined) return { looked: 0, ranked: [], units };
  const open = openBehind(held);
  const following = open.flatMap(({ document, conversation }): FollowingDocument[] => {
    const behind = documents.find((other) => other.document === document);
    const next = documents.find((other) => other.conversation === conversation && other.index > (behind?.index ?? 0));
    if (next === undefined) return [];
    return [{ behind: document, document: next.document, length: next.length, place: next.place }];
  });
  const indexOf = new Map(documents.map(({ document, index }) => [document, index]));
  const ranked = atOnce(rankFollowing(held, following)).map(({ document, score, text, quotes }) => ({
    at: indexOf.get(document) ?? -1,
    score,
    text,
    quotes,
  }));
  return { looked: open.length, ranked, units };
}

const WORDS = ["red", "blue", "green", "car", "boat", "plane", "house", "tree"];
const stories = fc.array(
  fc.record<Said>({
    conversation: fc.integer({ min: 0, max: 2 }),
    text: fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 4 }).map((list) => list.join(" ")),
    role: fc.constantFrom("user", "user", "assistant"),
  }),
  { minLength: 1, maxLength: 40 },
);
const queries = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 }).map((list) => list.join(" "));

describe("what stands right behind the best", () => {
  it("S1: is scored by the words around it and by those of its conversation", () => {
    const { ranked, units } = follow([{ text: "holiday" }, { text: "Lisbon" }], "holiday");
    expect(units).toHaveLength(1);
    // One word, said once in a piece of ordinary length, counts 1; of what was said right before, nine tenths are said here.
    const spread = WEIGHTS.before[0];
    const around = (spread * (WEIGHTS.k1 + 1)) / (spread + WEIGHTS.k1);
    expect(ranked).toHaveLength(1);
    expect(ranked[0]).toMatchObject({ at: 1, quotes: false });
    expect(ranked[0]?.score).toBeCloseTo(WEIGHTS.surroundings * around + WEIGHTS.conversation, 12);
  });

  it("S1: is one message, of the same conversation, and holds no word of the question itself", () => {
    const said: Said[] = [
      { text: "where was the holiday", conversation: 1 },
      { text: "something else", conversation: 2 },
      { text: "Lisbon", conversation: 1 },
      { text: "how nice", conversation: 1 },
      { text: "holiday", conversation: 2 },
      { text: "a holiday in spring", conversation: 2 },
    ];
    expect(follow(said, "holiday").ranked.map(({ at }) => at)).toEqual([2]);
  });

  it("S1: is a person's: nothing is looked for behind an assistant, nor where the assistant answers in the same turn", () => {
    const answered: Said[] = [
      { text: "a holiday" },
      { text: "noted", role: "assistant", sameTurn: true },
      { text: "thanks" },
    ];
    expect(follow(answered, "holiday")).toMatchObject({ looked: 0, ranked: [] });
    const told: Said[] = [{ text: "your holiday is near", role: "assistant" }, { text: "thanks" }];
    expect(follow(told, "holiday")).toMatchObject({ looked: 0, ranked: [] });
    const spoken: Said[] = [{ text: "a holiday" }, { text: "noted", role: "assistant" }];
    expect(follow(spoken, "holiday")).toMatchObject({ looked: 1, ranked: [] });
  });

  it("S1: is another person's than what stands before it, and both have names", () => {
    const of = (...voices: number[]) => {
      const said = voices.map((voice, index): Said => ({ text: index === 0 ? "holiday" : "Lisbon", voice }));
      const { looked, ranked } = follow(said, "holiday");
      return [looked, ranked.length];
    };
    expect(of(1, 2)).toEqual([1, 1]);
    expect(of(1, 1)).toEqual([1, 0]);
    expect(of(1, 0)).toEqual([1, 0]);
    expect(of(0, 1)).toEqual([0, 0]);
  });

  it("S1: pieces of what one person says in a turn are of one text", () => {
    const said: Said[] = [
      { text: "holiday" },
      { text: "Lisbon", voice: 2 },
      { text: "holiday there", voice: 2, sameTurn: true },
    ];
    const { ranked, units } = follow(said, "holiday");
    expect(ranked.map(({ at }) => at)).toEqual([1]);
    expect(ranked[0]?.text).toBe(units.find(({ document }) => document === 2)?.text);
    const alone = follow(said.slice(0, 2), "holiday");
    expect(alone.units.map(({ text }) => text)).not.toContain(alone.ranked[0]?.text);
  });

  it("S1/J14: whatever numbers a store gives, the same is ranked with the same scores", () => {
    fc.assert(
      fc.property(stories, queries, fc.integer({ min: 1, max: 1000 }), (said, query, step) => {
        const plain = follow(said, query).ranked.map(({ at, score }) => [at, score]);
        const other = follow(said, query, (index) => 1_000_000 - index * step).ranked.map(({ at, score }) => [
          at,
          score,
        ]);
        const byPlace = (list: number[][]) => list.toSorted((left, right) => (left[0] ?? 0) - (right[0] ?? 0));
        expect(byPlace(other)).toEqual(byPlace(plain));
      }),
    );
  });

  it("S1: nothing is ranked twice, and no more than the best are looked behind", () => {
    fc.assert(
      fc.property(stories, queries, (said, query) => {
        const { looked, ranked, units } = follow(said, query);
        expect(looked).toBeLessThanOrEqual(WEIGHTS.followed);
        const all = [...units.map(({ document }) => document), ...ranked.map(({ at }) => at)];
        expect(new Set(all).size).toBe(all.length);
        expect(ranked.map(({ score }) => score)).toEqual(
          ranked.map(({ score }) => score).toSorted((left, right) => right - left),
        );
        for (const { at } of ranked) expect(said[at]?.role ?? "user").toBe("user");
      }),
    );
  });

  it("S1/J14: among equals at the border none is looked behind: which one it would be is the store's", () => {
    const said = Array.from({ length: 2 * WEIGHTS.followed }, (_, index): Said[] => [
      { text: "holiday", conversation: index },
      { text: "Lisbon", conversation: index },
    ]).flat();
    expect(follow(said, "holiday")).toMatchObject({ looked: 0, ranked: [] });
    expect(follow(said.slice(0, 2 * WEIGHTS.followed), "holiday").ranked).toHaveLength(WEIGHTS.followed);
  });
});
