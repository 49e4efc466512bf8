import type {
  ConversationOwner,
  KeywordDocument,
  MemoryStore,
  TurnChange,
  WorkBegin,
  WorkResult,
} from "@throughline/core";
import { expect } from "vitest";
import { AGENT, at, CHAT, chat, codeOf, HOSTILE_IDS, idsOf, messageOf, record, turnOf } from "../fixtures.ts";
import type { StoreSuite } from "../store-suite.ts";
import { axis, EVERYBODY, MODEL, near, questionOf, scopeOf } from "./vector-fixtures.ts";
import { beginParts, finishParts } from "./work-parts.ts";

const LEASE_MS = 5 * 60_000;
const TERMS = ["word", "rare"];
const RECORDS = [
  { namespace: ["n"], keys: ["a", "none", "gone"] },
  { namespace: ["n", "m"], keys: ["a"] },
] as const;

const claimBy = (holder: string, minute: number): WorkBegin => ({ holder, now: at(minute), leaseMs: LEASE_MS });

/** The question of a turn and its words. */
function wordsOf(turn: string, seq: number, rest: Partial<KeywordDocument> = {}): KeywordDocument {
  const place = { turn, seq, position: 0, message: `${turn}-q`, role: "user", createdAt: at(seq) } as const;
  return { ...place, place: seq * 8, group: "said", length: 3, terms: TERMS.map((term, n) => [term, n + 1]), ...rest };
}

/** What was made of the turns `t1` … of a conversation. */
function resultOf(turns: number, rest: Partial<WorkResult> = {}): WorkResult {
  const seqs = Array.from({ length: turns }, (_, place) => place + 1);
  return {
    index: { after: 0, through: turns, documents: seqs.map((seq) => wordsOf(`t${seq}`, seq)) },
    vectors: { model: MODEL, documents: seqs.map((seq) => questionOf(`t${seq}`, seq, axis(seq))) },
    settlement: { holder: "w1", watermarks: { embed: turns }, settledSeq: turns },
    ...rest,
  };
}

async function say(store: MemoryStore, owner: ConversationOwner, turns: number, subject = "ann"): Promise<void> {
  const names = Array.from({ length: turns }, (_, place) => `t${place + 1}`);
  await record(store, owner, ...names.map((name, place) => turnOf(name, { minute: place + 1, subject })));
}

/** What searches and claims see of a conversation, without what differs from one conversation to another. */
async function traceOf(store: MemoryStore, owner: ConversationOwner): Promise<object> {
  const row = await store.readConversation(owner);
  const scopes = [
    scopeOf(owner.conversation),
    { kind: "subject", subject: "ann" },
    { kind: "subject", subject: "bob" },
  ] as const;
  const words: unknown[] = [];
  for (const scope of scopes) {
    const found = await store.keyword?.postings(owner, scope, { terms: TERMS, groups: ["said", "tool"] });
    const documents = found?.terms.flatMap((term) => term.documents) ?? [];
    const places = (await store.keyword?.documents(owner, documents)) ?? [];
    const own = places.filter(({ conversation }) => conversation === owner.conversation);
    words.push(
      own.map(({ turn, position, message, subject }) => `${turn} ${position} ${message} ${subject}`).toSorted(),
    );
  }
  const vectors = (await near(store, EVERYBODY)).filter(({ conversation }) => conversation === owner.conversation);
  return {
    row: row && { lastSeq: row.lastSeq, settledSeq: row.settledSeq, watermarks: row.watermarks },
    words,
    vectors: vectors.map(({ turn, seq, position, message, subject, score }) => [
      turn,
      seq,
      position,
      message,
      subject,
      score,
    ]),
    free: await store.claimWork(AGENT, { ...claimBy("w9", 1), limit: 1, conversation: owner.conversation }).then(idsOf),
  };
}

