import type { AgentOwner, ConversationOwner } from "@throughline/core";
import { expect } from "vitest";
import {
  AGENT,
  at,
  bytesOf,
  CHAT,
  chat,
  factIds,
  factOf,
  factsOf,
  HOSTILE_IDS,
  idsOf,
  messageOf,
  putFacts,
  record,
  turnOf,
  WIDE,
} from "../fixtures.ts";
import type { StoreSuite } from "../store-suite.ts";

/** Owners that differ from the kit's in one member. */
const STRANGERS: readonly ConversationOwner[] = [
  { ...CHAT, tenant: "acme2" },
  { ...CHAT, tenant: "acm" },
  { ...CHAT, agent: "helper2" },
  { ...CHAT, agent: "help" },
  { ...CHAT, conversation: "chat-12" },
  { ...CHAT, conversation: "chat-" },
];

/** Nothing of one owner is read or written under another. */
export const scopeSuite: StoreSuite = {
  name: "scope",
  cases: [
    {
      rules: ["J3"],
      title: "a turn is read under its own tenant, agent and conversation only",
      async run({ store }) {
        await record(store, CHAT, turnOf("t1", { subject: "ann" }));
        for (const stranger of STRANGERS) {
          expect(await store.readConversation(stranger)).toBeNull();
          expect(await store.readTurns(stranger, { limit: 10 })).toEqual([]);
          expect(await store.findMessages(stranger, ["t1-q"])).toEqual([]);
          const context = await store.readContext(stranger, { now: at(1), window: WIDE, facts: null });
          expect(context).toMatchObject({ conversation: null, turns: [], summary: null });
        }
      },
    },
    {
      rules: ["J3"],
      title: "the same turn and message ids live side by side under every owner",
      async run({ store }) {
        const owners = [CHAT, ...STRANGERS];
        for (const [index, owner] of owners.entries()) {
          expect(await record(store, owner, turnOf("t1", { said: `words ${index}` }))).toEqual([1]);
        }
        for (const [index, owner] of owners.entries()) {
          const [turn] = await store.readTurns(owner, { limit: 10 });
          expect(turn?.messages[0]?.parts).toEqual([{ type: "text", text: `words ${index}` }]);
          expect(turn?.conversation).toBe(owner.conversation);
        }
      },
    },
    {
      rules: ["J3"],
      title: "changing, settling or erasing under another owner touches nothing",
      async run({ store }) {
        await record(store, CHAT, turnOf("t1", { subject: "ann" }));
        await putFacts(store, factsOf("user", "ann"), factOf("f1"));
        for (const stranger of STRANGERS) {
          expect(await store.changeTurns(stranger, [{ turn: "t1", action: "erase" }])).toBe(0);
          expect(await store.changeConversation(stranger, { now: at(1), title: "x" })).toEqual({ status: "missing" });
          await store.settleWork(stranger, { holder: "w", settledSeq: 1 });
          await store.erase(stranger, { kind: "conversation", conversation: stranger.conversation }, { now: at(2) });
          if (stranger.tenant !== CHAT.tenant) {
            await store.erase(stranger, { kind: "subject", subject: "ann" }, { now: at(2) });
          }
        }
        expect(idsOf(await store.readTurns(CHAT, { limit: 10 }))).toEqual(["t1"]);
        expect(await store.readConversation(CHAT)).toMatchObject({ settledSeq: 0, version: 1 });
        expect(await factIds(store, factsOf("user", "ann"))).toEqual(["f1"]);
      },
    },
    {
      rules: ["J3"],
      title: "listings and claims of an agent hold its own conversations only",
      async run({ store }) {
        await record(store, CHAT, turnOf("t1", { subject: "ann" }));
        for (const stranger of STRANGERS) {
          if (stranger.tenant === CHAT.tenant && stranger.agent === CHAT.agent) continue;
          expect(await store.listConversations(stranger, { limit: 10 })).toEqual([]);
          expect(await store.listConversations(stranger, { subject: "ann", limit: 10 })).toEqual([]);
          expect(await store.claimWork(stranger, { holder: "w", now: at(1), leaseMs: 1_000, limit: 10 })).toEqual([]);
        }
        expect(idsOf(await store.listConversations(CHAT, { limit: 10 }))).toEqual([CHAT.conversation]);
      },
    },
    {
      rules: ["F2", "J3"],
      title: "facts are read under the scope and owner they were written for",
      async run({ store }) {
        const owners = [
          factsOf("user", "ann"),
          factsOf("user", "ann2"),
          factsOf("conversation", "ann"),
          factsOf("app", ""),
          factsOf("global", "ann"),
          factsOf("user", "ann", { ...AGENT, agent: "other" }),
          factsOf("global", "ann", { ...AGENT, tenant: "other" }),
        ];
        for (const [index, owner] of owners.entries()) {
          await putFacts(store, owner, factOf("f", { scope: owner.scope, value: index }));
        }
        // One call is about one tenant.
        const own = owners.filter(({ tenant }) => tenant === AGENT.tenant);
        const others = owners.filter(({ tenant }) => tenant !== AGENT.tenant);
        expect([own.length, others.length]).toEqual([owners.length - 1, 1]);
        for (const asked of [own, others]) {
          const sets = await store.readFacts(asked, { now: at(0), limit: 10 });
          const values = sets.map((set) => set.facts.map((fact) => fact.value));
          expect(values).toEqual(asked.map((owner) => [owners.indexOf(owner)]));
          expect(sets.map((set) => set.owner)).toEqual(asked);
        }
      },
    },
    {
      rules: ["F2", "J3"],
      title: "global facts are one row for every agent of the tenant",
      async run({ store }) {
        await putFacts(store, factsOf("global", "ann"), factOf("f1", { scope: "global" }));
        const other: AgentOwner = { ...AGENT, agent: "other" };
        await record(store, chat("c", other), turnOf("t1", { subject: "ann" }));
        const context = await store.readContext(chat("c", other), { now: at(1), window: null, facts: { limit: 5 } });
        expect(context.facts.map((set) => [set.owner.scope, idsOf(set.facts)])).toEqual([
          ["user", []],
          ["conversation", []],
          ["global", ["f1"]],
          ["app", []],
        ]);
      },
    },
    {
      rules: ["J3", "J15"],
      title: "records, items and leases belong to one tenant and agent",
      async run({ store }) {
        await store.commitRecords(AGENT, [{ namespace: ["n"], key: "k", value: 1 }], { now: at(0) });
        await store.commitItems(CHAT, [{ action: "put", key: "k", bytes: bytesOf("b") }]);
        expect(await store.claimLease(AGENT, { name: "l", holder: "w1", now: at(0), leaseMs: 60_000 })).toBe(true);
        for (const stranger of STRANGERS) {
          expect(await store.readItems(stranger, { prefix: "", limit: 10 })).toEqual([]);
          if (stranger.tenant === CHAT.tenant && stranger.agent === CHAT.agent) continue;
          expect(await store.readRecords(stranger, { now: at(0), namespace: [], limit: 10 })).toEqual([]);
          expect(await store.listNamespaces(stranger, { now: at(0), limit: 10 })).toEqual([]);
          expect(await store.claimLease(stranger, { name: "l", holder: "w2", now: at(0), leaseMs: 1 })).toBe(true);
        }
      },
    },
    {
      rules: ["J3", "PR5"],
      title: "hostile conversation and turn ids stay apart and come back as they were",
      async run({ store }) {
        for (const id of HOSTILE_IDS) {
          await record(store, chat(id), turnOf(id, { turn: { messages: [messageOf(id, "user", `words of ${id}`)] } }));
        }
        for (const id of HOSTILE_IDS) {
          const turns = await store.readTurns(chat(id), { ids: [id], limit: 10 });
          expect(turns.map((turn) => [turn.conversation, turn.id, turn.messages[0]?.parts])).toEqual([
            [id, id, [{ type: "text", text: `words of ${id}` }]],
          ]);
          expect(await store.findMessages(chat(id), HOSTILE_IDS)).toEqual([{ id, turn: id, seq: 1 }]);
        }
        const listed = idsOf(await store.listConversations(AGENT, { limit: 1_000 }));
        expect(listed.toSorted()).toEqual(HOSTILE_IDS.toSorted());
      },
    },
    {
      rules: ["J3", "PR5"],
      title: "hostile tenants, agents and subjects stay apart",
      async run({ store }) {
        for (const id of HOSTILE_IDS) {
          await record(store, { ...CHAT, tenant: id }, turnOf("t"));
          await record(store, { ...CHAT, agent: id }, turnOf("t"));
          await record(store, chat(id), turnOf("t", { subject: id }));
          await putFacts(store, factsOf("user", id), factOf(id, { value: id }));
        }
        for (const id of HOSTILE_IDS) {
          expect(await store.listConversations({ ...AGENT, tenant: id }, { limit: 100 })).toHaveLength(1);
          expect(await store.listConversations({ ...AGENT, agent: id }, { limit: 100 })).toHaveLength(1);
          const own = await store.listConversations(AGENT, { subject: id, limit: 100 });
          expect(own.map((row) => [row.id, row.subject])).toEqual([[id, id]]);
          expect(await factIds(store, factsOf("user", id))).toEqual([id]);
          expect(await factIds(store, factsOf("user", id), { keys: [id] })).toEqual([id]);
        }
      },
    },
  ],
};
