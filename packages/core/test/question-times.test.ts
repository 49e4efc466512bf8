import { describe, expect, it } from "vitest";
import { inMemoryStore } from "../src/index.ts";
import { assistant, testMemory, user } from "./support.ts";

const TOKYO = "Asia/Tokyo";
/** In Tokyo it is 9:00 on 3 March, in Los Angeles 16:00 on the 2nd: yesterday is the 2nd there and the 1st here. */
const NOW = "2026-03-03T00:00:00Z";
const QUESTION = "What did I cook yesterday?";

/** An app in Los Angeles. Two dinners, said on the 1st and on the 2nd; conversation `asking` is the person's in Tokyo. */
async function setUp() {
  const store = inMemoryStore();
  const reads: string[] = [];
  const counted = {
    ...store,
    readConversation: (...given: Parameters<typeof store.readConversation>) => {
      reads.push(given[0].conversation);
      return store.readConversation(...given);
    },
  };
  const { memory } = testMemory({
    store: counted,
    timeZone: "America/Los_Angeles",
    clock: () => new Date(NOW),
  });
  const say = (id: string, createdAt: string, content: string) =>
    memory
      .conversation({ id, subject: "ana" })
      .record({ startedAt: createdAt, messages: [{ ...user(content), createdAt }] });
  await say("first", "2026-03-01T10:00:00Z", "I cook a stew.");
  await say("second", "2026-03-02T10:00:00Z", "I cook a soup.");
  await say("asking", "2026-03-03T00:00:00Z", "Good morning.");
  const asking = memory.conversation({ id: "asking", subject: "ana" });
  const inTokyo = () => asking.update({ metadata: { timeZone: TOKYO } });
  reads.length = 0;
  return { memory, asking, inTokyo, reads };
}

describe("X7/S2: a question's yesterday", () => {
  it("X7/S2: is that of the conversation in which it is asked, and of the app elsewhere", async () => {
    const { memory, asking, inTokyo } = await setUp();
    const best = async (hits: ReturnType<typeof asking.search>) => (await hits).hits[0]?.conversation;
    expect(await best(asking.search(QUESTION))).toBe("first");
    await inTokyo();
    expect(await best(asking.search(QUESTION))).toBe("second");
    expect(await best(asking.search(QUESTION, { excludeHistory: true }))).toBe("second");
    expect(await best(memory.subject("ana").search(QUESTION))).toBe("first");
    expect(await best(memory.search(QUESTION, { subject: "ana" }))).toBe("first");
    expect(await best(memory.operator.search(QUESTION))).toBe("first");
  });

  it("X7/S2: is that of a conversation of nobody, whoever searches it", async () => {
    const { memory } = await setUp();
    const chat = memory.conversation({ id: "nobody" });
    for (const [day, dish] of [
      ["01", "stew"],
      ["02", "soup"],
    ] as const) {
      const createdAt = `2026-03-${day}T10:00:00Z`;
      await chat.record({ startedAt: createdAt, messages: [{ ...user(`I cook a ${dish}.`), createdAt }] });
    }
    await chat.update({ metadata: { timeZone: TOKYO } });
    const { hits } = await memory.search(QUESTION, { conversation: "nobody" });
    expect(hits[0]?.message.parts).toEqual([{ type: "text", text: "I cook a soup." }]);
  });

  it("X7/S2: is the app's where the conversation's metadata names no zone that there is", async () => {
    const { asking } = await setUp();
    for (const timeZone of ["Mars/Olympus", "", 9]) {
      await asking.update({ metadata: { timeZone } });
      expect((await asking.search(QUESTION)).hits[0]?.conversation).toBe("first");
    }
  });

  it("X7/F13: is nobody else's: a search in another person's conversation is refused", async () => {
    const { memory } = await setUp();
    await memory.conversation({ id: "bobs", subject: "bob" }).record({ messages: [user("Good morning.")] });
    const search = memory.conversation({ id: "bobs", subject: "ana" }).search(QUESTION);
    await expect(search).rejects.toMatchObject({ code: "CONVERSATION_OWNER_MISMATCH" });
  });

  it("X7/I1: stands in what is recalled into a prompt", async () => {
    const { asking, inTokyo } = await setUp();
    await inTokyo();
    const { system } = await asking.begin({ messages: [user(QUESTION)], recall: 1 });
    expect(system).toContain("soup");
    expect(system).not.toContain("stew");
    expect(await asking.systemContext({ query: QUESTION, recall: 1 })).toContain("soup");
  });

  it("X7/S2: costs one look at the conversation, which tells whose it is as well, and none where history is read", async () => {
    const { asking, inTokyo, reads } = await setUp();
    await inTokyo();
    reads.length = 0;
    await asking.search(QUESTION, { excludeHistory: true });
    await asking.begin({ messages: [user(QUESTION)], recall: 1 });
    expect(reads).toEqual([]);
    await asking.search("What did I cook?");
    expect(reads).toEqual(["asking"]);
    await asking.search(QUESTION);
    expect(reads).toEqual(["asking", "asking"]);
  });
});

