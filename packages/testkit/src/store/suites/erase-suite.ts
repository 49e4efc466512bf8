import type { MemoryStore } from "@throughline/core";
import { expect } from "vitest";
import {
  AGENT,
  allTurns,
  at,
  bytesOf,
  CHAT,
  chat,
  factIds,
  factOf,
  factsOf,
  putFacts,
  record,
  turnOf,
} from "../fixtures.ts";
import type { StoreSuite } from "../store-suite.ts";

/** One of everything for Ann, and something of Bob's and of another agent beside it. */
async function furnish(store: MemoryStore): Promise<void> {
  await record(store, CHAT, turnOf("t1", { subject: "ann", minute: 1 }), turnOf("t2", { minute: 2, hides: ["t1"] }));
  await record(store, chat("second"), turnOf("t1", { subject: "ann", minute: 1 }));
  await record(store, chat("bobs"), turnOf("t1", { subject: "bob", minute: 1 }));
  const summary = { text: "s", through: 2, throughTurn: "t2", turns: 2, tokens: 1, createdAt: at(2) };
  await store.commitSummary(CHAT, { expectedVersion: 0, now: at(2), summary });
  await putFacts(store, factsOf("conversation", CHAT.conversation), factOf("of chat", { scope: "conversation" }));
  await putFacts(store, factsOf("user", "ann"), factOf("of ann"), factOf("past", { validTo: at(1) }));
  await putFacts(store, factsOf("global", "ann"), factOf("everywhere", { scope: "global" }));
  await putFacts(store, factsOf("app", ""), factOf("of app", { scope: "app" }));
  await putFacts(store, factsOf("user", "bob"), factOf("of bob"));
  await putFacts(store, factsOf("user", "ann", { ...AGENT, agent: "other" }), factOf("elsewhere"));
  for (const owner of [CHAT, chat("bobs")]) {
    await store.commitItems(owner, [{ action: "put", key: "k", bytes: bytesOf("item") }]);
  }
  const records = [
    { namespace: ["n"], key: "ann", value: 1, subject: "ann" },
    { namespace: ["n"], key: "bob", value: 1, subject: "bob" },
    { namespace: ["n"], key: "plain", value: 1 },
  ];
  await store.commitRecords(AGENT, records, { now: at(1) });
}

async function recordKeys(store: MemoryStore): Promise<string[]> {
  const records = await store.readRecords(AGENT, { now: at(1), namespace: [], limit: 9 });
  return records.map((row) => row.key);
}

