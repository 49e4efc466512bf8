import type { MemoryStore } from "@throughline/core";
import { expect } from "vitest";
import { AGENT, at, bytesOf, CHAT, factOf, factsOf, messageOf, putFacts, record, turnOf } from "../fixtures.ts";
import type { StoreBench, StoreSuite } from "../store-suite.ts";

const TOKEN = "planted-zx81qk-token";
const OTHER = "standing-vb64wm-token";

/** In how many of the store's raw byte runs a text stands, as UTF-8 or UTF-16. */
async function sightings(bench: StoreBench, text: string): Promise<number> {
  const runs = await bench.peek();
  expect(runs.length, "runs of raw bytes to look at").toBeGreaterThan(0);
  const forms = [Buffer.from(text, "utf8"), Buffer.from(text, "utf16le"), Buffer.from(text, "utf16le").swap16()];
  return runs.filter((run) =>
    forms.some((form) => Buffer.from(run.buffer, run.byteOffset, run.byteLength).includes(form)),
  ).length;
}

/** Plants the token by `plant`, removes it by `remove`, and looks for it in the raw bytes. */
export async function leavesNoBytes(
  bench: StoreBench,
  plant: (store: MemoryStore, token: string) => Promise<void>,
  remove: (store: MemoryStore) => Promise<unknown>,
): Promise<void> {
  await record(bench.store, { ...CHAT, conversation: "standing" }, turnOf("t", { said: OTHER, subject: "bob" }));
  await plant(bench.store, TOKEN);
  expect(await sightings(bench, TOKEN), "before").toBeGreaterThan(0);
  await remove(bench.store);
  expect(await sightings(bench, TOKEN), "after").toBe(0);
  expect(await sightings(bench, OTHER), "what was not erased").toBeGreaterThan(0);
}

