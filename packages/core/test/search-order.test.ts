import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Embedder, Memory, SearchFilter, SearchHit } from "../src/index.ts";
import { assistant, testMemory, user } from "./support.ts";

const WORDS = ["dog", "beagle", "tea", "cup", "boat", "run", "blue", "rain"];
/** Words that mean alike; of the other words the model knows nothing. */
const MEANINGS = [
  ["dog", "beagle"],
  ["tea", "cup"],
];

const embedder: Embedder = {
  modelId: "meanings@1",
  dimensions: MEANINGS.length + 1,
  async embed(texts) {
    return texts.map((text) => {
      const held = MEANINGS.map((alike) => text.split(/\W+/).filter((word) => alike.includes(word)).length);
      // What means nothing known lies in a direction of its own.
      return Float32Array.from([...held, held.some((count) => count > 0) ? 0 : 1]);
    });
  },
};

interface Told {
  chat: string;
  said: string[];
  answered: string[] | undefined;
  isRemembered: boolean;
}

const words = (most: number) => fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: most });
const story: fc.Arbitrary<Told[]> = fc.array(
  fc.record({
    chat: fc.constantFrom("a", "b", "c"),
    said: words(6),
    // Some answers are long enough to be indexed in pieces.
    answered: fc.option(fc.oneof(words(6), words(200)), { nil: undefined, freq: 1 }),
    // With no fact and little that is near, few are looked up.
    isRemembered: fc.nat(20).map((n) => n === 0),
  }),
  { minLength: 1, maxLength: 60, size: "max" },
);
const question = fc
  .record({ plain: words(4), quoted: fc.option(words(2), { nil: undefined }) })
  .map(({ plain, quoted }) => `${plain.join(" ")}${quoted === undefined ? "" : ` "${quoted.join(" ")}"`}`);

async function tell(memory: Memory, told: readonly Told[]): Promise<void> {
  for (const [n, { chat, said, answered, isRemembered }] of told.entries()) {
    const text = `${said.join(" ")}.`;
    const turn = await memory.conversation({ id: chat, subject: "ana" }).begin({ id: `t${n}`, messages: [user(text)] });
    const { conversation } = turn;
    if (isRemembered) await conversation.remember(`key ${n}`, `Ana spoke of ${said.join(" and ")}`, { quote: text });
    await turn.complete(answered === undefined ? [] : [assistant(`${answered.join(" ")}.`)]);
  }
  await memory.settled();
}

const seen = ({ message, conversation, score, matched, fact }: SearchHit) => [
  conversation,
  message.id,
  score,
  matched,
  fact,
];
const idsOf = (hits: readonly SearchHit[]): Set<string> => new Set(hits.map(({ message }) => message.id));

const ALL = 100;

describe("the order of what is found", () => {
  it("G8/S1: the first of more are the answer for fewer, scores fall, and each hit's reason is true", async () => {
    const reasons = new Set<string>();
    await fc.assert(
      fc.asyncProperty(story, question, fc.constantFrom({}, { keywordFloor: 0 }), async (told, query, floor) => {
        const { memory } = testMemory({ embedder, ...floor });
        await tell(memory, told);
        const search = async (filter: SearchFilter) => (await memory.search(query, { subject: "ana", ...filter })).hits;
        const ask = async (mode: NonNullable<SearchFilter["mode"]>): Promise<SearchHit[]> => {
          const all = await search({ mode, k: ALL });
          for (const k of [1, 2, 3, 5, 8, 13, 21]) {
            expect((await search({ mode, k })).map(seen), `${mode}, ${k}`).toEqual(all.slice(0, k).map(seen));
          }
          const scores = all.map(({ score }) => score);
          expect(scores).toEqual(scores.toSorted((left, right) => right - left));
          expect(idsOf(all).size).toBe(all.length);
          return all;
        };
        const both = await ask("hybrid");
        const [byWords, byMeaning] = [idsOf(await ask("keyword")), idsOf(await ask("semantic"))];
        for (const { message, matched } of both) {
          const held = [byWords.has(message.id), byMeaning.has(message.id)];
          expect(held, message.id).toEqual([matched !== "semantic", matched !== "keyword"]);
          reasons.add(matched);
        }
        expect(idsOf(both)).toEqual(new Set([...byWords, ...byMeaning]));
      }),
      { numRuns: 25, seed: 8 },
    );
    expect([...reasons].sort()).toEqual(["both", "keyword", "semantic"]);
  });
});
