import type {
  AgentOwner,
  ConversationOwner,
  KeywordDocument,
  MemoryStore,
  Message,
  Postings,
  SearchQuery,
  SearchRows,
  TurnRow,
} from "@throughline/core";
import { expect } from "vitest";
import {
  AGENT,
  at,
  CHAT,
  chat,
  factOf,
  factsOf,
  HOSTILE_IDS,
  messageOf,
  putFacts,
  record,
  turnOf,
} from "../fixtures.ts";
import type { StoreSuite } from "../store-suite.ts";
import { searchParts } from "./search-parts.ts";

type Scope = SearchQuery["scope"];
type Words = NonNullable<SearchQuery["words"]>;

const ANN: Scope = { kind: "subject", subject: "ann" };
const WORDS: Words = { terms: ["word", "rare", "nowhere"], groups: ["said"], unindexed: 100 };
const RECORDS = { namespace: ["n", "m"], keys: ["b", "a", "gone", "none"] };
const NOW = at(100);
const WHOLE = { now: NOW, words: WORDS, facts: { limit: 2 }, records: RECORDS } as const;

/** A question with its words. */
function documentOf(turn: string, seq: number, terms: string[], rest: Partial<KeywordDocument> = {}): KeywordDocument {
  const place = { turn, seq, position: 0, message: `${turn}-q`, role: "user", createdAt: at(seq) } as const;
  return { ...place, place: seq * 8, group: "said", length: 3, terms: terms.map((term) => [term, 2]), ...rest };
}

/** Turns `t1`, `t2` … of a conversation; those with words are indexed, the others are left behind. */
async function say(store: MemoryStore, owner: ConversationOwner, subject: string, said: string[][]): Promise<void> {
  const names = said.map((_, index) => `t${index + 1}`);
  await record(store, owner, ...names.map((name, index) => turnOf(name, { minute: index + 1, subject })));
  const documents = said.flatMap((terms, index) =>
    terms.length === 0 ? [] : [documentOf(`t${index + 1}`, index + 1, terms)],
  );
  const through = said.findLastIndex((terms) => terms.length > 0) + 1;
  expect(await store.keyword?.index(owner, { after: 0, through, documents })).toBe(true);
}

/** A subject with an identity, several conversations, one of somebody else's, hidden and unindexed turns, facts and records. */
async function fill(store: MemoryStore): Promise<void> {
  await say(store, CHAT, "ann", [["word"], ["word", "rare"], ["word"], [], []]);
  await say(store, chat("second"), "ann", [["rare"], []]);
  await say(store, chat("former"), "ann", [["word"], []]);
  await say(store, chat("bobs"), "bob", [["word", "rare"], []]);
  await store.changeTurns(CHAT, [
    { turn: "t3", action: "hide" },
    { turn: "t5", action: "hide" },
  ]);
  await store.changeConversation(chat("former"), { now: at(20), subject: "bob" });
  await record(store, chat("former"), turnOf("t3"));
  await store.linkIdentity(AGENT, { identity: "ann@work", subject: "ann", since: at(0) });
  const three = ["f1", "f2", "f3"].map((id, minute) => factOf(id, { minute }));
  await putFacts(store, factsOf("user", "ann"), ...three, factOf("over", { minute: 9, expiresAt: at(50) }));
  await putFacts(store, factsOf("global", "ann"), factOf("everywhere", { scope: "global" }));
  await putFacts(store, factsOf("user", "bob"), factOf("bobs"));
  await putFacts(store, factsOf("conversation", CHAT.conversation), factOf("here", { scope: "conversation" }));
  await putFacts(store, factsOf("app", ""), factOf("apps", { scope: "app" }));
  const [namespace, key] = [RECORDS.namespace, "a"];
  const kept = [
    { namespace, key, value: { deep: [1, null] } },
    { namespace, key: "b", value: "text" },
    { namespace, key: "gone", value: 1, expiresAt: at(50) },
    { namespace: ["n"], key, value: "elsewhere" },
  ];
  expect((await store.commitRecords(AGENT, kept, { now: at(0) })).status).toBe("committed");
}

/** The same with all that has no order put into one. */
function sorted({ postings, behind, unindexed, records, ...rest }: SearchRows): object {
  const byText = <Value>(values: readonly Value[] | undefined) =>
    values?.map((value) => JSON.stringify(value)).toSorted();
  return {
    ...rest,
    postings: postings && { ...postings, terms: postings.terms.map(termRows) },
    behind: byText(behind),
    unindexed: unindexed?.toSorted((left, right) =>
      left.conversation < right.conversation ? -1 : left.conversation > right.conversation ? 1 : 0,
    ),
    records: byText(records),
  };
}