/** Erased text can't be read back from the raw bytes. */
export const bytesSuite: StoreSuite = {
  name: "raw bytes",
  applies: ({ hasPeek }) => hasPeek,
  cases: [
    {
      rules: ["A3", "J4", "PR7"],
      title: "of an erased conversation no byte is left: turns, summaries, facts, items, titles",
      run: (bench) =>
        leavesNoBytes(
          bench,
          async (store, token) => {
            await record(store, CHAT, turnOf("t1", { said: token, answered: token }));
            await record(store, CHAT, turnOf("t2", { said: `${token} ${"long ".repeat(5_000)}` }));
            const summary = { text: token, through: 1, throughTurn: "t1", turns: 1, tokens: 1, createdAt: at(1) };
            await store.commitSummary(CHAT, { expectedVersion: 0, summary, now: at(1) });
            await store.changeConversation(CHAT, { now: at(1), title: token, metadata: { token } });
            const owner = factsOf("conversation", CHAT.conversation);
            await putFacts(store, owner, factOf(token, { key: token, value: token, scope: "conversation" }));
            await store.commitItems(CHAT, [{ action: "put", key: token, bytes: bytesOf(token) }]);
          },
          (store) => store.erase(AGENT, { kind: "conversation", conversation: CHAT.conversation }, { now: at(5) }),
        ),
    },
    {
      rules: ["A3", "J4", "PR7"],
      title: "of an erased subject no byte is left: conversations, facts, history, records",
      run: (bench) =>
        leavesNoBytes(
          bench,
          async (store, token) => {
            await record(store, CHAT, turnOf("t1", { said: token, subject: "ann" }));
            await putFacts(
              store,
              factsOf("user", "ann"),
              factOf("a", { value: token }),
              factOf("b", { value: token, validTo: at(1) }),
            );
            await putFacts(store, factsOf("global", "ann"), factOf("c", { value: [token], scope: "global" }));
            const operation = { key: "op", result: token };
            await store.commitFacts(factsOf("user", "ann"), { expectedVersion: 1, now: at(1), put: [], operation });
            const commit = { namespace: ["n"], key: token, value: token, subject: "ann" };
            await store.commitRecords(AGENT, [commit], { now: at(1) });
            await store.linkIdentity(AGENT, { identity: token, subject: "ann", since: at(1) });
          },
          (store) => store.erase(AGENT, { kind: "subject", subject: "ann" }, { now: at(5) }),
        ),
    },
    {
      rules: ["A3", "PR7", "F8"],
      title: "of an erased fact no byte is left",
      run: (bench) =>
        leavesNoBytes(
          bench,
          (store, token) =>
            putFacts(
              store,
              factsOf("user", "ann"),
              factOf("a", { value: token, source: { conversation: "c", turn: "t", quote: token } }),
            ),
          (store) =>
            store.commitFacts(factsOf("user", "ann"), { expectedVersion: 1, now: at(2), put: [], erase: ["a"] }),
        ),
    },
    {
      rules: ["A3", "PR7", "G4"],
      title: "of a quote that is taken out of a fact no byte is left, and the fact stays",
      async run(bench) {
        const owner = factsOf("user", "ann");
        const source = { conversation: "c", turn: "t" };
        const facts = [factOf("a", { value: "kept" }), factOf("b", { value: "kept", validTo: at(1) })];
        await leavesNoBytes(
          bench,
          (store, token) =>
            putFacts(store, owner, ...facts.map((fact) => ({ ...fact, source: { ...source, quote: token } }))),
          (store) => {
            const put = facts.map((fact) => ({ ...fact, source, version: fact.version + 1 }));
            return store.commitFacts(owner, { expectedVersion: 1, now: at(2), put });
          },
        );
        const [set] = await bench.store.readFacts([owner], { now: at(2), history: true, limit: 9 });
        expect(set?.facts.map((fact) => fact.source)).toEqual([source, source]);
      },
    },
    {
      rules: ["A3", "PR7", "W16"],
      title: "of an erased or rewritten turn no byte is left",
      run: (bench) =>
        leavesNoBytes(
          bench,
          (store, token) =>
            record(store, CHAT, turnOf("t1", { said: token }), turnOf("t2", { said: token })).then(() => undefined),
          (store) =>
            store.changeTurns(CHAT, [
              { turn: "t1", action: "erase" },
              { turn: "t2", action: "rewrite", messages: [messageOf("m", "user", "stub")], counted: 1, tokens: 1 },
            ]),
        ),
    },
    {
      rules: ["A3", "PR7", "A2"],
      title: "of a deleted summary no byte is left, of its earlier versions neither",
      run: (bench) =>
        leavesNoBytes(
          bench,
          async (store, token) => {
            await record(store, CHAT, turnOf("t1"));
            const summary = { through: 1, throughTurn: "t1", turns: 1, tokens: 1, createdAt: at(1) };
            for (const [expectedVersion, text] of [token, `more ${token}`].entries()) {
              await store.commitSummary(CHAT, { expectedVersion, summary: { ...summary, text }, now: at(1) });
            }
          },
          (store) => store.commitSummary(CHAT, { expectedVersion: 2, summary: null, now: at(2) }),
        ),
    },
    {
      rules: ["A3", "PR7", "J15"],
      title: "of a deleted record no byte is left",
      run: (bench) =>
        leavesNoBytes(
          bench,
          async (store, token) => {
            await store.commitRecords(AGENT, [{ namespace: ["n"], key: "k", value: token }], { now: at(1) });
          },
          (store) => store.commitRecords(AGENT, [{ namespace: ["n"], key: "k" }], { now: at(2) }),
        ),
    },
    {
      rules: ["A3", "PR7", "A4"],
      title: "of purged facts and records no byte is left",
      run: (bench) =>
        leavesNoBytes(
          bench,
          async (store, token) => {
            await putFacts(store, factsOf("user", "ann"), factOf("a", { value: token, expiresAt: at(2) }));
            const commit = { namespace: ["n"], key: "k", value: token, expiresAt: at(2) };
            await store.commitRecords(AGENT, [commit], { now: at(1) });
          },
          (store) => store.purgeExpired(AGENT, { now: at(3), operationsBefore: at(0), limit: 9 }),
        ),
    },
  ],
};
