import type { FollowingQuery, KeywordScope, MemoryStore } from "@throughline/core";
import { expect } from "vitest";
import { AGENT, at, CHAT, chat, record, turnOf } from "../fixtures.ts";
import type { StoreSuite } from "../store-suite.ts";
import { documentOf, indexOf, say } from "./keyword-parts.ts";

const EVERYBODY: KeywordScope = { kind: "agent" };
const ANN: KeywordScope = { kind: "subject", subject: "ann" };

/** Numbers of the documents that hold a term, with the names of their conversations and turns. */
async function holders(store: MemoryStore, term: string): Promise<Map<number, string>> {
  const keyword = indexOf(store);
  const { terms } = await keyword.postings(AGENT, EVERYBODY, { terms: [term], groups: ["said", "tool"] });
  return nameOf(store, terms[0]?.documents ?? []);
}

async function nameOf(store: MemoryStore, documents: readonly number[]): Promise<Map<number, string>> {
  const rows = await indexOf(store).documents(AGENT, documents);
  return new Map(rows.map((row) => [row.document, `${row.conversation}/${row.turn}`]));
}

/** What stands behind the documents that hold `here`, as `before > behind`. */
async function behind(
  store: MemoryStore,
  scope: KeywordScope = EVERYBODY,
  query: Partial<FollowingQuery> = {},
): Promise<string[]> {
  const before = await holders(store, "here");
  const following = await indexOf(store).following(AGENT, scope, {
    groups: ["said"],
    documents: [...before.keys()],
    turns: 9,
    ...query,
  });
  const names = await nameOf(
    store,
    following.map(({ document }) => document),
  );
  return following.map((entry) => `${before.get(entry.behind)} > ${names.get(entry.document)}`).toSorted();
}

