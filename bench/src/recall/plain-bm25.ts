import { stemmer } from "stemmer";
import type { Story } from "./question-set.ts";

const K1 = 1.2;
const B = 0.75;
const STOP_WORDS = new Set(
  (
    "a an the and or but nor if then else of to in on at by for with from as into about over under between through during " +
    "before after above below up down out off again further once here there when where why how what which who whom whose " +
    "this that these those is am are was were be been being do does did doing done have has had having will would shall " +
    "should can could may might must i me my mine myself we us our ours you your yours he him his she her hers it its they " +
    "them their theirs not no so than too very just also only own same such some any all both each few more most other s t"
  ).split(" "),
);

const termsOf = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
    .filter((word) => !STOP_WORDS.has(word))
    .map((word) => stemmer(word));

/**
 * What is to be beaten: BM25 over whole messages with their speakers' names, Porter's stems and a stop list, k1 1.2, b 0.75.
 * Answers message ids, best first.
 */
export function plainBm25(story: Story): (question: string, k: number) => string[] {
  const documents = story.said.flatMap(({ messages }) =>
    messages.map(({ id, name = "", content }) => {
      const counts = new Map<string, number>();
      const terms = termsOf(`${name} ${content}`);
      for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
      return { id, counts, length: terms.length };
    }),
  );
  const frequencies = new Map<string, number>();
  for (const { counts } of documents) {
    for (const term of counts.keys()) frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
  }
  const average = documents.reduce((sum, { length }) => sum + length, 0) / documents.length;
  return (question, k) => {
    const terms = [...new Set(termsOf(question))];
    const scored = documents.map(({ id, counts, length }) => {
      const score = terms.reduce((sum, term) => {
        const [count, spread] = [counts.get(term), frequencies.get(term) ?? 0];
        if (count === undefined) return sum;
        const rarity = Math.log(1 + (documents.length - spread + 0.5) / (spread + 0.5));
        return sum + (rarity * count * (K1 + 1)) / (count + K1 * (1 - B + (B * length) / average));
      }, 0);
      return { id, score };
    });
    return scored
      .filter(({ score }) => score > 0)
      .sort((left, right) => right.score - left.score)
      .slice(0, k)
      .map(({ id }) => id);
  };
}
