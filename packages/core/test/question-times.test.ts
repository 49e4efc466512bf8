import { describe, expect, it } from "vitest";
import { inMemoryStore } from "../src/index.ts";
import { testMemory, user } from "./support.ts";

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
