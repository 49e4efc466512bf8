import type { KeywordDocument, KeywordScope, MemoryStore, PostingQuery } from "@throughline/core";
import { expect } from "vitest";
import { AGENT, at, CHAT, chat, messageOf, record, turnOf } from "../fixtures.ts";
import type { StoreSuite } from "../store-suite.ts";
import { documentOf, indexOf, say } from "./keyword-parts.ts";

const EVERYBODY: KeywordScope = { kind: "agent" };
const ANN: KeywordScope = { kind: "subject", subject: "ann" };

/** Where a term stands, as `conversation/turn` in the order of the turns. */
async function find(
  store: MemoryStore,
  term: string,
  scope: KeywordScope = EVERYBODY,
  query: Partial<PostingQuery> = {},
): Promise<string[]> {
  const keyword = indexOf(store);
  const postings = await keyword.postings(AGENT, scope, { terms: [term], groups: ["said"], ...query });
  const documents = postings.terms.find((entry) => entry.term === term)?.documents ?? [];
  const rows = await keyword.documents(AGENT, documents);
  return rows.map((row) => `${row.conversation}/${row.turn}`).toSorted();
}

/** The keyword index: statistics, filters, and nothing found that isn't there. */
export const keywordSuite: StoreSuite = {
  name: "keyword",
  applies: ({ capabilities }) => capabilities.keywordSearch,
  cases: [
    {
      rules: ["S1", "J14"],
      title: "postings carry the statistics that a ranking needs",
      async run({ store }) {
        await say(store, CHAT, ["red red blue", "blue green", "yellow"], "ann");
        const keyword = indexOf(store);
        const postings = await keyword.postings(AGENT, ANN, { terms: ["red", "blue", "absent"], groups: ["said"] });
        expect(postings).toMatchObject({ documents: 3, totalLength: 6 });
        const of = (term: string) => postings.terms.find((entry) => entry.term === term);
        expect(of("red")).toMatchObject({ documentFrequency: 1, frequencies: [2], lengths: [3] });
        expect(of("blue")?.documentFrequency).toBe(2);
        expect(of("blue")?.lengths.toSorted()).toEqual([2, 3]);
        expect(of("absent")?.documents ?? []).toEqual([]);
        const [document] = await keyword.documents(AGENT, of("red")?.documents ?? []);
        const { document: number, ...place } = document ?? expect.fail("The document is not there.");
        expect(Number.isSafeInteger(number)).toBe(true);
        expect(place).toEqual({
          conversation: CHAT.conversation,
          turn: "t1",
          seq: 1,
          position: 0,
          message: "t1-q",
          role: "user",
          subject: "ann",
          createdAt: at(1),
        });
      },
    },
    {
      rules: ["S1", "E3"],
      title: "indexing moves the watermark once: a second batch from the same place is refused whole",
      async run({ store }) {
        await record(store, CHAT, turnOf("t1"), turnOf("t2"));
        const keyword = indexOf(store);
        const index = (after: number, through: number, documents: KeywordDocument[]) =>
          keyword.index(CHAT, { after, through, documents });
        expect(await index(0, 1, [documentOf("t1", 1, "one")])).toBe(true);
        expect(await index(0, 2, [documentOf("t1", 1, "one"), documentOf("t2", 2, "two")])).toBe(false);
        expect(await store.readConversation(CHAT)).toMatchObject({ watermarks: { index: 1 } });
        expect(await find(store, "one")).toEqual(["chat-1/t1"]);
        expect(await find(store, "two")).toEqual([]);
        expect(await index(1, 2, [documentOf("t2", 2, "two")])).toBe(true);
        expect(await find(store, "two")).toEqual(["chat-1/t2"]);
      },
    },
    {
      rules: ["S2"],
      title: "each scope holds its own documents and counts only them",
      async run({ store }) {
        await say(store, chat("a"), ["word one", "word two"], "ann");
        await say(store, chat("b"), ["word"], "ann");
        await say(store, chat("c"), ["word"], "bob");
        await say(store, chat("d"), ["word"]);
        const other = { ...AGENT, agent: "other" };
        await say(store, chat("a", other), ["word"], "ann");
        expect(await find(store, "word")).toEqual(["a/t1", "a/t2", "b/t1", "c/t1", "d/t1"]);
        expect(await find(store, "word", ANN)).toEqual(["a/t1", "a/t2", "b/t1"]);
        expect(await find(store, "word", { kind: "conversation", conversation: "d" })).toEqual(["d/t1"]);
        expect(await find(store, "word", { kind: "subject", subject: "an" })).toEqual([]);
        const postings = await indexOf(store).postings(AGENT, ANN, { terms: ["word"], groups: ["said"] });
        expect(postings).toMatchObject({ documents: 3, totalLength: 5, terms: [{ documentFrequency: 3 }] });
        const foreign = await indexOf(store).postings(other, EVERYBODY, { terms: ["word"], groups: ["said"] });
        const numbers = foreign.terms[0]?.documents ?? [];
        expect(numbers).toHaveLength(1);
        expect(await indexOf(store).documents(AGENT, numbers)).toEqual([]);
      },
    },
    {
      rules: ["S2", "J14"],
      title: "filters narrow the documents and leave the statistics as they are",
      async run({ store }) {
        await say(store, chat("a"), ["word", "word", "word"], "ann");
        await say(store, chat("b"), ["word"], "ann");
        await record(store, chat("a"), turnOf("t4", { minute: 4 }));
        const answer = documentOf("t4", 4, "word", { position: 1, message: "t4-a", role: "assistant" });
        await indexOf(store).index(chat("a"), { after: 3, through: 4, documents: [answer] });
        const found = (query: Partial<PostingQuery>) => find(store, "word", ANN, query);
        expect(await found({ role: "assistant" })).toEqual(["a/t4"]);
        expect(await found({ from: at(2), to: at(4) })).toEqual(["a/t2", "a/t3"]);
        expect(await found({ conversation: "b" })).toEqual(["b/t1"]);
        expect(await found({ exclude: { conversation: "a", after: 1 } })).toEqual(["a/t1", "b/t1"]);
        expect(await found({ exclude: { conversation: "a", after: 0 }, role: "user" })).toEqual(["b/t1"]);
        const query = { terms: ["word"], groups: ["said" as const], role: "assistant" as const, from: at(4) };
        const postings = await indexOf(store).postings(AGENT, ANN, query);
        expect(postings).toMatchObject({ documents: 5, totalLength: 5, terms: [{ documentFrequency: 5 }] });
      },
    },
    {
      rules: ["A2", "E3"],
      title: "indexing leaves a conversation alone that was begun anew under its id",
      async run({ store }) {
        await record(store, CHAT, turnOf("t1"));
        const { createdAt } = (await store.readConversation(CHAT)) ?? expect.fail("The conversation is not there.");
        await store.erase(AGENT, { kind: "conversation", conversation: CHAT.conversation }, { now: at(1) });
        await record(store, CHAT, turnOf("t1", { minute: 2 }));
        const batch = { after: 0, through: 1, documents: [documentOf("t1", 1, "one")] };
        expect(await indexOf(store).index(CHAT, { ...batch, createdAt })).toBe(false);
        expect(await find(store, "one")).toEqual([]);
        const anew = (await store.readConversation(CHAT))?.createdAt ?? expect.fail("The new one is not there.");
        expect(await indexOf(store).index(CHAT, { ...batch, createdAt: anew })).toBe(true);
        expect(await find(store, "one")).toEqual(["chat-1/t1"]);
      },
    },
    {
      rules: ["S1"],
      title: "tool results are a group of their own, in documents and statistics",
      async run({ store }) {
        await say(store, CHAT, ["word"]);
        await record(store, CHAT, turnOf("t2"));
        const result = documentOf("t2", 2, "word tool", { group: "tool", role: "tool" });
        await indexOf(store).index(CHAT, { after: 1, through: 2, documents: [result] });
        expect(await find(store, "word")).toEqual(["chat-1/t1"]);
        expect(await find(store, "word", EVERYBODY, { groups: ["tool"] })).toEqual(["chat-1/t2"]);
        expect(await find(store, "word", EVERYBODY, { groups: ["said", "tool"] })).toEqual(["chat-1/t1", "chat-1/t2"]);
        const count = async (groups: PostingQuery["groups"]) => {
          const postings = await indexOf(store).postings(AGENT, EVERYBODY, { terms: ["word"], groups });
          return [postings.documents, postings.totalLength, postings.terms[0]?.documentFrequency];
        };
        expect(await count(["said"])).toEqual([1, 1, 1]);
        expect(await count(["said", "tool"])).toEqual([2, 3, 2]);
      },
    },
    {
      rules: ["W15", "S1"],
      title: "hidden turns are neither found nor counted, and are back when shown",
      async run({ store }) {
        await say(store, CHAT, ["word", "word"]);
        const before = await indexOf(store).postings(AGENT, EVERYBODY, { terms: ["word"], groups: ["said"] });
        await store.changeTurns(CHAT, [{ turn: "t1", action: "hide" }]);
        expect(await find(store, "word")).toEqual(["chat-1/t2"]);
        expect(await indexOf(store).documents(AGENT, before.terms[0]?.documents ?? [])).toHaveLength(1);
        const during = await indexOf(store).postings(AGENT, EVERYBODY, { terms: ["word"], groups: ["said"] });
        expect(during).toMatchObject({ documents: 1, totalLength: 1, terms: [{ documentFrequency: 1 }] });
        await store.changeTurns(CHAT, [{ turn: "t1", action: "show" }]);
        expect(await find(store, "word")).toEqual(["chat-1/t1", "chat-1/t2"]);
        await record(store, CHAT, turnOf("t3", { hides: ["t1", "t2"] }));
        expect(await find(store, "word")).toEqual([]);
      },
    },
    {
      rules: ["A2", "F8"],
      title: "erased, rewritten and replaced turns are gone from the index",
      async run({ store }) {
        await say(store, CHAT, ["word", "word", "word", "word"], "ann");
        await store.changeTurns(CHAT, [{ turn: "t1", action: "erase" }]);
        const messages = [messageOf("t2-q", "user", "stub")];
        await store.changeTurns(CHAT, [{ turn: "t2", action: "rewrite", messages, counted: 1, tokens: 1 }]);
        await record(store, CHAT, turnOf("t3", { previousSeq: 3 }));
        expect(await find(store, "word")).toEqual(["chat-1/t4"]);
        await store.erase(AGENT, { kind: "conversation", conversation: CHAT.conversation }, { now: at(9) });
        expect(await find(store, "word")).toEqual([]);
        const postings = await indexOf(store).postings(AGENT, EVERYBODY, { terms: ["word"], groups: ["said"] });
        expect(postings).toMatchObject({ documents: 0, totalLength: 0 });
      },
    },
    {
      rules: ["A2"],
      title: "an erased subject's documents are gone, and late indexing brings none back",
      async run({ store }) {
        await say(store, chat("a"), ["word"], "ann");
        await say(store, chat("b"), ["word"], "bob");
        await record(store, chat("late"), turnOf("t1", { subject: "ann" }));
        await store.erase(AGENT, { kind: "subject", subject: "ann" }, { now: at(9) });
        const batch = { after: 0, through: 1, documents: [documentOf("t1", 1, "word")] };
        expect(await indexOf(store).index(chat("late"), batch)).toBe(false);
        expect(await find(store, "word")).toEqual(["b/t1"]);
        expect(await find(store, "word", ANN)).toEqual([]);
      },
    },
    {
      rules: ["A2", "S1"],
      title: "a rewrite files what it brings along, where the watermark has passed the turn",
      async run({ store }) {
        await say(store, CHAT, ["one old", "two", "three old"], "ann");
        await record(store, CHAT, turnOf("t4", { subject: "ann" }));
        const rewrite = (turn: string, seq: number, text: string) => ({
          turn,
          action: "rewrite" as const,
          messages: [messageOf(`${turn}-q`, "user", text)],
          counted: 1,
          tokens: 1,
          documents: [documentOf(turn, seq, text)],
        });
        const seen = { seq: 2, messages: ["another"] };
        await store.changeTurns(CHAT, [{ turn: "t3", action: "hide" }]);
        const changes = [rewrite("t1", 1, "new red"), { ...rewrite("t2", 2, "new"), ifStill: seen }];
        await store.changeTurns(CHAT, [...changes, rewrite("t3", 3, "new"), rewrite("t4", 4, "new")]);
        expect(await find(store, "new", ANN)).toEqual(["chat-1/t1"]);
        expect(await find(store, "old")).toEqual([]);
        expect(await find(store, "two")).toEqual(["chat-1/t2"]);
        const postings = await indexOf(store).postings(AGENT, ANN, { terms: ["red"], groups: ["said"] });
        expect(postings).toMatchObject({ documents: 2, totalLength: 3, terms: [{ lengths: [2] }] });
        await store.changeTurns(CHAT, [{ turn: "t3", action: "show" }]);
        expect(await find(store, "new")).toEqual(["chat-1/t1", "chat-1/t3"]);
        await indexOf(store).index(CHAT, { after: 3, through: 4, documents: [documentOf("t4", 4, "new")] });
        expect(await find(store, "new")).toEqual(["chat-1/t1", "chat-1/t3", "chat-1/t4"]);
      },
    },
    {
      rules: ["A2", "W6"],
      title: "a message that was erased from a hidden turn while it was being indexed isn't found when that is shown",
      async run({ store }) {
        await record(store, CHAT, turnOf("t1"), turnOf("t2"));
        const messages = [messageOf("t1-a", "assistant", "answer of t1")];
        await store.changeTurns(CHAT, [{ turn: "t1", action: "hide" }]);
        await store.changeTurns(CHAT, [{ turn: "t1", action: "rewrite", messages, counted: 1, tokens: 1 }]);
        const answer = { message: "t1-a", role: "assistant" } as const;
        const documents = [documentOf("t1", 1, "gone"), documentOf("t1", 1, "kept", answer)];
        await indexOf(store).index(CHAT, { after: 0, through: 2, documents });
        await store.changeTurns(CHAT, [{ turn: "t1", action: "show" }]);
        expect(await find(store, "gone")).toEqual([]);
        expect(await find(store, "kept")).toEqual(["chat-1/t1"]);
      },
    },
    {
      rules: ["A2", "W6"],
      title: "a turn that was erased or hidden while it was being indexed is not found",
      async run({ store }) {
        await record(store, CHAT, turnOf("t1"), turnOf("t2"), turnOf("t3"));
        await store.changeTurns(CHAT, [
          { turn: "t1", action: "erase" },
          { turn: "t2", action: "hide" },
        ]);
        const documents = [1, 2, 3].map((seq) => documentOf(`t${seq}`, seq, "word"));
        await indexOf(store).index(CHAT, { after: 0, through: 3, documents });
        expect(await find(store, "word")).toEqual(["chat-1/t3"]);
        const postings = await indexOf(store).postings(AGENT, EVERYBODY, { terms: ["word"], groups: ["said"] });
        expect(postings.documents).toBe(1);
      },
    },
    {
      rules: ["F10", "S2"],
      title: "a restamped turn is found under its new subject only",
      async run({ store }) {
        await say(store, CHAT, ["word", "word"], "visitor");
        await store.changeTurns(CHAT, [{ turn: "t2", action: "restamp", subject: "ann" }]);
        expect(await find(store, "word", ANN)).toEqual(["chat-1/t2"]);
        expect(await find(store, "word", { kind: "subject", subject: "visitor" })).toEqual(["chat-1/t1"]);
        const postings = await indexOf(store).postings(AGENT, ANN, { terms: ["word"], groups: ["said"] });
        expect(postings).toMatchObject({ documents: 1, totalLength: 1 });
        const [row] = await indexOf(store).documents(AGENT, postings.terms[0]?.documents ?? []);
        expect(row?.subject).toBe("ann");
      },
    },
    {
      rules: ["E3", "Z8"],
      title: "behind names the conversations with turns past the watermark",
      async run({ store }) {
        await say(store, chat("done"), ["word"], "ann");
        await say(store, chat("tail"), ["word"], "ann");
        await record(store, chat("tail"), turnOf("t2"), turnOf("t3"));
        await record(store, chat("new"), turnOf("t1", { subject: "bob" }));
        const behind = async (scope: KeywordScope, limit = 9) => {
          const rows = await indexOf(store).behind(AGENT, scope, { limit });
          return rows.map((row) => [row.conversation, row.after, row.through, row.subject]).toSorted();
        };
        expect(await behind(EVERYBODY)).toEqual([
          ["new", 0, 1, "bob"],
          ["tail", 1, 3, "ann"],
        ]);
        expect(await behind(ANN)).toEqual([["tail", 1, 3, "ann"]]);
        expect(await behind({ kind: "conversation", conversation: "new" })).toEqual([["new", 0, 1, "bob"]]);
        expect(await behind({ kind: "conversation", conversation: "done" })).toEqual([]);
        expect(await behind(EVERYBODY, 1)).toHaveLength(1);
      },
    },
    {
      rules: ["S1", "J14"],
      title: "postings say which conversation a document is of and where it stands there, as behind numbers them",
      async run({ store }) {
        await say(store, chat("a"), ["word", "word word"], "ann");
        await say(store, chat("b"), ["word"], "ann");
        for (const id of ["a", "b"]) await record(store, chat(id), turnOf("later", { subject: "ann" }));
        const keyword = indexOf(store);
        const { terms } = await keyword.postings(AGENT, ANN, { terms: ["word"], groups: ["said"] });
        const { documents = [], conversations = [], places = [] } = terms[0] ?? {};
        const rows = await keyword.documents(AGENT, documents);
        const behind = await keyword.behind(AGENT, ANN, { limit: 9 });
        const numbers = new Map(behind.map((row) => [row.conversation, row.number]));
        expect(numbers.size).toBe(2);
        expect(new Set(numbers.values()).size).toBe(2);
        expect(conversations).toEqual(rows.map((row) => numbers.get(row.conversation)));
        expect(places).toEqual(rows.map((row) => row.seq * 8));
        expect(places.toSorted((one, other) => one - other)).toEqual([8, 8, 16]);
      },
    },
    {
      rules: ["S1"],
      title: "one message may be several documents",
      async run({ store }) {
        await record(store, CHAT, turnOf("t1"));
        const documents = ["word one", "word two", "three"].map((text, piece) =>
          documentOf("t1", 1, text, { place: 8 + piece }),
        );
        const keyword = indexOf(store);
        expect(await keyword.index(CHAT, { after: 0, through: 1, documents })).toBe(true);
        expect(await find(store, "word")).toEqual(["chat-1/t1", "chat-1/t1"]);
        const postings = await keyword.postings(AGENT, EVERYBODY, { terms: ["word"], groups: ["said"] });
        expect(postings).toMatchObject({ documents: 3, totalLength: 5 });
        expect(postings.terms[0]?.places.toSorted()).toEqual([8, 9]);
        await store.changeTurns(CHAT, [{ turn: "t1", action: "erase" }]);
        expect(await find(store, "word")).toEqual([]);
      },
    },
    {
      rules: ["J14"],
      title: "documents come in the order asked for, without those that aren't there",
      async run({ store }) {
        await say(store, CHAT, ["word", "word", "word"]);
        const keyword = indexOf(store);
        const postings = await keyword.postings(AGENT, EVERYBODY, { terms: ["word"], groups: ["said"] });
        const numbers = postings.terms[0]?.documents ?? [];
        expect(new Set(numbers).size).toBe(3);
        const asked = [...numbers.toReversed(), 987_654_321];
        const rows = await keyword.documents(AGENT, asked);
        expect(rows.map((row) => row.document)).toEqual(numbers.toReversed());
        expect(await keyword.documents(AGENT, [])).toEqual([]);
      },
    },
    {
      rules: ["S5", "PR5"],
      title: "terms of every script and hostile terms are exact",
      async run({ store }) {
        const terms = [
          "é",
          "e\u0301",
          "漢",
          "漢字",
          "สวัสดี",
          "مرحبا",
          "👩‍👩‍👧",
          "a@b.c",
          "o'x",
          '"',
          "%",
          "*",
          "AND",
          "and",
          "a\u0000b",
          "x".repeat(256),
        ];
        for (const [index, term] of terms.entries()) {
          const owner = chat(`c${index}`);
          await record(store, owner, turnOf("t1"));
          const document = documentOf("t1", 1, "", { length: 1, terms: [[term, 1]] });
          await indexOf(store).index(owner, { after: 0, through: 1, documents: [document] });
        }
        for (const [index, term] of terms.entries()) expect(await find(store, term), term).toEqual([`c${index}/t1`]);
      },
    },
    {
      rules: ["Z6", "J14"],
      title: "a query of many terms over many documents is answered whole",
      async run({ store }) {
        const words = Array.from({ length: 60 }, (_, index) => `w${index}`);
        await say(
          store,
          CHAT,
          Array.from({ length: 300 }, (_, index) => `all ${words[index % 60]}`),
        );
        const postings = await indexOf(store).postings(AGENT, EVERYBODY, {
          terms: ["all", ...words],
          groups: ["said"],
        });
        expect(postings.terms.find((entry) => entry.term === "all")?.documents).toHaveLength(300);
        const rest = postings.terms.filter((entry) => entry.term !== "all");
        expect(rest.map((entry) => entry.documents.length)).toEqual(words.map(() => 5));
      },
    },
    {
      rules: ["S1", "A3", "J7"],
      title: "a message of very many words is found by each of them, as long as its turn is there to be shown",
      async run({ store }) {
        const words = Array.from({ length: 1_500 }, (_, index) => `w${index}`);
        await say(store, CHAT, ["short w7", words.join(" "), "short w7"], "ann");
        const asked = { terms: ["w0", "w7", "w777", "w1499"], groups: ["said" as const] };
        const counts = async (): Promise<unknown> => {
          const postings = await indexOf(store).postings(AGENT, ANN, asked);
          return [postings.documents, ...postings.terms.map((entry) => entry.documents.length)];
        };
        expect(await counts()).toEqual([3, 1, 3, 1, 1]);
        await store.changeTurns(CHAT, [{ turn: "t2", action: "hide" }]);
        expect(await counts()).toEqual([2, 0, 2, 0, 0]);
        await store.changeTurns(CHAT, [{ turn: "t2", action: "show" }]);
        expect(await counts()).toEqual([3, 1, 3, 1, 1]);
        expect(await find(store, "w1499", ANN)).toEqual(["chat-1/t2"]);
        await store.changeTurns(CHAT, [{ turn: "t2", action: "restamp", subject: "bob" }]);
        expect(await counts()).toEqual([2, 0, 2, 0, 0]);
        expect(await find(store, "w1499", { kind: "subject", subject: "bob" })).toEqual(["chat-1/t2"]);
        await store.changeTurns(CHAT, [{ turn: "t2", action: "erase" }]);
        expect(await find(store, "w1499")).toEqual([]);
        expect(await find(store, "w7")).toEqual(["chat-1/t1", "chat-1/t3"]);
      },
    },
  ],
};