describe("S2/X7: a question of nothing but a time", () => {
  const said = async (timeZone?: string) => {
    const { memory } = testMemory({
      clock: () => new Date("2026-05-20T17:00:00Z"),
      ...(timeZone === undefined ? {} : { timeZone }),
    });
    for (const [content, createdAt] of [
      ["We planted a tree.", "2026-05-02T12:00:00Z"],
      ["We watched an opera.", "2026-05-19T02:30:00Z"],
      ["We ate a pizza.", "2026-05-20T02:30:00Z"],
    ] as const) {
      const chat = memory.conversation({ id: content, subject: "ana" });
      await chat.record({ startedAt: createdAt, messages: [{ ...user(content), createdAt }] });
    }
    return async (question: string) => {
      const { hits, reason } = await memory.subject("ana").search(question);
      return hits.length > 0 ? hits.map(({ conversation }) => conversation).sort() : reason;
    };
  };
  const [TREE, OPERA, PIZZA] = ["We planted a tree.", "We watched an opera.", "We ate a pizza."] as const;
  const NOTHING = "Nothing was said then.";

  it("is answered by what was said then and by nothing else", async () => {
    const ask = await said();
    for (const [question, answer] of [
      ["yesterday", [OPERA]],
      ["What did we do yesterday?", [OPERA]],
      ["gestern", [OPERA]],
      ["Was war gestern?", [OPERA]],
      ["вчера", [OPERA]],
      ["昨天", [OPERA]],
      ["today", [PIZZA]],
      ["three days ago", NOTHING],
      ["last week", NOTHING],
      ["last month", NOTHING],
      ["18 days ago", [TREE]],
    ] as const) {
      expect(await ask(question), question).toEqual(answer);
    }
    // What is asked of that day besides may be said of it on another.
    expect(await ask("Which opera did we see yesterday?")).toContain(OPERA);
  });

  it("is not narrowed to what is to come: nothing was said then, but something of it", async () => {
    const ask = await said();
    expect(await ask("What do we have next week?")).toContain(TREE);
  });

  it("goes by the days of whoever asks, not by those of UTC", async () => {
    const ask = await said("America/Los_Angeles");
    expect(await ask("yesterday")).toEqual([PIZZA]);
    expect(await ask("two days ago")).toEqual([OPERA]);
    expect(await ask("today")).toBe(NOTHING);
    const east = await said("Pacific/Auckland");
    // 5:00 on the 21st there.
    expect(await east("yesterday")).toEqual([PIZZA]);
  });

  it("is narrowed by a filter, not widened by it", async () => {
    const { memory } = testMemory({ clock: () => new Date("2026-05-20T17:00:00Z") });
    const chat = memory.conversation({ id: "c", subject: "ana" });
    for (const hour of ["09", "15"]) {
      const createdAt = `2026-05-19T${hour}:00:00Z`;
      await chat.record({ startedAt: createdAt, messages: [{ ...user(`At ${hour} hours.`), createdAt }] });
    }
    const count = async (filter: { from?: string; to?: string }) =>
      (await chat.search("yesterday", filter)).hits.length;
    expect(await count({})).toBe(2);
    expect(await count({ from: "2026-05-19T12:00:00Z" })).toBe(1);
    expect(await count({ to: "2026-05-19T12:00:00Z" })).toBe(1);
    expect(await count({ from: "2026-01-01T00:00:00Z", to: "2026-12-31T00:00:00Z" })).toBe(2);
    expect(await count({ from: "2026-05-20T00:00:00Z" })).toBe(0);
  });
});

