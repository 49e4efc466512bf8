import { createMemory, inMemoryStore, type Memory, type MemoryStore, type SearchFilter } from "@throughline/core";
import fc from "fast-check";
import { expect } from "vitest";
import { scriptedClock } from "../../doubles/scripted-clock.ts";
import { sequentialIds } from "../../doubles/sequential-ids.ts";
import { at } from "../fixtures.ts";
import type { StoreSuite } from "../store-suite.ts";

/** Who said what, where. Some texts are alike, so that ties are ranked too. */
const CORPUS: readonly (readonly [conversation: string, subject: string, said: string, answered: string])[] = [
  ["trip", "ann", "We fly to Lisbon on Monday with two bags.", "Two bags are included in your fare to Lisbon."],
  ["trip", "ann", "Is the flight to Lisbon late?", "It is on time."],
  ["diet", "ann", "I don't eat meat, and nuts make me ill.", "I'll look for places without meat and nuts."],
  ["code", "ann", "getUserName fails in src/user-name.ts", "The call to getUserName needs an id."],
  ["code", "ann", "mail it to ann.lee@example.com", "Sent to ann.lee@example.com."],
  ["world", "ann", "今天我们去东京看樱花", "东京的樱花很美"],
  ["world", "ann", "ฉันชอบกินข้าวผัด", "ข้าวผัดอร่อยมาก"],
  ["world", "ann", "Où est le café préféré d'Ann ?", "Le café est près de la gare."],
  ["ties", "ann", "blue green", "yes"],
  ["ties", "ann", "green blue", "yes"],
  ["more", "ann", "blue green", "yes"],
  ["ties", "ann", "green blue", "yes"],
  ["bobs", "bob", "I fly to Lisbon too, on Tuesday.", "See you in Lisbon."],
];

/** Two people talk, each message a turn. */
const TALK: readonly (readonly [name: string, said: string])[] = [
  ["Lee", "The train was late."],
  ["Joe", "Mine, too."],
  ["Lee", "Where did you spend your holiday?"],
  ["Joe", "By the sea, in Lisbon!"],
  ["Lee", "Nice."],
];

const QUERIES: readonly (readonly [query: string, filter?: SearchFilter])[] = [
  ["Lisbon"],
  ["flight to Lisbon with bags", { k: 3 }],
  ["meat nuts"],
  ["getUserName"],
  ["user name"],
  ["ann.lee@example.com"],
  ["东京"],
  ["樱花"],
  ["ข้าวผัด"],
  ["cafe"],
  ["cafe\u0301"],
  ["blue green"],
  ["blue", { conversation: "ties" }],
  ["Lisbon", { role: "assistant" }],
  ["blue", { from: at(9), to: at(10) }],
  ["zebra"],
];

function memoryOver(store: MemoryStore): Memory {
  return createMemory({
    agent: "helper",
    store,
    policy: { enabled: true },
    clock: scriptedClock(at(60)),
    createId: sequentialIds("id"),
    env: {},
  });
}

async function tell(memory: Memory, from: number, to: number): Promise<void> {
  for (const [index, [id, subject, said, answered]] of CORPUS.entries()) {
    if (index < from || index >= to) continue;
    const createdAt = at(index);
    const messages = [
      { id: `m${index}-q`, role: "user" as const, content: said, createdAt },
      { id: `m${index}-a`, role: "assistant" as const, content: answered, createdAt: at(index + 0.5) },
    ];
    const outcome = await memory
      .conversation({ id, subject })
      .record({ id: `t${index}`, messages, startedAt: createdAt });
    expect(outcome.status).toBe("stored");
  }
}

/** What each query finds: message ids with their scores, best first. Among equal scores any order will do: by id. */
async function answers(
  memory: Memory,
  subject: string,
): Promise<[query: string, hits: (readonly [string, number])[]][]> {
  const all: [string, (readonly [string, number])[]][] = [];
  for (const [query, filter] of QUERIES) {
    const { hits } = await memory.subject(subject).search(query, filter);
    const scored = hits.map((hit) => [hit.message.id, Number(hit.score.toFixed(9))] as const);
    expect(hits.map((hit) => hit.score)).toEqual(hits.map((hit) => hit.score).toSorted((one, other) => other - one));
    all.push([query, scored.toSorted((one, other) => other[1] - one[1] || (one[0] < other[0] ? -1 : 1))]);
  }
  return all;
}

async function compare(mine: Memory, fallback: Memory): Promise<void> {
  for (const subject of ["ann", "bob", "nobody"]) {
    expect(await answers(mine, subject)).toEqual(await answers(fallback, subject));
  }
}

const WORDS = [
  "Lisbon",
  "flight",
  "bags",
  "dinner",
  "the",
  "of",
  "late",
  "東京",
  "桜",
  "カフェ",
  "кафе",
  "naïve",
  "ann.lee@example.com",
];
const said = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 7 }).map((words) => words.join(" "));
/** A few words, or so many sentences that the message is ranked in pieces; some ask something. */
const texts = fc.oneof(
  { weight: 5, arbitrary: said },
  { weight: 1, arbitrary: said.map((text) => `${text}?`) },
  { weight: 1, arbitrary: fc.array(said, { minLength: 20, maxLength: 40 }).map((list) => `${list.join(". ")}.`) },
);
const turns = fc.array(
  fc.record({
    conversation: fc.constantFrom("a", "b", "c"),
    asked: texts,
    answered: fc.option(texts, { nil: undefined }),
    name: fc.constantFrom(undefined, "Ann", "Lee"),
    day: fc.integer({ min: 1, max: 3 }),
  }),
  { minLength: 1, maxLength: 14 },
);
/** Each story is told to a subject of its own, so that one store takes all of them. */
const STORIES = 12;