/** What stands right behind a document: an answer that need not repeat the words of what it answers. */
export const followingSuite: StoreSuite = {
  name: "following",
  applies: ({ capabilities }) => capabilities.keywordSearch,
  cases: [
    {
      rules: ["S1", "J14"],
      title: "behind each document stands the next one of its conversation, with its length and place",
      async run({ store }) {
        await say(store, chat("a"), ["here", "there are four words", "here", "last"], "ann");
        await say(store, chat("b"), ["here"], "ann");
        expect(await behind(store)).toEqual(["a/t1 > a/t2", "a/t3 > a/t4"]);
        const [first] = await holders(store, "here");
        const documents = [first?.[0] ?? expect.fail("Nothing is here."), 987_654_321, 0.5];
        const [found, ...more] = await indexOf(store).following(AGENT, ANN, { groups: ["said"], documents, turns: 9 });
        expect(more).toEqual([]);
        expect(found).toEqual({ behind: first?.[0], document: expect.any(Number), length: 4, place: 16 });
        expect(await indexOf(store).following(AGENT, ANN, { groups: ["said"], documents: [], turns: 9 })).toEqual([]);
      },
    },
    {
      rules: ["S1"],
      title: "behind a piece of a message stands the next piece, in the order that they were indexed in",
      async run({ store }) {
        await record(store, CHAT, turnOf("t1"), turnOf("t2"));
        const pieces = ["here one", "two", "here three"].map((text, piece) =>
          documentOf("t1", 1, text, { place: 8 + piece }),
        );
        await indexOf(store).index(CHAT, { after: 0, through: 2, documents: [...pieces, documentOf("t2", 2, "four")] });
        const documents = [...(await holders(store, "here")).keys()].toSorted((one, other) => one - other);
        const found = await indexOf(store).following(AGENT, EVERYBODY, { groups: ["said"], documents, turns: 9 });
        const places = documents.map((document) => found.find((entry) => entry.behind === document)?.place);
        expect(places).toEqual([9, 16]);
      },
    },
    {
      rules: ["S2", "F10"],
      title: "what is out of the scope stands behind nothing: another subject's turn, another agent's document",
      async run({ store }) {
        await say(store, chat("a"), ["here", "mine", "here", "yours", "mine again"], "ann");
        await store.changeTurns(chat("a"), [{ turn: "t4", action: "restamp", subject: "bob" }]);
        expect(await behind(store)).toEqual(["a/t1 > a/t2", "a/t3 > a/t4"]);
        expect(await behind(store, ANN)).toEqual(["a/t1 > a/t2", "a/t3 > a/t5"]);
        expect(await behind(store, { kind: "subject", subject: "bob" })).toEqual(["a/t1 > a/t4", "a/t3 > a/t4"]);
        expect(await behind(store, { kind: "subject", subject: "an" })).toEqual([]);
        expect(await behind(store, { kind: "conversation", conversation: "a" })).toEqual([
          "a/t1 > a/t2",
          "a/t3 > a/t4",
        ]);
        expect(await behind(store, { kind: "conversation", conversation: "b" })).toEqual([]);
        const documents = [...(await holders(store, "here")).keys()];
        const asked = { groups: ["said" as const], documents, turns: 9 };
        expect(await indexOf(store).following({ ...AGENT, agent: "other" }, EVERYBODY, asked)).toEqual([]);
        expect(await indexOf(store).following({ ...AGENT, tenant: "other" }, EVERYBODY, asked)).toEqual([]);
      },
    },
    {
      rules: ["S2", "J14"],
      title: "the next one that passes the filters stands behind",
      async run({ store }) {
        await say(store, chat("a"), ["here", "two", "three"], "ann");
        await record(store, chat("a"), turnOf("t4", { minute: 4 }), turnOf("t5", { minute: 5 }));
        const answer = documentOf("t4", 4, "four", { position: 1, message: "t4-a", role: "assistant" });
        const result = documentOf("t5", 5, "five", { group: "tool", role: "tool" });
        await indexOf(store).index(chat("a"), { after: 3, through: 5, documents: [answer, result] });
        const found = (query: Partial<FollowingQuery>) => behind(store, ANN, query);
        expect(await found({ role: "assistant" })).toEqual(["a/t1 > a/t4"]);
        expect(await found({ from: at(3) })).toEqual(["a/t1 > a/t3"]);
        expect(await found({ from: at(3), to: at(3) })).toEqual([]);
        expect(await found({ to: at(3) })).toEqual(["a/t1 > a/t2"]);
        expect(await found({ conversation: "a" })).toEqual(["a/t1 > a/t2"]);
        expect(await found({ conversation: "b" })).toEqual([]);
        expect(await found({ exclude: { conversation: "a", after: 1 } })).toEqual([]);
        expect(await found({ exclude: { conversation: "b", after: 0 } })).toEqual(["a/t1 > a/t2"]);
        expect(await found({ groups: ["tool"] })).toEqual(["a/t1 > a/t5"]);
        expect(await found({ groups: ["tool", "said"], from: at(4) })).toEqual(["a/t1 > a/t4"]);
        expect(await found({ from: at(3), turns: 2 })).toEqual(["a/t1 > a/t3"]);
        expect(await found({ from: at(3), turns: 1 })).toEqual([]);
        expect(await found({ turns: 0 })).toEqual([]);
      },
    },
    {
      rules: ["W15", "A2"],
      title: "hidden and erased turns stand behind nothing, and nothing stands behind them",
      async run({ store }) {
        await say(store, CHAT, ["here", "two", "three", "here", "five"], "ann");
        const documents = [...(await holders(store, "here")).keys()];
        const asked = { groups: ["said" as const], documents, turns: 9 };
        await store.changeTurns(CHAT, [{ turn: "t2", action: "hide" }]);
        expect(await behind(store)).toEqual(["chat-1/t1 > chat-1/t3", "chat-1/t4 > chat-1/t5"]);
        await store.changeTurns(CHAT, [
          { turn: "t3", action: "erase" },
          { turn: "t5", action: "erase" },
        ]);
        expect(await behind(store)).toEqual(["chat-1/t1 > chat-1/t4"]);
        await store.changeTurns(CHAT, [{ turn: "t2", action: "show" }]);
        expect(await behind(store)).toEqual(["chat-1/t1 > chat-1/t2"]);
        await store.changeTurns(CHAT, [{ turn: "t1", action: "hide" }]);
        expect(await indexOf(store).following(AGENT, EVERYBODY, asked)).toEqual([]);
        await store.erase(AGENT, { kind: "subject", subject: "ann" }, { now: at(9) });
        expect(await indexOf(store).following(AGENT, EVERYBODY, asked)).toEqual([]);
      },
    },
  ],
};
