import { inMemoryStore, type MemoryStore } from "@throughline/core";
import fc from "fast-check";
import { expect } from "vitest";
import { withoutAbility } from "../../doubles/without-ability.ts";
import { AGENT, at, chat, idsOf, messageOf, record, turnOf } from "../fixtures.ts";
import type { StoreSuite } from "../store-suite.ts";
import { everythingIn, stories } from "./random-operations.ts";

/** The same runs every time: a failure can be looked into. */
const SEED = 20_250_101;

/** A text of any UTF-16 units, lone surrogates and NUL among them. */
const anyText = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 0x7f }), fc.integer({ min: 0, max: 0xffff })), { maxLength: 30 })
  .map((units) => String.fromCharCode(...units));

/** An id that the contract allows. */
const anyId = fc
  .string({ unit: "binary", minLength: 1, maxLength: 40 })
  .filter((id) => !id.includes("\u0000") && id.isWellFormed());

/** The store with every call made for another tenant. */
function forTenant(store: MemoryStore, tenant: string): MemoryStore {
  const move = <Owner extends object>(owner: Owner): Owner => ({ ...owner, tenant });
  const calls = Object.entries(store).map(([name, member]) => {
    if (typeof member !== "function" || name === "close") return [name, member];
    const call = (owner: object | object[], ...rest: unknown[]) =>
      member.call(store, Array.isArray(owner) ? owner.map(move) : move(owner), ...rest);
    return [name, call];
  });
  const { vectors } = store;
  const moved: Pick<MemoryStore, "vectors"> =
    vectors === undefined
      ? {}
      : {
          vectors: {
            ...vectors,
            put: (owner, ...rest) => vectors.put(move(owner), ...rest),
            nearest: (owner, ...rest) => vectors.nearest(move(owner), ...rest),
            drop: (owner, ...rest) => vectors.drop(move(owner), ...rest),
          },
        };
  // The same members with the same signatures; only the owner differs.
  return Object.assign(Object.fromEntries(calls) as MemoryStore, moved);
}

/** Random runs against plain definitions, and against the reference store. */
export const propertiesSuite: StoreSuite = {
  name: "properties",
  cases: [
    {
      rules: ["PR4", "W2", "W3"],
      title: "any window is the longest run of newest turns that fits, and at least one",
      async run({ store }) {
        // Coarse, so that sums meet the bound exactly.
        const tens = fc.nat(12).map((count) => count * 10);
        const turn = fc.record({
          counted: fc.nat(4),
          tokens: tens,
          hidden: fc.integer({ min: 0, max: 4 }).map((one) => one === 0),
        });
        const given = fc.record({
          turns: fc.array(turn, { maxLength: 8 }),
          maxMessages: fc.nat(16),
          maxTokens: tens,
          cleared: fc.nat(3),
        });
        let runs = 0;
        const property = fc.asyncProperty(given, async ({ turns, maxMessages, maxTokens, cleared }) => {
          runs += 1;
          const owner = chat(`window-${runs}`);
          for (const [index, { counted, tokens }] of turns.entries()) {
            await record(store, owner, turnOf(`t${index}`, { turn: { counted, tokens } }));
          }
          const hidden = turns.flatMap((each, index) =>
            each.hidden ? [{ turn: `t${index}`, action: "hide" as const }] : [],
          );
          await store.changeTurns(owner, hidden);
          if (turns.length > 0) await store.changeConversation(owner, { now: at(1), clearedThrough: cleared });
          const shown = turns.flatMap((each, index) =>
            each.hidden || index + 1 <= cleared ? [] : [{ ...each, id: `t${index}` }],
          );
          const fits = (run: typeof shown) =>
            run.reduce((sum, each) => sum + each.counted, 0) <= maxMessages &&
            run.reduce((sum, each) => sum + each.tokens, 0) <= maxTokens;
          const starts = shown.map((_, index) => index).filter((index) => fits(shown.slice(index)));
          const expected = shown.slice(Math.min(...starts, Math.max(0, shown.length - 1)));
          const window = { afterSummary: false, maxMessages, maxTokens };
          const context = await store.readContext(owner, { now: at(1), window, facts: null });
          expect(idsOf(context.turns)).toEqual(idsOf(expected));
        });
        await fc.assert(property, { seed: SEED, numRuns: 60 });
      },
    },
    {
      rules: ["PR5", "J3"],
      title: "random ids stay apart and random texts are stored exactly",
      async run({ store }) {
        const entries = fc.uniqueArray(fc.tuple(anyId, anyText), {
          selector: ([id]) => id,
          minLength: 1,
          maxLength: 12,
        });
        let runs = 0;
        const property = fc.asyncProperty(entries, async (given) => {
          runs += 1;
          const agent = { ...AGENT, agent: `agent-${runs}` };
          for (const [id, text] of given) {
            await record(
              store,
              chat(id, agent),
              turnOf(id, { subject: id, turn: { messages: [messageOf(id, "user", text)] } }),
            );
            await store.commitRecords(agent, [{ namespace: ["n", id], key: id, value: text }], { now: at(0) });
          }
          for (const [id, text] of given) {
            const [turn] = await store.readTurns(chat(id, agent), { limit: 1 });
            expect(turn?.messages[0]?.parts).toEqual([{ type: "text", text }]);
            expect(idsOf(await store.listConversations(agent, { subject: id, limit: 9 }))).toEqual([id]);
            const records = await store.readRecords(agent, { now: at(0), namespace: ["n", id], limit: 9 });
            expect(records.map((each) => [each.key, each.value])).toEqual([[id, text]]);
          }
          const ids = given.map(([id]) => id).toSorted();
          const namespaces = await store.listNamespaces(agent, { now: at(0), limit: 99 });
          expect(namespaces).toEqual(ids.map((id) => ["n", id]));
        });
        await fc.assert(property, { seed: SEED, numRuns: 30 });
      },
    },
    {
      rules: ["J1", "PR2"],
      title: "a random story is answered, and leaves everything, as in the reference store",
      async run({ store }) {
        let runs = 0;
        const property = fc.asyncProperty(stories(50), async (story) => {
          runs += 1;
          // Each run has a tenant of its own, so that one store serves them all.
          const mine = forTenant(store, `run-${runs}`);
          const reference = forTenant(
            store.vectors ? inMemoryStore() : withoutAbility(inMemoryStore(), "vectors"),
            `run-${runs}`,
          );
          for (const [index, step] of story.entries()) {
            const answer = await step.run(mine);
            expect(answer, `answer ${index} (${step.name})`).toEqual(await step.run(reference));
          }
          expect(await everythingIn(mine)).toEqual(await everythingIn(reference));
        });
        await fc.assert(property, { seed: SEED, numRuns: 80 });
      },
    },
  ],
};
