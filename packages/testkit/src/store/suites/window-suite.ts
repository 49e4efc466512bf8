import type { ConversationOwner, MemoryStore, WindowQuery } from "@throughline/core";
import { expect } from "vitest";
import { at, CHAT, factOf, factsOf, idsOf, putFacts, record, turnOf, WIDE } from "../fixtures.ts";
import type { StoreSuite } from "../store-suite.ts";

async function windowIds(
  store: MemoryStore,
  window: Partial<WindowQuery>,
  owner: ConversationOwner = CHAT,
): Promise<string[]> {
  const context = await store.readContext(owner, { now: at(99), window: { ...WIDE, ...window }, facts: null });
  return idsOf(context.turns);
}

/** A turn of a given size. */
function sized(id: string, counted: number, tokens: number) {
  return turnOf(id, { turn: { counted, tokens } });
}

/** What a turn begins with: the window, the summary, the facts. */
export const windowSuite: StoreSuite = {
  name: "window",
  cases: [
    {
      rules: ["W2"],
      title: "the newest turns come that fit both bounds, whole and oldest first",
      async run({ store }) {
        await record(store, CHAT, sized("t1", 2, 10), sized("t2", 4, 30), sized("t3", 1, 20), sized("t4", 2, 10));
        expect(await windowIds(store, {})).toEqual(["t1", "t2", "t3", "t4"]);
        expect(await windowIds(store, { maxMessages: 9 })).toEqual(["t1", "t2", "t3", "t4"]);
        expect(await windowIds(store, { maxMessages: 8 })).toEqual(["t2", "t3", "t4"]);
        expect(await windowIds(store, { maxMessages: 3 })).toEqual(["t3", "t4"]);
        expect(await windowIds(store, { maxTokens: 60 })).toEqual(["t2", "t3", "t4"]);
        expect(await windowIds(store, { maxTokens: 59 })).toEqual(["t3", "t4"]);
        expect(await windowIds(store, { maxTokens: 30, maxMessages: 2 })).toEqual(["t4"]);
      },
    },
    {
      rules: ["W2"],
      title: "the cut is a border: no smaller older turn slips in behind one that doesn't fit",
      async run({ store }) {
        await record(store, CHAT, sized("small", 1, 1), sized("large", 9, 900), sized("new", 1, 1));
        expect(await windowIds(store, { maxMessages: 5 })).toEqual(["new"]);
        expect(await windowIds(store, { maxTokens: 500 })).toEqual(["new"]);
      },
    },
    {
      rules: ["W3"],
      title: "the newest visible turn comes however large it is",
      async run({ store }) {
        await record(store, CHAT, sized("t1", 2, 10), sized("t2", 500, 100_000));
        expect(await windowIds(store, { maxMessages: 1, maxTokens: 1 })).toEqual(["t2"]);
        expect(await windowIds(store, { maxMessages: 0, maxTokens: 0 })).toEqual(["t2"]);
        await store.changeTurns(CHAT, [{ turn: "t2", action: "hide" }]);
        expect(await windowIds(store, { maxMessages: 0, maxTokens: 0 })).toEqual(["t1"]);
      },
    },
    {
      rules: ["W2", "W4"],
      title: "after the summary's border only what isn't folded comes, and all of it without",
      async run({ store }) {
        await record(store, CHAT, turnOf("t1"), turnOf("t2"), turnOf("t3"));
        await store.commitSummary(CHAT, {
          expectedVersion: 0,
          now: at(1),
          summary: { text: "s", through: 2, throughTurn: "t2", turns: 2, tokens: 1, createdAt: at(1) },
        });
        expect(await windowIds(store, { afterSummary: true })).toEqual(["t3"]);
        expect(await windowIds(store, { afterSummary: false })).toEqual(["t1", "t2", "t3"]);
        const context = await store.readContext(CHAT, { now: at(1), window: null, facts: null });
        expect(context.summary).toEqual({
          text: "s",
          through: 2,
          throughTurn: "t2",
          turns: 2,
          tokens: 1,
          createdAt: at(1),
          version: 1,
        });
      },
    },
    {
      rules: ["W7"],
      title: "a deleted summary gives the folded turns back",
      async run({ store }) {
        await record(store, CHAT, turnOf("t1"), turnOf("t2"));
        const summary = { text: "s", through: 1, throughTurn: "t1", turns: 1, tokens: 1, createdAt: at(1) };
        await store.commitSummary(CHAT, { expectedVersion: 0, now: at(1), summary });
        await store.commitSummary(CHAT, { expectedVersion: 1, now: at(2), summary: null });
        expect(await windowIds(store, { afterSummary: true })).toEqual(["t1", "t2"]);
      },
    },
    {
      rules: ["W16"],
      title: "what was cleared is in the transcript and not in the window",
      async run({ store }) {
        await record(store, CHAT, turnOf("t1"), turnOf("t2"), turnOf("t3"));
        await store.changeConversation(CHAT, { now: at(1), clearedThrough: 2 });
        expect(await windowIds(store, {})).toEqual(["t3"]);
        expect(idsOf(await store.readTurns(CHAT, { limit: 9 }))).toEqual(["t1", "t2", "t3"]);
        await store.changeConversation(CHAT, { now: at(1), clearedThrough: 3 });
        expect(await windowIds(store, {})).toEqual([]);
        await record(store, CHAT, turnOf("t4"));
        expect(await windowIds(store, {})).toEqual(["t4"]);
      },
    },
    {
      rules: ["W12"],
      title: "turns of every status come: core decides what the model is shown",
      async run({ store }) {
        const statuses = ["completed", "aborted", "failed", "paused"] as const;
        await record(store, CHAT, ...statuses.map((status) => turnOf(status, { turn: { status } })));
        const context = await store.readContext(CHAT, { now: at(1), window: WIDE, facts: null });
        expect(context.turns.map((turn) => turn.status)).toEqual(statuses);
      },
    },
    {
      rules: ["W2"],
      title: "nothing recorded reads as nothing and creates nothing",
      async run({ store }) {
        const context = await store.readContext(CHAT, {
          now: at(1),
          subject: "ann",
          window: WIDE,
          facts: { limit: 5 },
        });
        expect(context).toMatchObject({ conversation: null, turns: [], summary: null });
        expect(context.facts.map((set) => [set.version, set.total])).toEqual([
          [0, 0],
          [0, 0],
          [0, 0],
          [0, 0],
        ]);
        expect(await store.readConversation(CHAT)).toBeNull();
        expect(await store.listConversations(CHAT, { limit: 9 })).toEqual([]);
      },
    },
    {
      rules: ["F5", "F9"],
      title: "facts come per owner: user, conversation, global, app; without a subject two of them",
      async run({ store }) {
        const scopes = [
          factsOf("user", "ann"),
          factsOf("conversation", CHAT.conversation),
          factsOf("global", "ann"),
          factsOf("app", ""),
        ];
        for (const owner of scopes) await putFacts(store, owner, factOf(`of ${owner.scope}`, { scope: owner.scope }));
        const read = async (subject?: string) => {
          const query = {
            now: at(1),
            window: null,
            facts: { limit: 5 },
            ...(subject === undefined ? {} : { subject }),
          };
          const { facts } = await store.readContext(CHAT, query);
          return facts.map((set) => [set.owner, idsOf(set.facts)]);
        };
        const all = scopes.map((owner) => [owner, [`of ${owner.scope}`]]);
        expect(await read()).toEqual([all[1], all[3]]);
        expect(await read("ann")).toEqual(all);
        await record(store, CHAT, turnOf("t1", { subject: "ann" }));
        expect(await read()).toEqual(all);
      },
    },
    {
      rules: ["F5", "F4"],
      title: "of each owner's facts the newest come, live ones only, with how many there are",
      async run({ store }) {
        const owner = factsOf("conversation", CHAT.conversation);
        await putFacts(
          store,
          owner,
          factOf("old", { minute: 1 }),
          factOf("new", { minute: 3 }),
          factOf("mid", { minute: 2 }),
          factOf("over", { minute: 9, expiresAt: at(10) }),
          factOf("past", { minute: 9, validTo: at(9.5), supersededBy: "new" }),
        );
        const { facts } = await store.readContext(CHAT, { now: at(10), window: null, facts: { limit: 2 } });
        expect(facts[0]).toMatchObject({ owner, version: 1, total: 3 });
        expect(idsOf(facts[0]?.facts ?? [])).toEqual(["new", "mid"]);
      },
    },
  ],
};
