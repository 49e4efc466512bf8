import type { SummaryCommit } from "@throughline/core";
import { expect } from "vitest";
import { AGENT, at, CHAT, record, turnOf } from "../fixtures.ts";
import type { StoreSuite } from "../store-suite.ts";

/** A fold through the turn `t<seq>`, which has that sequence number. */
function fold(expectedVersion: number, seq: number, text = `fold through ${seq}`): SummaryCommit {
  return {
    expectedVersion,
    now: at(seq),
    summary: { text, through: seq, throughTurn: `t${seq}`, turns: seq, tokens: 7, createdAt: at(seq) },
  };
}

/** The rolling summary: one fold wins, nothing comes back. */
export const summariesSuite: StoreSuite = {
  name: "summaries",
  cases: [
    {
      rules: ["W4", "W6"],
      title: "of two folds of one version the first is kept, whole",
      async run({ store }) {
        await record(store, CHAT, turnOf("t1"), turnOf("t2"));
        expect(await store.commitSummary(CHAT, fold(0, 1))).toEqual({ status: "committed", version: 1 });
        expect(await store.commitSummary(CHAT, fold(0, 2))).toEqual({ status: "conflict" });
        expect(await store.commitSummary(CHAT, fold(2, 2))).toEqual({ status: "conflict" });
        const versions = await store.readSummaries(CHAT, { limit: 9 });
        expect(versions).toEqual([{ ...fold(0, 1).summary, version: 1 }]);
      },
    },
    {
      rules: ["W4", "A1"],
      title: "versions are kept, newest first, the first of them live",
      async run({ store }) {
        await record(store, CHAT, turnOf("t1"), turnOf("t2"), turnOf("t3"));
        for (const seq of [1, 2, 3]) await store.commitSummary(CHAT, fold(seq - 1, seq));
        const versions = await store.readSummaries(CHAT, { limit: 2 });
        expect(versions.map((summary) => [summary.version, summary.through])).toEqual([
          [3, 3],
          [2, 2],
        ]);
        const context = await store.readContext(CHAT, { now: at(9), window: null, facts: null });
        expect(context.summary).toMatchObject({ version: 3, throughTurn: "t3", turns: 3, tokens: 7 });
      },
    },
    {
      rules: ["W7"],
      title: "a deleted summary is not live, and the next fold counts on",
      async run({ store }) {
        await record(store, CHAT, turnOf("t1"), turnOf("t2"));
        await store.commitSummary(CHAT, fold(0, 1));
        expect(await store.commitSummary(CHAT, { expectedVersion: 1, summary: null, now: at(5) })).toEqual({
          status: "committed",
          version: 0,
        });
        const context = await store.readContext(CHAT, { now: at(9), window: null, facts: null });
        expect(context.summary).toBeNull();
        expect(await store.commitSummary(CHAT, fold(1, 2))).toEqual({ status: "conflict" });
        expect(await store.commitSummary(CHAT, fold(0, 2))).toEqual({ status: "committed", version: 2 });
        const versions = await store.readSummaries(CHAT, { limit: 9 });
        expect(versions.map((summary) => [summary.version, summary.deletedAt])).toEqual([
          [2, undefined],
          [1, at(5)],
        ]);
      },
    },
    {
      rules: ["W7", "A2"],
      title: "deleting takes the text of every version away and leaves that they were there",
      async run({ store }) {
        await record(store, CHAT, turnOf("t1"), turnOf("t2"));
        await store.commitSummary(CHAT, fold(0, 1));
        await store.commitSummary(CHAT, fold(1, 2));
        await store.commitSummary(CHAT, { expectedVersion: 2, summary: null, now: at(5) });
        const versions = await store.readSummaries(CHAT, { limit: 9 });
        expect(versions.map(({ version, text, through, deletedAt }) => [version, text, through, deletedAt])).toEqual([
          [2, "", 2, at(5)],
          [1, "", 1, at(5)],
        ]);
      },
    },
    {
      rules: ["W7", "F12"],
      title: "deleting at another version leaves the summary as it is",
      async run({ store }) {
        await record(store, CHAT, turnOf("t1"));
        await store.commitSummary(CHAT, fold(0, 1));
        const late = await store.commitSummary(CHAT, { expectedVersion: 0, summary: null, now: at(5) });
        expect(late).toEqual({ status: "conflict" });
        const context = await store.readContext(CHAT, { now: at(9), window: null, facts: null });
        expect(context.summary).toMatchObject({ version: 1 });
      },
    },
    {
      rules: ["A2", "W6"],
      title: "a fold that was under way while the conversation was erased brings nothing back",
      async run({ store }) {
        await record(store, CHAT, turnOf("t1", { minute: 1 }));
        await store.erase(AGENT, { kind: "conversation", conversation: CHAT.conversation }, { now: at(2) });
        expect(await store.commitSummary(CHAT, fold(0, 1))).toEqual({ status: "conflict" });
        await record(store, CHAT, turnOf("other", { minute: 3 }));
        expect(await store.commitSummary(CHAT, fold(0, 1))).toEqual({ status: "conflict" });
        expect(await store.readSummaries(CHAT, { limit: 9 })).toEqual([]);
      },
    },
    {
      rules: ["W6"],
      title: "a fold leaves turns, counts and the order of conversations alone",
      async run({ store }) {
        await record(store, CHAT, turnOf("t1", { minute: 1 }));
        const before = await store.readConversation(CHAT);
        await store.commitSummary(CHAT, fold(0, 1));
        expect(await store.readConversation(CHAT)).toEqual(before);
        expect(await store.readSummaries({ ...CHAT, conversation: "other" }, { limit: 9 })).toEqual([]);
      },
    },
  ],
};
