import type { KeywordDocument, Postings, SearchQuery } from "@throughline/core";
import { postgresStore } from "@throughline/store-postgres";
import { describe, expect, it } from "vitest";
import { AGENT, at, chat, temporarySchema, turnOf } from "./support/fixtures.ts";
import { serverUrl } from "./support/server.ts";

const MESSAGES = 400;

/** Messages of one turn, and what words they hold: of two terms all, of one every third. */
const documents = Array.from({ length: MESSAGES }, (_, position): KeywordDocument => {
  const terms = ["all", "each", ...(position % 3 === 0 ? ["third"] : [])].map(
    (term) => [term, 1 + (position % 2)] as const,
  );
  const place = {
    turn: "t",
    seq: 1,
    position,
    message: `m${position}`,
    role: "user",
    createdAt: at(position),
  } as const;
  return { ...place, place: position, group: "said", length: 2 + (position % 5), terms };
});
const messages = documents.map(({ message: id, createdAt }) => ({
  id,
  createdAt,
  role: "user" as const,
  origin: "user" as const,
  parts: [{ type: "text" as const, text: "x" }],
}));

const rowsOf = ({ terms, ...sums }: Postings) => ({
  ...sums,
  terms: terms.map(({ term, documentFrequency, ...lists }) => [
    term,
    documentFrequency,
    lists.documents
      .map((document, index) => [
        document,
        lists.frequencies[index],
        lists.lengths[index],
        lists.conversations[index],
        lists.places[index],
      ])
      .map(String)
      .toSorted(),
  ]),
});

describe.skipIf(serverUrl === null)("many postings", () => {
  it.each([
    { kind: "subject", subject: "ann" },
    { kind: "conversation", conversation: "c" },
  ] as const)("S1/Z6: of a $kind are read by another plan than few are, and are the same", async (scope) => {
    const { schema } = await temporarySchema();
    const store = postgresStore({ connectionString: serverUrl ?? "", schema });
    const turn = turnOf("t", { subject: "ann" });
    await store.commitTurn(chat("c"), { ...turn, turn: { ...turn.turn, messages } });
    await store.keyword?.index(chat("c"), { after: 0, through: 1, documents });
    for (const terms of [["all", "each", "third", "none"], ["third"]]) {
      for (const filter of [
        {},
        { from: at(100) },
        { role: "assistant" },
        { conversation: "c" },
        { conversation: "other" },
        { exclude: { conversation: "c", after: 0 } },
        { exclude: { conversation: "c", after: 1 } },
        { exclude: { conversation: "other", after: 0 } },
      ] as const) {
        const query = { terms, groups: ["said"], ...filter } satisfies NonNullable<Partial<SearchQuery["words"]>>;
        const plain = await store.keyword?.postings(AGENT, scope, query);
        const found = await store.readSearch?.(AGENT, { scope, now: at(0), words: { ...query, unindexed: 1 } });
        if (plain === undefined || found?.postings === undefined) throw new Error("The store has both.");
        expect(plain.terms.map(({ documentFrequency }) => documentFrequency)).toEqual(
          terms.map((term) => ({ all: MESSAGES, each: MESSAGES, third: 134, none: 0 })[term]),
        );
        expect(rowsOf(found.postings)).toEqual(rowsOf(plain));
      }
    }
    await store.close();
  });
});
