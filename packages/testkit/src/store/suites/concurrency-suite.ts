import type { MemoryStore } from "@throughline/core";
import { expect } from "vitest";
import { AGENT, allTurns, at, CHAT, chat, factIds, factOf, factsOf, record, turnOf, WIDE } from "../fixtures.ts";
import type { StoreBench, StoreCase, StoreSuite } from "../store-suite.ts";

type Handles = (bench: StoreBench) => Promise<[MemoryStore, MemoryStore]>;

/** How many of the answers have each status. */
function tally(answers: readonly { status: string }[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** Runs `work` so many times at once, on the two handles in turn. */
function atOnce<Answer>(
  handles: [MemoryStore, MemoryStore],
  times: number,
  work: (store: MemoryStore, index: number) => Promise<Answer>,
): Promise<Answer[]> {
  return Promise.all(Array.from({ length: times }, (_, index) => work(handles[index % 2 === 0 ? 0 : 1], index)));
}

function casesOn(open: Handles): StoreCase[] {
  return [
    {
      rules: ["PR2", "W6"],
      title: "turns recorded at once on one conversation all get a number of their own",
      async run(bench) {
        const handles = await open(bench);
        await atOnce(handles, 40, (store, index) => record(store, CHAT, turnOf(`t${index}`)));
        const turns = await allTurns(handles[1], CHAT);
        expect(turns.map((turn) => turn.seq)).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
        expect(new Set(turns.map((turn) => turn.id)).size).toBe(40);
        expect(await handles[0].readConversation(CHAT)).toMatchObject({ lastSeq: 40, turns: 40, messages: 80 });
      },
    },
    {
      rules: ["PR2", "W1"],
      title: "one turn sent many times at once is stored once",
      async run(bench) {
        const handles = await open(bench);
        const answers = await atOnce(handles, 10, (store) => store.commitTurn(CHAT, turnOf("t1")));
        expect(tally(answers)).toEqual({ stored: 1, exists: 9 });
        expect(await allTurns(handles[1], CHAT)).toHaveLength(1);
      },
    },
    {
      rules: ["PR2", "F12"],
      title: "of writers at once on one version one gets through: facts, summaries, records, rows",
      async run(bench) {
        const handles = await open(bench);
        await record(handles[0], CHAT, turnOf("t1"));
        const owner = factsOf("user", "ann");
        const summary = { text: "s", through: 1, throughTurn: "t1", turns: 1, tokens: 1, createdAt: at(1) };
        const facts = await atOnce(handles, 8, (store, index) =>
          store.commitFacts(owner, { expectedVersion: 0, now: at(1), put: [factOf(`f${index}`)] }),
        );
        const summaries = await atOnce(handles, 8, (store) =>
          store.commitSummary(CHAT, { expectedVersion: 0, now: at(1), summary }),
        );
        const records = await atOnce(handles, 8, (store, index) =>
          store.commitRecords(AGENT, [{ namespace: ["n"], key: "k", value: index, ifVersion: 0 }], { now: at(1) }),
        );
        const rows = await atOnce(handles, 8, (store, index) =>
          store.changeConversation(CHAT, { now: at(1), ifVersion: 1, title: `title ${index}` }),
        );
        for (const answers of [facts, summaries, records])
          expect(tally(answers)).toEqual({ committed: 1, conflict: 7 });
        expect(tally(rows)).toEqual({ changed: 1, conflict: 7 });
        expect(await factIds(handles[1], owner)).toHaveLength(1);
        expect(await handles[1].readSummaries(CHAT, { limit: 9 })).toHaveLength(1);
      },
    },
    {
      rules: ["PR2", "F12"],
      title: "writers that try again after a conflict lose nothing",
      async run(bench) {
        const handles = await open(bench);
        const owner = factsOf("user", "ann");
        await atOnce(handles, 12, async (store, index) => {
          for (let attempt = 0; attempt < 100; attempt += 1) {
            const [set] = await store.readFacts([owner], { now: at(1), limit: 1 });
            const commit = { expectedVersion: set?.version ?? 0, now: at(1), put: [factOf(`f${index}`)] };
            if ((await store.commitFacts(owner, commit)).status === "committed") return;
          }
          expect.fail("A hundred tries were not enough.");
        });
        expect(await factIds(handles[1], owner)).toHaveLength(12);
      },
    },
    {
      rules: ["E3", "J10"],
      title: "work claimed at once goes to one holder each; a named lease has one",
      async run(bench) {
        const handles = await open(bench);
        for (let index = 0; index < 10; index += 1) await record(handles[0], chat(`c${index}`), turnOf("t"));
        const claims = await atOnce(handles, 6, (store, index) =>
          store.claimWork(AGENT, { holder: `w${index}`, now: at(1), leaseMs: 60_000, limit: 3 }),
        );
        const claimed = claims.flat().map((row) => row.id);
        expect(claimed.toSorted()).toEqual(Array.from({ length: 10 }, (_, index) => `c${index}`));
        const leases = await atOnce(handles, 6, (store, index) =>
          store.claimLease(AGENT, { name: "l", holder: `w${index}`, now: at(1), leaseMs: 60_000 }),
        );
        expect(leases.filter(Boolean)).toHaveLength(1);
      },
    },
    {
      rules: ["J7", "J1"],
      title: "readers beside a writer see whole turns and counts that agree",
      async run(bench) {
        const handles = await open(bench);
        const [writer, reader] = handles;
        let writing = true;
        const write = async () => {
          for (let index = 0; index < 30; index += 1) await record(writer, CHAT, turnOf(`t${index}`));
        };
        const read = async () => {
          let looks = 0;
          while (writing || looks === 0) {
            const context = await reader.readContext(CHAT, { now: at(1), window: WIDE, facts: null });
            expect(context.turns.map((turn) => turn.messages.length)).toEqual(context.turns.map(() => 2));
            expect(context.conversation?.turns ?? 0).toBe(context.turns.length);
            looks += 1;
            await new Promise((resolve) => setImmediate(resolve));
          }
        };
        // Both come to their end before either is judged: nothing runs on when the case is over.
        const ended = await Promise.allSettled([write().finally(() => (writing = false)), read()]);
        expect(ended.map((end) => (end.status === "rejected" ? end.reason : null))).toEqual([null, null]);
      },
    },
  ];
}

/** Many calls at once on one handle. */
export const concurrencySuite: StoreSuite = {
  name: "concurrency",
  cases: casesOn(async ({ store }) => [store, store]),
};

/** Many calls at once on two live handles of one place. */
export const twoHandlesSuite: StoreSuite = {
  name: "two handles",
  applies: ({ capabilities }) => capabilities.multiProcess,
  needsReopen: true,
  cases: [
    ...casesOn(async ({ store, another }) => [store, await another()]),
    {
      rules: ["J1"],
      title: "what one handle acknowledged the other sees at once, and closing one leaves the other open",
      async run({ store, another }) {
        const other = await another();
        await record(store, CHAT, turnOf("t1"));
        expect(await allTurns(other, CHAT)).toHaveLength(1);
        await store.close();
        await record(other, CHAT, turnOf("t2"));
        expect(await allTurns(other, CHAT)).toHaveLength(2);
      },
    },
  ],
};