/** One result both ways, in two conversations to which the same happened meanwhile. */
async function bothWays(
  store: MemoryStore,
  result: WorkResult,
  meanwhile: (owner: ConversationOwner) => Promise<unknown> = async () => {},
): Promise<{ answer: unknown; trace: object }> {
  const [together, apart] = [chat("together"), chat("apart")];
  for (const owner of [together, apart]) {
    await say(store, owner, 3);
    await store.claimWork(AGENT, { ...claimBy("w1", 0), limit: 1, conversation: owner.conversation });
    await meanwhile(owner);
  }
  const answer = (await store.finishWork?.(together, result)) ?? expect.fail("There is no finishWork.");
  expect(answer).toEqual(await finishParts(store, apart, result));
  const [trace, expected] = [await traceOf(store, together), await traceOf(store, apart)];
  expect({ ...trace, free: [] }).toEqual({ ...expected, free: [] });
  expect(idsFree(trace)).toBe(idsFree(expected));
  return { answer, trace };
}

const idsFree = (trace: object): number => ("free" in trace && Array.isArray(trace.free) ? trace.free.length : -1);

/** Work on a conversation begun and ended in one trip each, where a store has that. */
export const workTripsSuite: StoreSuite = {
  name: "work trips",
  applies: ({ capabilities }) => capabilities.keywordSearch && capabilities.vectorSearch,
  cases: [
    {
      rules: ["E3", "J10"],
      title: "beginWork, where there is one, leases as claimWork does",
      async run({ store }) {
        const { beginWork } = store;
        if (beginWork === undefined) return;
        const begin = async (holder: string, minute: number, owner = CHAT) =>
          (await store.beginWork?.(owner, claimBy(holder, minute)))?.conversation.id ?? null;
        expect(await begin("w1", 0)).toBeNull();
        await say(store, CHAT, 1);
        expect(await begin("w1", 0)).toBe(CHAT.conversation);
        expect(await begin("w2", 4.99)).toBeNull();
        expect(idsOf(await store.claimWork(AGENT, { ...claimBy("w2", 4.99), limit: 9 }))).toEqual([]);
        expect(await begin("w1", 4)).toBe(CHAT.conversation);
        expect(await begin("w2", 5)).toBeNull();
        expect(await begin("w2", 9)).toBe(CHAT.conversation);
        await store.settleWork(CHAT, { holder: "w2", settledSeq: 1 });
        expect(await begin("w1", 20)).toBeNull();
        for (const stranger of [chat(CHAT.conversation, { ...AGENT, agent: "x" }), { ...CHAT, tenant: "x" }]) {
          expect(await begin("w1", 20, stranger)).toBeNull();
        }
      },
    },
    {
      rules: ["E3", "W15"],
      title:
        "beginWork, where there is one, reads visible turns behind the lowest watermark, and records, as their methods do",
      async run({ store }) {
        if (store.beginWork === undefined) return;
        await say(store, CHAT, 5);
        await store.changeTurns(CHAT, [{ turn: "t4", action: "hide" }]);
        await store.settleWork(CHAT, { holder: "w0", watermarks: { fold: 5, embed: 1, index: 2 } });
        const put = (namespace: readonly string[], key: string, expiresAt?: string) => ({
          namespace,
          key,
          value: { of: key },
          ...(expiresAt === undefined ? {} : { expiresAt }),
        });
        const kept = [put(["n"], "a"), put(["n"], "gone", at(1)), put(["n", "m"], "a"), put(["n", "m"], "b")];
        await store.commitRecords(AGENT, kept, { now: at(0) });
        const asked: Omit<WorkBegin, "holder" | "now" | "leaseMs">[] = [
          {},
          { turns: { behind: ["index"], limit: 10 } },
          { turns: { behind: ["index", "embed"], limit: 3 } },
          { turns: { behind: ["index", "embed"], limit: 2 } },
          { turns: { behind: ["fold"], limit: 10 } },
          { turns: { behind: ["nothing", "fold"], limit: 10 }, records: RECORDS },
        ];
        const found: (string[] | undefined)[] = [];
        for (const ask of asked) {
          const begin = { ...claimBy("w1", 2), ...ask };
          const rows = await store.beginWork(CHAT, begin);
          expect(rows).toEqual(await beginParts(store, CHAT, begin));
          found.push(rows?.turns?.map(({ id }) => id));
        }
        expect(found).toEqual([undefined, ["t3", "t5"], ["t2", "t3", "t5"], undefined, [], ["t1", "t2", "t3", "t5"]]);
      },
    },
    {
      rules: ["E3", "G7"],
      title: "finishWork, where there is one, indexes, embeds and settles as the three calls do",
      async run({ store }) {
        if (store.finishWork === undefined) return;
        const { answer, trace } = await bothWays(store, resultOf(3));
        expect(answer).toEqual({ indexed: true, vectors: 3 });
        expect(trace).toMatchObject({ row: { settledSeq: 3, watermarks: { index: 3, embed: 3 } }, free: [] });
        for (const [place, result] of [
          resultOf(0, { settlement: { holder: "w1", release: false } }),
          resultOf(2, { settlement: { holder: "w1", watermarks: { index: 3, fold: 1 } } }),
          { settlement: { holder: "another", settledSeq: 99 } },
          { settlement: { holder: "w1", watermarks: {} } },
        ].entries()) {
          const owner = chat(`c${place}`);
          const twin = chat(`d${place}`);
          for (const one of [owner, twin]) {
            await say(store, one, 3);
            await store.claimWork(AGENT, { ...claimBy("w1", 0), limit: 1, conversation: one.conversation });
          }
          expect(await store.finishWork(owner, result)).toEqual(await finishParts(store, twin, result));
          const [trace, expected] = [await traceOf(store, owner), await traceOf(store, twin)];
          expect({ ...trace, free: idsFree(trace) }).toEqual({ ...expected, free: idsFree(expected) });
        }
      },
    },
    {
      rules: ["E3", "G7"],
      title: "finishWork, where there is one, does the rest where the index has moved, and nothing twice",
      async run({ store }) {
        if (store.finishWork === undefined) return;
        const { answer } = await bothWays(
          store,
          resultOf(3),
          (owner) =>
            store.keyword?.index(owner, { after: 0, through: 1, documents: [wordsOf("t1", 1)] }) ?? Promise.resolve(),
        );
        expect(answer).toEqual({ indexed: false, vectors: 3 });
        await say(store, CHAT, 3);
        expect(await store.finishWork(CHAT, resultOf(3))).toEqual({ indexed: true, vectors: 3 });
        const before = await traceOf(store, CHAT);
        expect(await store.finishWork(CHAT, resultOf(3))).toEqual({ indexed: false, vectors: 3 });
        expect(await traceOf(store, CHAT)).toEqual(before);
        // Turns that an index holds already, indexed again.
        for (const conversation of ["together", "apart"]) {
          await store.erase(AGENT, { kind: "conversation", conversation }, { now: at(0) });
        }
        const again = { index: { after: 3, through: 3, documents: [wordsOf("t2", 2)] }, settlement: { holder: "w1" } };
        await bothWays(store, again, (owner) => finishParts(store, owner, resultOf(3)));
      },
    },
    {
      rules: ["A2", "W6", "W15"],
      title:
        "finishWork, where there is one, brings back nothing that was erased, hidden, moved or written anew meanwhile",
      async run({ store }) {
        if (store.finishWork === undefined) return;
        const rest = [messageOf("t2-a", "assistant", "answer of t2")];
        const moved = [messageOf("new", "user", "new"), messageOf("t3-q", "user", "question of t3")];
        const rewrite = { action: "rewrite", counted: 1, tokens: 1 } as const;
        const changes: TurnChange[][] = [
          [{ turn: "t1", action: "erase" }],
          [{ turn: "t2", action: "hide" }],
          [{ turn: "t2", ...rewrite, messages: rest }],
          [{ turn: "t3", ...rewrite, messages: moved }],
          [{ turn: "t1", action: "restamp", subject: "bob" }],
        ];
        for (const change of changes) {
          await bothWays(store, resultOf(3), (owner) => store.changeTurns(owner, change));
          for (const conversation of ["together", "apart"]) {
            await store.erase(AGENT, { kind: "conversation", conversation }, { now: at(0) });
          }
        }
        // What was hidden is found once it is shown.
        await bothWays(store, resultOf(3), (owner) => store.changeTurns(owner, [{ turn: "t1", action: "hide" }]));
        for (const owner of [chat("together"), chat("apart")]) {
          await store.changeTurns(owner, [{ turn: "t1", action: "show" }]);
          expect(await traceOf(store, owner)).toMatchObject({ words: [{ length: 6 }, {}, {}], vectors: { length: 3 } });
        }
      },
    },
    {
      rules: ["A2", "E3"],
      title: "finishWork, where there is one, leaves an erased conversation erased",
      async run({ store }) {
        if (store.finishWork === undefined) return;
        await say(store, CHAT, 3);
        await store.claimWork(AGENT, { ...claimBy("w1", 0), limit: 1 });
        const target = { kind: "conversation", conversation: CHAT.conversation } as const;
        await store.erase(AGENT, target, { now: at(9) });
        expect(await store.finishWork(CHAT, resultOf(3))).toEqual({ indexed: false, vectors: 0 });
        expect(await traceOf(store, CHAT)).toEqual({ row: null, words: [[], [], []], vectors: [], free: [] });
        // A new one of the same id gets nothing of the old one.
        await record(store, CHAT, turnOf("n1", { minute: 10, subject: "ann" }));
        await store.finishWork(CHAT, resultOf(3));
        expect(await traceOf(store, CHAT)).toMatchObject({ words: [[], [], []], vectors: [] });
      },
    },
    {
      rules: ["A2", "E3"],
      title: "finishWork, where there is one, leaves a conversation alone that was begun anew under its id",
      async run({ store }) {
        if (store.finishWork === undefined) return;
        await say(store, CHAT, 3);
        const createdAt =
          (await store.readConversation(CHAT))?.createdAt ?? expect.fail("The conversation is not there.");
        const target = { kind: "conversation", conversation: CHAT.conversation } as const;
        await store.erase(AGENT, target, { now: at(9) });
        await record(store, CHAT, turnOf("n1", { minute: 10, subject: "ann" }));
        const late = resultOf(3, { settlement: { ...resultOf(3).settlement, createdAt } });
        expect(await store.finishWork(CHAT, late)).toEqual({ indexed: false, vectors: 0 });
        expect(await store.readConversation(CHAT)).toMatchObject({ lastSeq: 1, settledSeq: 0 });
        const { watermarks = {}, createdAt: anew } = (await store.readConversation(CHAT)) ?? {};
        expect([watermarks.index ?? 0, watermarks.embed ?? 0]).toEqual([0, 0]);
        const index = { after: 0, through: 1, documents: [wordsOf("n1", 1)] };
        const settlement = { holder: "w1", settledSeq: 1, ...(anew === undefined ? {} : { createdAt: anew }) };
        expect(await store.finishWork(CHAT, { index, settlement })).toEqual({ indexed: true, vectors: 0 });
      },
    },
    {
      rules: ["G7", "J1"],
      title: "finishWork, where there is one, writes nothing where a vector is refused",
      async run({ store }) {
        if (store.finishWork === undefined) return;
        await say(store, CHAT, 1);
        const before = await traceOf(store, CHAT);
        const wrong = { model: MODEL, documents: [questionOf("t1", 1, axis(0, 3))] };
        expect(await codeOf(store.finishWork(CHAT, resultOf(1, { vectors: wrong })))).toBe("INVALID_ARGUMENT");
        expect(await traceOf(store, CHAT)).toEqual(before);
      },
    },
    {
      rules: ["F2", "J3"],
      title: "beginWork and finishWork, where there are any, take any id, and stay within tenant and agent",
      async run({ store }) {
        if (store.beginWork === undefined || store.finishWork === undefined) return;
        await say(store, CHAT, 1);
        for (const stranger of [
          { ...CHAT, tenant: "other" },
          { ...CHAT, agent: "other" },
        ]) {
          expect(await store.finishWork(stranger, resultOf(1))).toEqual({ indexed: false, vectors: 0 });
        }
        expect(await traceOf(store, CHAT)).toMatchObject({ row: { settledSeq: 0, watermarks: {} }, vectors: [] });
        for (const id of HOSTILE_IDS) {
          const owner = chat(id);
          await record(store, owner, turnOf("t1", { subject: id }));
          const begin = { ...claimBy("w1", 0), turns: { behind: ["index"], limit: 9 } };
          const rows = await store.beginWork(owner, begin);
          expect(rows, JSON.stringify(id)).toEqual(await beginParts(store, owner, begin));
          expect(await store.finishWork(owner, resultOf(1))).toEqual({ indexed: true, vectors: 1 });
          const scope = { kind: "subject", subject: id } as const;
          const found = await store.keyword?.postings(AGENT, scope, { terms: TERMS, groups: ["said"] });
          expect(found?.terms.map(({ documents }) => documents.length)).toEqual([1, 1]);
        }
      },
    },
  ],
};
