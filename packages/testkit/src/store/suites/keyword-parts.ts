import type { ConversationOwner, KeywordDocument, KeywordIndex, MemoryStore } from "@throughline/core";
import { expect } from "vitest";
import { at, record, turnOf } from "../fixtures.ts";

/** The store's index. */
export function indexOf(store: MemoryStore): KeywordIndex {
  return store.keyword ?? expect.fail("The store says that it searches keywords and has no `keyword`.");
}

/** The question of a turn as a document: its words are its terms. */
export function documentOf(
  turn: string,
  seq: number,
  text: string,
  options: Partial<KeywordDocument> = {},
): KeywordDocument {
  const words = text.split(" ");
  const terms = [...new Set(words)].map((word) => [word, words.filter((other) => other === word).length] as const);
  return {
    turn,
    seq,
    place: seq * 8,
    position: 0,
    message: `${turn}-q`,
    role: "user",
    createdAt: at(seq),
    group: "said",
    length: words.length,
    terms,
    ...options,
  };
}

/** Records turns with these texts as `t1`, `t2` … and indexes their questions. */
export async function say(
  store: MemoryStore,
  owner: ConversationOwner,
  texts: string[],
  subject?: string,
): Promise<void> {
  for (const [index, said] of texts.entries()) {
    await record(
      store,
      owner,
      turnOf(`t${index + 1}`, { said, minute: index + 1, ...(subject === undefined ? {} : { subject }) }),
    );
  }
  const documents = texts.map((text, index) => documentOf(`t${index + 1}`, index + 1, text));
  expect(await indexOf(store).index(owner, { after: 0, through: texts.length, documents })).toBe(true);
}
