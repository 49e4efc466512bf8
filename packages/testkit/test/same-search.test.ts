import { createMemory, inMemoryStore, type Memory, type MemoryStore } from "@throughline/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { scriptedClock } from "../src/doubles/scripted-clock.ts";
import { sequentialIds } from "../src/doubles/sequential-ids.ts";
import { withoutAbility } from "../src/doubles/without-ability.ts";
import { assistant, topicEmbedder, user } from "../src/memory/talk.ts";
import { withKeywordIndex } from "./support/keyword-overlay.ts";
import { withSearchReads } from "./support/search-reads.ts";

const SAID = ["my beagle runs", "the puppy sleeps", "a vehicle and a dog", "drive the car", "nothing of either"];

const conversations = fc.constantFrom("c1", "c2");
const subjects = fc.constantFrom("ann", "bob");
const turns = fc.constantFrom("t1", "t2", "t3", "t4");
const said = fc.constantFrom(...SAID);

interface Step {
  name: string;
  run(memory: Memory): Promise<unknown>;
}

function step<Given>(
  name: string,
  given: fc.Arbitrary<Given>,
  run: (memory: Memory, given: Given) => Promise<unknown>,
): fc.Arbitrary<Step> {
  return given.map((value) => ({
    name,
    run: (memory: Memory) => run(memory, value),
    [fc.toStringMethod]: () => `${name}(${JSON.stringify(value)})`,
  }));
}

const record = step(
  "record",
  fc.record({
    id: conversations,
    turn: turns,
    subject: subjects,
    question: said,
    answer: said,
    replaces: fc.option(turns),
  }),
  (memory, { id, turn, subject, question, answer, replaces }) =>
    memory.conversation({ id, subject }).record({
      id: turn,
      messages: [user(question, `${turn}-q`), { ...assistant(answer), id: `${turn}-a` }],
      ...(replaces === null ? {} : { replaces }),
    }),
);

const steps: fc.Arbitrary<Step> = fc.oneof(
  { arbitrary: record, weight: 8 },
  { arbitrary: step("settled", fc.constant(null), (memory) => memory.settled()), weight: 3 },
  {
    arbitrary: step(
      "deleteMessages",
      fc.record({ id: conversations, message: fc.constantFrom("t1-q", "t1-a", "t2-a", "t3-q") }),
      (memory, { id, message }) => memory.conversation({ id }).deleteMessages([message]),
    ),
    weight: 2,
  },
  {
    arbitrary: step(
      "rebind",
      fc.record({ id: conversations, subject: subjects, restamp: fc.constantFrom("turn" as const, "all" as const) }),
      (memory, { id, subject, restamp }) => memory.conversation({ id }).rebindSubject(subject, { restamp }),
    ),
    weight: 2,
  },
  {
    arbitrary: step("rewind", fc.record({ id: conversations, to: turns }), (memory, { id, to }) =>
      memory.conversation({ id }).rewind({ to }),
    ),
    weight: 1,
  },
  { arbitrary: step("clear", conversations, (memory, id) => memory.conversation({ id }).clear()), weight: 1 },
  { arbitrary: step("clone", conversations, (memory, id) => memory.conversation({ id }).clone("c3")), weight: 1 },
  { arbitrary: step("delete", conversations, (memory, id) => memory.conversation({ id }).delete()), weight: 1 },
  { arbitrary: step("erase", subjects, (memory, id) => memory.subject(id).erase()), weight: 1 },
  { arbitrary: step("reindex", fc.constant(null), (memory) => memory.reindex()), weight: 1 },
  { arbitrary: step("sweep", fc.constant(null), (memory) => memory.operator.sweepRetention()), weight: 1 },
);

const outcomeOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => "done",
    (error: unknown) => (error instanceof Error && "code" in error ? error.code : error),
  );

function memoryOn(store: MemoryStore): Memory {
  const clock = scriptedClock("2026-03-01T09:00:00.000Z", 1_000);
  return createMemory({
    agent: "helper",
    env: {},
    onEvent: () => undefined,
    store,
    // A moment of its own for each step, however often either memory asks.
    clock,
    createId: sequentialIds("id"),
    embedder: topicEmbedder(),
  });
}

/** Everything that searches find, in the order that they give. */
async function everythingFound(memory: Memory): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const query of ["dog", "car and puppy", "nothing"]) {
    for (const mode of ["semantic", "hybrid"] as const) {
      const searches = [
        memory.operator.search(query, { mode, k: 50 }),
        memory.operator.search(query, { mode, k: 50, role: "assistant", conversation: "c1" }),
        memory.subject("ann").search(query, { mode, k: 50 }),
        memory.subject("bob").search(query, { mode, k: 50 }),
      ];
      for (const { hits, reason } of await Promise.all(searches)) {
        found.push([
          reason,
          hits.map(({ conversation, turn, message, score, matched, subject }) =>
            [conversation, turn, message.id, score, matched, subject].join(" "),
          ),
        ]);
      }
    }
  }
  return found;
}

/** A store with an index of words. */
const withWords = (): MemoryStore => withKeywordIndex(inMemoryStore(), { entries: [], next: 1, conversations: [] });

const PAIRS: readonly (readonly [name: string, one: () => MemoryStore, other: () => MemoryStore])[] = [
  ["with an index of vectors and without one", inMemoryStore, () => withoutAbility(inMemoryStore(), "vectors")],
  ["reading at once and part by part", () => withSearchReads(withWords()), withWords],
];

describe.each(PAIRS)("search %s", (_name, one, other) => {
  it("J1/S1/S2: whatever happened to the turns, both find the same in the same order", {
    timeout: 60_000,
  }, async () => {
    const story = fc.array(steps, { minLength: 6, maxLength: 24, size: "max" });
    let hits = 0;
    const property = fc.asyncProperty(story, async (given) => {
      const indexed = memoryOn(one());
      const scanned = memoryOn(other());
      for (const each of given) {
        expect(await outcomeOf(each.run(indexed)), each.name).toEqual(await outcomeOf(each.run(scanned)));
      }
      for (const memory of [indexed, scanned]) await memory.settled();
      const found = await everythingFound(indexed);
      expect(found).toEqual(await everythingFound(scanned));
      hits += JSON.stringify(found).split("semantic").length;
    });
    await fc.assert(property, { seed: 20_250_101, numRuns: 150 });
    expect(hits).toBeGreaterThan(1_000);
  });
});
