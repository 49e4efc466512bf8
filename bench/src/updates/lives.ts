import { LIVES_IN_ENGLISH } from "./lives-in-english.ts";
import { LIVES_IN_OTHER_LANGUAGES } from "./lives-in-other-languages.ts";
import type { UpdateChat } from "./recording.ts";

/** What is said first, what is said later, and a question. */
export type Pair = readonly [first: string, second: string, question: string];

/**
 * What one person says in the course of time, by hand: each thing that is said has all the others beside it, as in a memory that
 * is used.
 */
export interface Life {
  id: string;
  /** The second says anew what the first says: it is asked for what holds. */
  changed: readonly Pair[];
  /** Two things that are alike: it is asked for the first. */
  alike: readonly Pair[];
  /** The second says anew what the first says: it is asked for what held before. */
  earlier: readonly Pair[];
}

export const LIVES: readonly Life[] = [...LIVES_IN_ENGLISH, ...LIVES_IN_OTHER_LANGUAGES];

/** The lives as chats: all that is said first, a turn each, then all that is said later. */
export const lifeChats = (): UpdateChat[] =>
  LIVES.map(({ id, changed, alike, earlier }) => {
    const pairs = [...changed, ...alike, ...earlier];
    const said = [...pairs.map(([first]) => first), ...pairs.map(([, second]) => second)];
    return {
      id,
      isTuning: false,
      said: said.map((content, turn) => {
        const at = new Date(Date.UTC(2026, 0, 1 + turn, 9)).toISOString();
        const message = { id: `m${turn}`, role: "user" as const, content, createdAt: at };
        return { conversation: id, turn: `t${turn}`, at, messages: [message] };
      }),
      updates: changed.map(([before, after, question]) => ({ question, before, after })),
      parallels: alike.map(([meant, other, question]) => ({ question, meant, other })),
      earlier: earlier.map(([meant, other, question]) => ({ question, meant, other })),
      controls: [...alike, ...earlier].flatMap((pair) => pair.slice(0, 2)),
      extractions: said.map((value) => ({
        said: [value],
        answer: JSON.stringify({ facts: [{ value, quote: value, confidence: 1 }] }),
      })),
    };
  });