/** Erasing: what goes, what stays, what never comes back. */
export const eraseSuite: StoreSuite = {
  name: "erase",
  cases: [
    {
      rules: ["A2", "G4"],
      title: "erasing a conversation removes all of it, counts it and leaves the rest",
      async run({ store }) {
        await furnish(store);
        const receipt = await store.erase(
          AGENT,
          { kind: "conversation", conversation: CHAT.conversation },
          { now: at(5) },
        );
        expect(receipt.removed).toMatchObject({
          conversations: 1,
          turns: 2,
          messages: 4,
          summaries: 1,
          facts: 1,
          items: 1,
        });
        // What stays behind is named; the suite `raw bytes` shows that nothing else does.
        for (const { what, why } of receipt.residue) expect([what, why]).not.toContain("");
        expect(await store.readConversation(CHAT)).toBeNull();
        expect(await allTurns(store, CHAT)).toEqual([]);
        expect(await store.findMessages(CHAT, ["t1-q", "t2-q"])).toEqual([]);
        expect(await store.readSummaries(CHAT, { limit: 9 })).toEqual([]);
        expect(await store.readItems(CHAT, { prefix: "", limit: 9 })).toEqual([]);
        expect(await factIds(store, factsOf("conversation", CHAT.conversation), { history: true })).toEqual([]);
        expect(await factIds(store, factsOf("user", "ann"))).toEqual(["of ann"]);
        expect(await allTurns(store, chat("second"))).toHaveLength(1);
        expect(await allTurns(store, chat("bobs"))).toHaveLength(1);
        expect(await store.readItems(chat("bobs"), { prefix: "", limit: 9 })).toHaveLength(1);
        expect(await recordKeys(store)).toEqual(["ann", "bob", "plain"]);
      },
    },
    {
      rules: ["A2", "G4"],
      title: "erasing a subject removes all of it, global facts and records too, and nobody else's",
      async run({ store }) {
        await furnish(store);
        const receipt = await store.erase(AGENT, { kind: "subject", subject: "ann" }, { now: at(5) });
        expect(receipt.removed).toMatchObject({
          conversations: 2,
          turns: 3,
          messages: 6,
          summaries: 1,
          facts: 4,
          items: 1,
          records: 1,
        });
        for (const owner of [CHAT, chat("second")]) {
          expect(await store.readConversation(owner)).toBeNull();
          expect(await allTurns(store, owner)).toEqual([]);
          expect(await store.readItems(owner, { prefix: "", limit: 9 })).toEqual([]);
        }
        expect(await store.listConversations(AGENT, { subject: "ann", limit: 9 })).toEqual([]);
        for (const owner of [
          factsOf("user", "ann"),
          factsOf("global", "ann"),
          factsOf("conversation", CHAT.conversation),
        ]) {
          expect(await factIds(store, owner, { history: true })).toEqual([]);
        }
        expect(await recordKeys(store)).toEqual(["bob", "plain"]);
        expect(await allTurns(store, chat("bobs"))).toHaveLength(1);
        expect(await factIds(store, factsOf("user", "bob"))).toEqual(["of bob"]);
        expect(await factIds(store, factsOf("app", ""))).toEqual(["of app"]);
        expect(await factIds(store, factsOf("user", "ann", { ...AGENT, agent: "other" }))).toEqual(["elsewhere"]);
      },
    },
    {
      rules: ["A2", "F10"],
      title: "turns of an erased subject go also where somebody else has the conversation now",
      async run({ store }) {
        await record(store, CHAT, turnOf("t1", { subject: "ann" }));
        await store.changeConversation(CHAT, { now: at(1), subject: "bob" });
        await record(store, CHAT, turnOf("t2", { subject: "bob" }));
        const summary = { text: "ann said", through: 1, throughTurn: "t1", turns: 1, tokens: 1, createdAt: at(1) };
        await store.commitSummary(CHAT, { expectedVersion: 0, now: at(1), summary });
        const receipt = await store.erase(AGENT, { kind: "subject", subject: "ann" }, { now: at(2) });
        expect(receipt.removed).toMatchObject({ turns: 1, messages: 2, summaries: 1 });
        expect((await allTurns(store, CHAT)).map((turn) => turn.id)).toEqual(["t2"]);
        expect(await store.readSummaries(CHAT, { limit: 9 })).toEqual([]);
        expect(await store.readConversation(CHAT)).toMatchObject({ subject: "bob", lastSeq: 2, turns: 1 });
        const fresh = { text: "bob said", through: 2, throughTurn: "t2", turns: 1, tokens: 1, createdAt: at(3) };
        expect(await store.commitSummary(CHAT, { expectedVersion: 0, now: at(3), summary: fresh })).toEqual({
          status: "committed",
          version: 2,
        });
      },
    },
    {
      rules: ["A2"],
      title: "a turn that began by the time of the erasure is refused, a later one starts anew",
      async run({ store }) {
        await record(store, CHAT, turnOf("t1", { minute: 1 }), turnOf("t2", { minute: 2 }));
        await store.erase(AGENT, { kind: "conversation", conversation: CHAT.conversation }, { now: at(5) });
        for (const minute of [4, 5]) {
          const late = await store.commitTurn(CHAT, turnOf("t3", { minute, now: at(6) }));
          expect(late).toEqual({ status: "erased" });
        }
        expect(await store.readConversation(CHAT)).toBeNull();
        await record(store, CHAT, turnOf("t4", { minute: 5.01 }));
        expect(await store.readConversation(CHAT)).toMatchObject({
          turns: 1,
          messages: 2,
          createdAt: at(5.01),
          version: 1,
        });
        expect((await store.commitTurn(CHAT, turnOf("t3", { minute: 4 }))).status).toBe("erased");
      },
    },
    {
      rules: ["A2"],
      title: "late turns of an erased subject are refused in every conversation, named or not",
      async run({ store }) {
        await record(store, CHAT, turnOf("t1", { subject: "ann", minute: 1 }));
        await store.erase(AGENT, { kind: "subject", subject: "ann" }, { now: at(5) });
        const commit = async (owner: typeof CHAT, subject?: string) =>
          (await store.commitTurn(owner, turnOf("late", { minute: 4, ...(subject === undefined ? {} : { subject }) })))
            .status;
        expect(await commit(CHAT)).toBe("erased");
        expect(await commit(CHAT, "ann")).toBe("erased");
        expect(await commit(chat("new"), "ann")).toBe("erased");
        expect(await commit(chat("new"), "bob")).toBe("stored");
        await record(store, chat("again"), turnOf("t1", { subject: "ann", minute: 6 }));
        expect(await commit(chat("again"))).toBe("erased");
      },
    },
    {
      rules: ["A2"],
      title: "a turn that began before somebody's erasure is taken by a conversation that isn't theirs any more",
      async run({ store }) {
        const late = async (id: string) => (await store.commitTurn(CHAT, turnOf(id, { minute: 4 }))).status;
        await record(store, CHAT, turnOf("t1", { minute: 1, subject: "ann" }));
        await store.erase(AGENT, { kind: "subject", subject: "bob" }, { now: at(5) });
        await store.changeConversation(CHAT, { now: at(6), subject: "bob" });
        expect(await late("t2")).toBe("erased");
        await store.changeConversation(CHAT, { now: at(7), subject: "cy" });
        expect(await late("t2")).toBe("stored");
        // Its own erasure counts, whoever it is bound to.
        await store.erase(AGENT, { kind: "conversation", conversation: CHAT.conversation }, { now: at(8) });
        await record(store, CHAT, turnOf("t3", { minute: 9, subject: "ann" }));
        await store.changeConversation(CHAT, { now: at(10), subject: "cy" });
        expect(await late("t4")).toBe("erased");
      },
    },
    {
      rules: ["A2"],
      title: "late facts of what was erased are refused in every scope but the app's",
      async run({ store }) {
        await furnish(store);
        await store.erase(AGENT, { kind: "subject", subject: "ann" }, { now: at(5) });
        const commit = async (owner: ReturnType<typeof factsOf>) => {
          const [set] = await store.readFacts([owner], { now: at(6), limit: 1 });
          const late = { expectedVersion: set?.version ?? 0, now: at(6), put: [factOf("late")], beganAt: at(4) };
          return (await store.commitFacts(owner, late)).status;
        };
        expect(await commit(factsOf("user", "ann"))).toBe("erased");
        expect(await commit(factsOf("global", "ann"))).toBe("erased");
        expect(await commit(factsOf("conversation", CHAT.conversation))).toBe("erased");
        expect(await commit(factsOf("user", "bob"))).toBe("committed");
        expect(await commit(factsOf("conversation", "bobs"))).toBe("committed");
        expect(await commit(factsOf("app", ""))).toBe("committed");
      },
    },
    {
      rules: ["A2"],
      title: "late items of an erased conversation are refused, alone and of its subject",
      async run({ store }) {
        await furnish(store);
        await store.erase(AGENT, { kind: "subject", subject: "ann" }, { now: at(5) });
        await store.erase(AGENT, { kind: "conversation", conversation: "third" }, { now: at(5) });
        const put = (owner: typeof CHAT, minute: number) =>
          store.commitItems(owner, [{ action: "put", key: "late", bytes: bytesOf("late") }], { beganAt: at(minute) });
        for (const owner of [CHAT, chat("second"), chat("third")]) {
          expect([await put(owner, 4), await put(owner, 5)]).toEqual([false, false]);
          expect(await store.readItems(owner, { prefix: "", limit: 9 })).toEqual([]);
          expect(await put(owner, 5.01)).toBe(true);
          expect(await store.readItems(owner, { prefix: "", limit: 9 })).toHaveLength(1);
        }
        expect(await put(chat("bobs"), 4)).toBe(true);
      },
    },
    {
      rules: ["A2"],
      title: "what a run says for its conversation is refused once its subject was erased, also before its first turn",
      async run({ store }) {
        await store.erase(AGENT, { kind: "subject", subject: "ann" }, { now: at(5) });
        const owner = factsOf("conversation", "new");
        const remember = (subject: string, minute: number) =>
          store.commitFacts(owner, {
            expectedVersion: 0,
            now: at(6),
            put: [factOf("late", { scope: "conversation" })],
            beganAt: at(minute),
            subject,
          });
        const put = (subject: string, minute: number) =>
          store.commitItems(chat("new"), [{ action: "put", key: "late", bytes: bytesOf("late") }], {
            beganAt: at(minute),
            subject,
          });
        for (const minute of [4, 5]) {
          expect(await remember("ann", minute)).toEqual({ status: "erased" });
          expect(await put("ann", minute)).toBe(false);
        }
        expect(await store.readItems(chat("new"), { prefix: "", limit: 9 })).toEqual([]);
        expect([await put("bob", 4), await put("ann", 5.01)]).toEqual([true, true]);
        expect((await remember("ann", 5.01)).status).toBe("committed");
      },
    },
    {
      rules: ["A2", "F12"],
      title: "a writer that read the facts before the erasure finds them changed",
      async run({ store }) {
        const owner = factsOf("user", "ann");
        await putFacts(store, owner, factOf("a"));
        await store.erase(AGENT, { kind: "subject", subject: "ann" }, { now: at(5) });
        const late = await store.commitFacts(owner, { expectedVersion: 1, now: at(6), put: [factOf("b")] });
        expect(late.status).toBe("conflict");
      },
    },
    {
      rules: ["A2"],
      title: "erasing what isn't there removes nothing and is remembered all the same",
      async run({ store }) {
        for (const kind of ["conversation", "subject"] as const) {
          const target = kind === "conversation" ? { kind, conversation: "none" } : { kind, subject: "ann" };
          const receipt = await store.erase(AGENT, target, { now: at(5) });
          expect(Object.values(receipt.removed).filter((count) => count !== 0)).toEqual([]);
        }
        expect((await store.commitTurn(chat("none"), turnOf("t", { minute: 4 }))).status).toBe("erased");
        expect((await store.commitTurn(CHAT, turnOf("t", { minute: 4, subject: "ann" }))).status).toBe("erased");
      },
    },
    {
      rules: ["A2"],
      title: "an earlier erasure told later doesn't take back the later one",
      async run({ store }) {
        for (const minute of [5, 3]) {
          await store.erase(AGENT, { kind: "conversation", conversation: CHAT.conversation }, { now: at(minute) });
        }
        expect((await store.commitTurn(CHAT, turnOf("t", { minute: 4 }))).status).toBe("erased");
      },
    },
  ],
};