function termRows(term: Postings["terms"][number]): object {
  const { documents, frequencies, lengths, conversations, places } = term;
  const rows = documents.map((document, index) => [
    document,
    frequencies[index],
    lengths[index],
    conversations[index],
    places[index],
  ]);
  return { term: term.term, documentFrequency: term.documentFrequency, rows: rows.map(String).toSorted() };
}

/** Both ways, compared. */
async function expectSame(store: MemoryStore, query: SearchQuery, owner: AgentOwner = AGENT): Promise<SearchRows> {
  const found = (await store.readSearch?.(owner, query)) ?? expect.fail("There is no readSearch.");
  expect(sorted(found)).toEqual(sorted(await searchParts(store, owner, query)));
  return found;
}

const byPlace = (rows: readonly TurnRow[]) =>
  rows.toSorted((a, b) =>
    a.conversation === b.conversation ? a.seq - b.seq : a.conversation < b.conversation ? -1 : 1,
  );

/** What a search reads in one trip, where a store has that. */
export const searchReadsSuite: StoreSuite = {
  name: "search reads",
  applies: ({ capabilities }) => capabilities.keywordSearch,
  cases: [
    {
      rules: ["S1", "Z3", "J1"],
      title: "readSearch, where there is one, answers every part as its own method does",
      async run({ store }) {
        if (store.readSearch === undefined) return;
        await fill(store);
        const found = await expectSame(store, { ...WHOLE, scope: ANN });
        expect(found.postings?.terms.map(({ documents }) => documents.length)).toEqual([3, 2, 0]);
        const unindexed = found.unindexed?.map(({ conversation, id }) => `${conversation}/${id}`) ?? [];
        expect(unindexed).toEqual(expect.arrayContaining([`${CHAT.conversation}/t4`, "second/t2"]));
        expect(unindexed).not.toContain(`${CHAT.conversation}/t5`);
        expect(unindexed).not.toContain("bobs/t2");
        expect(found.facts?.map(({ id }) => id)).toEqual(["f3", "f2", "everywhere"]);
        expect(found.records).toHaveLength(2);
        const here = await expectSame(store, {
          ...WHOLE,
          scope: { kind: "conversation", conversation: CHAT.conversation },
        });
        expect(here).toMatchObject({ facts: [{ id: "here" }], behind: [{ after: 3 }] });
        await expectSame(store, { ...WHOLE, scope: { kind: "conversation", conversation: "nowhere" } });
        await expectSame(store, { ...WHOLE, scope: { kind: "subject", subject: "nobody" } });
      },
    },
    {
      rules: ["S1", "G8"],
      title: "readSearch, where there is one, narrows words by every filter",
      async run({ store }) {
        if (store.readSearch === undefined) return;
        await fill(store);
        const filters: Partial<Words>[] = [
          { role: "assistant" },
          { role: "user" },
          { from: at(2) },
          { to: at(2) },
          { conversation: "second" },
          { exclude: { conversation: CHAT.conversation, after: 1 } },
          { groups: ["said", "tool"] },
          { groups: ["tool"] },
          { terms: [] },
        ];
        const said = { turn: "t1", seq: 1, position: 1, message: "t1-a", role: "assistant" } as const;
        const result = documentOf("t1", 1, ["word", "rare"], { ...said, group: "tool" });
        // With a hidden turn, and then without one and with what a tool said.
        for (const hides of [true, false]) {
          if (!hides) {
            await store.changeTurns(CHAT, [{ turn: "t3", action: "show" }]);
            const again = [documentOf("t1", 1, ["word"]), result];
            expect(await store.keyword?.index(CHAT, { after: 3, through: 3, documents: again })).toBe(true);
          }
          for (const filter of filters) {
            for (const scope of [ANN, { kind: "conversation", conversation: CHAT.conversation }] as const) {
              await expectSame(store, { scope, now: NOW, words: { ...WORDS, ...filter } });
            }
          }
        }
      },
    },
    {
      rules: ["S1", "F13"],
      title: "readSearch, where there is one, takes an identity for its subject where it is told to, and else as it is",
      async run({ store }) {
        if (store.readSearch === undefined) return;
        await fill(store);
        const named: Scope = { kind: "subject", subject: "ann@work" };
        const resolved = await expectSame(store, { ...WHOLE, scope: named, resolve: true });
        expect(resolved).toMatchObject({ subject: "ann", postings: { documents: 4 }, facts: { length: 3 } });
        expect(await expectSame(store, { ...WHOLE, scope: named })).toMatchObject({
          subject: "ann@work",
          postings: { documents: 0 },
          facts: [],
        });
        expect(await expectSame(store, { ...WHOLE, scope: ANN, resolve: true })).toMatchObject({ subject: "ann" });
      },
    },
    {
      rules: ["S1", "Z8"],
      title:
        "readSearch, where there is one, answers no part that wasn't asked for, and no more unindexed turns than it may",
      async run({ store }) {
        if (store.readSearch === undefined) return;
        await fill(store);
        expect(await store.readSearch(AGENT, { scope: ANN, now: NOW })).toEqual({ subject: "ann" });
        const { unindexed: all = [] } = await expectSame(store, { scope: ANN, now: NOW, words: WORDS });
        const counts = await Promise.all(
          [all.length - 1, all.length].map((unindexed) =>
            expectSame(store, { scope: ANN, now: NOW, words: { ...WORDS, unindexed } }),
          ),
        );
        expect(counts.map(({ unindexed }) => unindexed?.length)).toEqual([undefined, all.length]);
      },
    },
    {
      rules: ["F1", "F2", "J1"],
      title: "readSearch and readHits, where there are any, stay within tenant and agent, whatever the ids",
      async run({ store }) {
        if (store.readSearch === undefined) return;
        await fill(store);
        const strangers = [
          { ...AGENT, agent: "another" },
          { ...AGENT, tenant: "another" },
          { tenant: "", agent: "" },
        ];
        const documents = (await expectSame(store, { ...WHOLE, scope: ANN })).postings?.terms[0]?.documents ?? [];
        const places = [{ conversation: CHAT.conversation, turn: "t1" }];
        for (const stranger of strangers) {
          await expectSame(store, { ...WHOLE, scope: ANN, resolve: true }, stranger);
          expect(await store.readHits?.(stranger, { documents, places })).toEqual({ documents: [], turns: [] });
        }
        for (const id of HOSTILE_IDS) {
          await say(store, chat(id), id, [["word"], []]);
          for (const scope of [
            { kind: "subject", subject: id },
            { kind: "conversation", conversation: id },
          ] as const) {
            const found = await expectSame(store, { ...WHOLE, scope, resolve: true });
            expect(found.unindexed, JSON.stringify(id)).toHaveLength(1);
            const hits = await store.readHits?.(AGENT, {
              documents: found.postings?.terms[0]?.documents ?? [],
              places: [],
            });
            expect(hits?.turns.map(({ conversation }) => conversation)).toEqual([id]);
          }
        }
      },
    },
    {
      rules: ["S1", "J3"],
      title: "readHits, where there is one, reads documents with their turns, and turns by their places",
      async run({ store }) {
        if (store.readHits === undefined) return;
        await fill(store);
        const { terms } = (await store.keyword?.postings(AGENT, ANN, WORDS)) ?? { terms: [] };
        const documents = [...new Set(terms.flatMap((term) => term.documents))].toReversed();
        const places = [
          { conversation: CHAT.conversation, turn: "t1", seq: 1 },
          { conversation: CHAT.conversation, turn: "t4" },
          { conversation: CHAT.conversation, turn: "t2", seq: 1 },
          { conversation: CHAT.conversation, turn: "t3" },
          { conversation: "bobs", turn: "t2", seq: 2 },
          { conversation: "second", turn: "t2", seq: 1 },
          { conversation: "nowhere", turn: "t1", seq: 2.5 },
        ];
        const hits = await store.readHits(AGENT, { documents: [...documents, 7, 2 ** 53], places });
        const rows = (await store.keyword?.documents(AGENT, documents)) ?? [];
        expect(rows).toHaveLength(4);
        expect(hits.documents).toEqual(rows);
        const turns = await store.findTurns?.(AGENT, [
          ...places,
          ...rows.map(({ conversation, turn }) => ({ conversation, turn })),
        ]);
        expect(byPlace(hits.turns)).toEqual(byPlace(turns ?? []));
        await store.changeTurns(CHAT, [
          { turn: "t1", action: "hide" },
          { turn: "t2", action: "erase" },
        ]);
        const left = await store.readHits(AGENT, { documents, places });
        expect(left.turns.filter(({ conversation }) => conversation === CHAT.conversation).map(({ id }) => id)).toEqual(
          ["t4"],
        );
        expect(left.documents.map(({ conversation }) => conversation).toSorted()).toEqual(["former", "second"]);
        expect(await store.readHits(AGENT, { documents: [], places: [] })).toEqual({ documents: [], turns: [] });
      },
    },
    {
      rules: ["S1", "J7"],
      title: "readHits, where there is one, reads documents of long turns and of short ones alike",
      async run({ store }) {
        if (store.readHits === undefined) return;
        const texts = [`long ${"x".repeat(40_000)}`, "short", `longer ${"ü".repeat(60_000)}`];
        const turns = texts.map((said, index) => turnOf(`t${index + 1}`, { said, minute: index + 1, subject: "ann" }));
        await record(store, CHAT, ...turns);
        // Several documents are of one message, as its pieces are.
        const pieces = turns.flatMap((_, index) =>
          [0, 1, 2].map((piece) =>
            documentOf(`t${index + 1}`, index + 1, ["word"], { place: (index + 1) * 8 + piece }),
          ),
        );
        await store.keyword?.index(CHAT, { after: 0, through: turns.length, documents: pieces });
        const { terms } = (await store.keyword?.postings(AGENT, ANN, WORDS)) ?? { terms: [] };
        const documents = [...new Set(terms.flatMap((term) => term.documents))];
        expect(documents).toHaveLength(9);
        const hits = await store.readHits(AGENT, { documents, places: [] });
        expect(hits.documents).toEqual(await store.keyword?.documents(AGENT, documents));
        expect(hits.documents).toHaveLength(9);
        const whole = await store.readTurns(CHAT, { limit: 9 });
        expect(byPlace(hits.turns)).toEqual(byPlace(whole));
        await store.changeTurns(CHAT, [{ turn: "t3", action: "hide" }]);
        const left = await store.readHits(AGENT, { documents, places: [] });
        expect(byPlace(left.turns)).toEqual(byPlace(whole.slice(0, 2)));
        expect(left.documents).toHaveLength(6);
      },
    },
    {
      rules: ["S1", "W16"],
      title: "readHits names no message in another's place while turns are rewritten, hidden and erased",
      async run({ store }) {
        const { readHits } = store;
        if (readHits === undefined) return;
        const ids = ["t1", "t2", "t3", "t4", "t5", "t6", "t7"];
        // One has many messages, so that it takes a store some time to take it out of its index.
        const messagesOf = (id: string): Message[] =>
          Array.from({ length: id === "t5" ? 200 : 2 }, (_, position) =>
            messageOf(`${id}-${position}`, "user", position === 0 ? "x".repeat(200_000) : "short"),
          );
        for (let rounds = 0; rounds < 5; rounds++) {
          const owner = chat(`of ${rounds} rounds`);
          const turns = ids.map((id, index) => turnOf(id, { minute: index + 1, turn: { messages: messagesOf(id) } }));
          await record(store, owner, ...turns);
          const documents = turns.flatMap(({ turn: { id, messages } }, index) =>
            messages.map((message, position) =>
              documentOf(id, index + 1, [message.id], {
                message: message.id,
                position,
                place: (index + 1) * 1_000 + position,
              }),
            ),
          );
          await store.keyword?.index(owner, { after: 0, through: ids.length, documents });
          const scope = { kind: "conversation", conversation: owner.conversation } as const;
          const named = documents.map(({ message }) => message);
          const { terms } = (await store.keyword?.postings(AGENT, scope, { terms: named, groups: ["said"] })) ?? {
            terms: [],
          };
          const asked = new Map(terms.flatMap((term, index) => term.documents.map((ref) => [ref, named[index]])));
          expect(asked.size).toBe(documents.length);
          const read = () => readHits(AGENT, { documents: [...asked.keys()], places: [] });
          const wait = async (): Promise<void> => {
            for (let round = 0; round < rounds; round++) await new Promise((resolve) => setImmediate(resolve));
          };
          const before = read();
          await wait();
          const changing = store.changeTurns(owner, [
            { turn: "t5", action: "rewrite", messages: messagesOf("t5").slice(1), counted: 1, tokens: 1 },
            { turn: "t6", action: "hide" },
            { turn: "t7", action: "erase" },
          ]);
          await wait();
          const stay = named.filter((message) => message < "t5");
          for (const found of [await before, await read()]) {
            for (const { document, message, turn } of found.documents) {
              expect(message).toBe(asked.get(document));
              expect(found.turns.find(({ id }) => id === turn)?.messages.map(({ id }) => id)).toContain(message);
            }
            expect(found.documents.map(({ message }) => message)).toEqual(expect.arrayContaining(stay));
          }
          await changing;
        }
      },
    },
  ],
};