async function tellRandom(
  memory: Memory,
  subject: string,
  story: readonly {
    conversation: string;
    asked: string;
    answered: string | undefined;
    name: string | undefined;
    day: number;
  }[],
): Promise<void> {
  for (const [index, { conversation, asked, answered, name, day }] of story.entries()) {
    const createdAt = `2026-01-0${day}T10:00:00.000Z`;
    const messages = [
      { id: `m${index}-q`, role: "user" as const, content: asked, createdAt, ...(name === undefined ? {} : { name }) },
      ...(answered === undefined
        ? []
        : [{ id: `m${index}-a`, role: "assistant" as const, content: answered, createdAt }]),
    ];
    const outcome = await memory
      .conversation({ id: `${subject}-${conversation}`, subject })
      .record({ id: `t${index}`, messages });
    expect(outcome.status).toBe("stored");
  }
}

/** Searching through core gives the same over every store. */
export const rankingSuite: StoreSuite = {
  name: "ranking",
  applies: ({ capabilities }) => capabilities.keywordSearch,
  cases: [
    {
      rules: ["J14", "S5"],
      title: "an indexed store ranks as core does without an index, with the same scores",
      async run({ store }) {
        const mine = memoryOver(store);
        const fallback = memoryOver(inMemoryStore());
        for (const memory of [mine, fallback]) {
          await tell(memory, 0, CORPUS.length);
          await memory.settled();
        }
        await compare(mine, fallback);
        const [lisbon] = await answers(mine, "ann");
        expect(lisbon?.[1].length).toBeGreaterThan(0);
      },
    },
    {
      rules: ["Z8", "J14"],
      title: "what isn't indexed yet is found and ranked with the rest",
      async run({ store }) {
        const mine = memoryOver(store);
        const fallback = memoryOver(inMemoryStore());
        for (const memory of [mine, fallback]) await tell(memory, 0, 6);
        await mine.settled();
        for (const memory of [mine, fallback]) await tell(memory, 6, CORPUS.length);
        await compare(mine, fallback);
      },
    },
    {
      rules: ["S1", "J14"],
      title: "random stories are answered with the same ten in the same order as without an index",
      async run({ store }) {
        const mine = memoryOver(store);
        const fallback = memoryOver(inMemoryStore());
        const stories = fc.sample(fc.tuple(turns, fc.array(said, { minLength: 3, maxLength: 3 })), {
          numRuns: STORIES,
          seed: 7,
        });
        let found = 0;
        for (const [index, [story, queries]] of stories.entries()) {
          const subject = `person-${index}`;
          for (const memory of [mine, fallback]) {
            await tellRandom(memory, subject, story);
            // Some are ranked with a tail that no index holds yet.
            if (index % 2 === 0) await memory.settled();
          }
          for (const query of [...queries, "Lisbon on 2 January 2026", "What happened on 2 January 2026?"]) {
            const ten = async (memory: Memory) =>
              (await memory.subject(subject).search(query)).hits.map((hit) => [
                hit.conversation,
                hit.message.id,
                hit.score,
              ]);
            const expected = await ten(fallback);
            expect(await ten(mine)).toEqual(expected);
            found += expected.length;
          }
        }
        expect(found).toBeGreaterThan(STORIES);
      },
    },
    {
      rules: ["S1", "Z8", "J14"],
      title: "an answer is found right behind what it answers, though it repeats no word of it, indexed or not",
      async run({ store }) {
        const mine = memoryOver(store);
        const fallback = memoryOver(inMemoryStore());
        for (const indexed of TALK.keys()) {
          const subject = `person-${indexed}`;
          for (const memory of [mine, fallback]) {
            for (const [index, [name, said]] of TALK.entries()) {
              const messages = [{ id: `m${index}`, role: "user" as const, name, content: said, createdAt: at(index) }];
              const conversation = memory.conversation({ id: `talk-${indexed}`, subject });
              expect((await conversation.record({ id: `t${index}`, messages })).status).toBe("stored");
              if (index === indexed) await memory.settled();
            }
          }
          for (const query of ["holiday", "Where did Lee spend the holiday?"]) {
            const found = async (memory: Memory) =>
              (await memory.subject(subject).search(query)).hits.map(({ message, score }) => [message.id, score]);
            const expected = await found(fallback);
            expect(await found(mine)).toEqual(expected);
            expect(expected.map(([id]) => id)).toContain("m3");
          }
        }
        expect((await mine.subject("person-0").search("holiday")).hits.map(({ message }) => message.id)).toEqual([
          "m2",
          "m3",
        ]);
      },
    },
    {
      rules: ["A2", "F8"],
      title: "an erased conversation is not found any more",
      async run({ store }) {
        const memory = memoryOver(store);
        await tell(memory, 0, CORPUS.length);
        await memory.settled();
        expect((await memory.subject("ann").search("Lisbon")).hits.length).toBeGreaterThan(0);
        await memory.conversation({ id: "trip", subject: "ann" }).delete();
        expect((await memory.subject("ann").search("Lisbon")).hits).toEqual([]);
        expect((await memory.subject("bob").search("Lisbon")).hits.length).toBeGreaterThan(0);
      },
    },
  ],
};