describe("S2/X7: a day that is named", () => {
  /** Two messages of each day from 1 May on, at nine in the morning and at ten in the evening in Los Angeles; asked on 20 May. */
  const daily = async (timeZone = "America/Los_Angeles") => {
    const { memory } = testMemory({ clock: () => new Date("2026-05-20T17:00:00Z"), timeZone });
    const say = async (id: string, createdAt: string, content: string) => {
      const chat = memory.conversation({ id, subject: "ana" });
      await chat.record({ startedAt: createdAt, messages: [{ ...user(content), createdAt }, assistant("Noted.")] });
    };
    for (let day = 1; day < 20; day++) {
      const two = (number: number): string => String(number).padStart(2, "0");
      await say(`${day} morning`, `2026-05-${two(day)}T16:00:00.000Z`, "I bake bread.");
      await say(`${day} evening`, `2026-05-${two(day + 1)}T05:00:00.000Z`, "I bake bread.");
    }
    const found = async (question: string, k = 40) =>
      (await memory.subject("ana").search(question, { k })).hits.map(({ conversation }) => conversation);
    return { memory, say, found };
  };
  const ofDay = (day: number): string[] => [`${day} evening`, `${day} morning`];

  it("is exactly that day where the person is", async () => {
    const { found } = await daily();
    for (const question of [
      "What happened on May 7th?",
      "What did I say on 7 May 2026?",
      "2026-05-07",
      "What did we do on 5/7/2026?",
      "Was haben wir am 7. Mai gemacht?",
      "2026年5月7日",
    ]) {
      expect([...new Set(await found(question))].sort(), question).toEqual(ofDay(7));
    }
    expect([...new Set(await found("What did we talk about from May 3 to May 4?"))].sort()).toEqual([
      ...ofDay(3),
      ...ofDay(4),
    ]);
  });

  it("is preferred where other words are asked for: an evening in America is of that day, not of the next one", async () => {
    const { found } = await daily();
    for (const question of ["What did I bake on May 7th?", "bread on 7 May 2026", "Did I bake bread on 7.5.2026?"]) {
      expect((await found(question, 2)).sort(), question).toEqual(ofDay(7));
    }
    expect((await found("What did I bake yesterday?", 2)).sort()).toEqual(ofDay(19));
    expect((await found("Did I bake bread on Sunday?", 2)).sort()).toEqual(ofDay(17));
    // Others are found as well.
    expect((await found("What did I bake on May 7th?")).length).toBeGreaterThan(2);
  });

  it("is preferred among what is indexed and what isn't alike", async () => {
    const { memory, say, found } = await daily();
    const asked = "What did I bake on May 7th?";
    const before = await found(asked);
    await memory.settled();
    expect(await found(asked)).toEqual(before);
    await say("late", "2026-05-08T06:00:00.000Z", "I bake bread.");
    expect((await found(asked, 3)).sort()).toEqual([...ofDay(7), "late"].sort());
  });

  it("is found in what says its date, where nothing was said then", async () => {
    const { say, found } = await daily();
    await say("wedding", "2026-05-10T16:00:00.000Z", "The wedding is on April 12th.");
    await say("school", "2026-05-10T17:00:00.000Z", "In 2019 I left school.");
    expect(await found("What happened on April 12th?")).toEqual(["wedding"]);
    expect(await found("What did we do in 2019?")).toEqual(["school"]);
    expect(await found("What happened on April 13th?")).toEqual([]);
    // A month's name may be another word.
    await say("march", "2026-05-10T18:00:00.000Z", "They march on.");
    expect(await found("What did we do in March?")).toEqual([]);
  });

  it("is no time to narrow to where what is to come is asked for", async () => {
    const { say, found } = await daily();
    await say("dentist", "2026-05-13T16:00:00.000Z", "On Friday I see the dentist. On 3 May she is away.");
    expect(await found("What do I have to do on Friday?", 3)).toContain("dentist");
    expect(await found("What will we do on 3 May?", 3)).toContain("dentist");
    await say("exam", "2026-05-04T16:00:00.000Z", "Next week she has the exam.");
    expect((await found("What do we have next week?", 3))[0]).toBe("exam");
    await say("bank", "2026-05-20T16:00:00.000Z", "Today I have to call the bank.");
    expect((await found("What do I have to do today?", 3))[0]).toBe("bank");
  });
});

it("I1/X7: what is recalled tells the day on which it was said where the person is", async () => {
  const { memory } = testMemory({ timeZone: "America/Los_Angeles" });
  const createdAt = "2026-02-20T02:30:00Z";
  const chat = memory.conversation({ id: "c", subject: "ana" });
  await chat.record({ startedAt: createdAt, messages: [{ ...user("We ate a pizza."), createdAt }] });
  const elsewhere = memory.conversation({ id: "d", subject: "ana" });
  expect(await elsewhere.systemContext({ query: "pizza", recall: 1 })).toContain("2026-02-19 user: We ate a pizza.");
});

it("I1: what was asked before in the same words is not recalled in the place of its answer", async () => {
  const { memory } = testMemory();
  const question = "What's my licence plate?";
  for (const [id, content] of [
    ["told", "My licence plate is M-LB 4471."],
    ["asked", question],
    ["again", "what\u2019s my licence plate ?"],
  ] as const) {
    await memory.conversation({ id, subject: "ana" }).record({ messages: [user(content)] });
  }
  const turn = await memory
    .conversation({ id: "now", subject: "ana" })
    .begin({ messages: [user(question)], recall: 1 });
  expect(turn.system).toContain("M-LB 4471");
  // Whoever searches sees it.
  expect((await memory.subject("ana").search(question)).hits).toHaveLength(3);
});
