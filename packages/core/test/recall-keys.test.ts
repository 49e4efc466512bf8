import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { assistant, testMemory, user } from "./support.ts";

describe("what a message is found by", () => {
  it("S1: a fact leads to the message that it was drawn from", async () => {
    const { memory } = testMemory();
    const chat = memory.conversation({ id: "c", subject: "ana" });
    const turn = await chat.begin({ id: "t1", messages: [user("we finally signed the papers for the little one")] });
    const stored = await turn.conversation.remember("daughter", "Ana adopted a daughter named Mia", {
      quote: "we finally signed the papers for the little one",
    });
    await turn.complete([assistant("Congratulations!")]);
    const { hits } = await chat.search("When did Ana adopt her daughter?");
    expect(hits[0]).toMatchObject({ turn: "t1", fact: stored.id, matched: "keyword", message: { role: "user" } });
    expect((await chat.search("adopt daughter", { role: "assistant" })).hits).toEqual([]);
    expect((await memory.subject("bob").search("adopt daughter")).hits).toEqual([]);
    await chat.forget("daughter");
    expect((await chat.search("When did Ana adopt her daughter?")).hits).toEqual([]);
  });

  it("S1/F7: what replaced a fact leads to its own message, the old one's is not led to", async () => {
    const { memory } = testMemory();
    const chat = memory.conversation({ id: "c", subject: "ana" });
    const told = [
      ["t1", "it runs on the first plan now", "latency goal of the dashboard: 400 ms"],
      ["t2", "we got the caches in", "latency goal of the dashboard: 250 ms"],
    ] as const;
    for (const [id, said, value] of told) {
      const turn = await chat.begin({ id, messages: [user(said)] });
      await turn.conversation.remember("latency_goal", value, { quote: said });
      await turn.complete([assistant("noted")]);
    }
    const { hits } = await chat.search("latency goal of the dashboard");
    expect(hits.map((hit) => hit.turn)).toEqual(["t2"]);
  });

  it("S1: a speaker's name is found with what the speaker said", async () => {
    const { memory } = testMemory();
    const chat = memory.conversation({ id: "c", subject: "team" });
    for (const [id, name] of [
      ["t1", "Caroline"],
      ["t2", "Melanie"],
    ] as const) {
      await chat.record({ id, messages: [{ ...user("the race was wonderful"), name }] });
    }
    expect((await chat.search("What did Melanie say about the race?")).hits[0]?.turn).toBe("t2");
  });

  it("S1: a day is found by its date", async () => {
    const { memory } = testMemory();
    const chat = memory.conversation({ id: "c", subject: "ana" });
    for (const [id, day] of [
      ["t1", "2023-05-07"],
      ["t2", "2023-05-08"],
      ["t3", "2023-06-08"],
    ] as const) {
      await chat.record({ id, messages: [{ ...user("went to the lake"), createdAt: `${day}T10:00:00.000Z` }] });
    }
    expect((await chat.search("Where did I go on May 8th, 2023? the lake?")).hits[0]?.turn).toBe("t2");
    expect((await chat.search("in June 2023")).hits[0]?.turn).toBe("t3");
  });

  it("S1: a phrase such as yesterday is the day that it means", async () => {
    const now = new Date("2026-03-10T09:00:00.000Z");
    const { memory } = testMemory({ clock: () => now });
    const chat = memory.conversation({ id: "c", subject: "ana" });
    const daysAgo = (days: number): string => new Date(now.getTime() - days * 86_400_000).toISOString();
    for (const days of [5, 1, 3]) {
      await chat.record({ id: `t${days}`, messages: [{ ...user("went to the lake"), createdAt: daysAgo(days) }] });
    }
    expect((await chat.search("What did I do at the lake yesterday?")).hits[0]?.turn).toBe("t1");
    expect((await chat.search("What did I do at the lake three days ago?")).hits[0]?.turn).toBe("t3");
  });

  it("S1: of a long message the piece that answers counts, and it is one hit", async () => {
    const { memory } = testMemory();
    const chat = memory.conversation({ id: "c", subject: "ana" });
    const filler = "There is much to say about gardens, and some of it is about water. ".repeat(40);
    await chat.record({ id: "t1", messages: [user(`${filler}The shed's door code is 4711. ${filler}`)] });
    for (let n = 0; n < 5; n++)
      await chat.record({ messages: [user(`a code review, number ${n}, of the shop's door`)] });
    const { hits } = await chat.search("door code of the shed");
    expect(hits.filter((hit) => hit.turn === "t1")).toHaveLength(1);
    expect(hits[0]?.turn).toBe("t1");
  });

  it("G8: nonsense, another language and nothing at all are answered with nothing, and why", async () => {
    const { memory } = testMemory();
    const chat = memory.conversation({ id: "c", subject: "ana" });
    for (let n = 0; n < 60; n++) {
      await chat.record({
        messages: [user(`on day ${n} I walked the dog to river bend ${n % 7}`), assistant("how nice")],
      });
    }
    const asked = [
      "",
      " ",
      "?!",
      "zorbik flumtrag",
      "Was kostet ein Fahrschein nach Hamburg?",
      "モンゴルの首都はどこですか",
    ];
    for (const query of asked) {
      expect(await chat.search(query), query).toMatchObject({ hits: [], reason: expect.any(String) });
    }
    expect((await chat.search("Where did I walk the dog on day 31?")).hits.length).toBeGreaterThan(0);
  });

  it("G8: the floor is settable: at 0 whatever shares a word is found", async () => {
    const tell = async (keywordFloor: number) => {
      const { memory } = testMemory({ keywordFloor });
      const chat = memory.conversation({ id: "c", subject: "ana" });
      for (let n = 0; n < 60; n++)
        await chat.record({ messages: [user(`dog number ${n} of the harbour`), assistant("yes")] });
      return chat.search("Which opera about a harbour did grandfather conduct in Vienna?");
    };
    const [open, closed] = [await tell(0), await tell(0.5)];
    expect(open.hits.length).toBeGreaterThan(0);
    expect(closed).toMatchObject({ hits: [], relevance: open.relevance });
  });

  it("G8: the first five are the head of the first ten, whatever was said and asked", async () => {
    const word = fc.constantFrom("dog", "car", "tea", "river", "code", "door", "lake", "race");
    const text = fc.array(word, { minLength: 1, maxLength: 5 }).map((words) => words.join(" "));
    const turns = fc.array(fc.record({ said: text, answered: text, conversation: fc.constantFrom("a", "b") }), {
      minLength: 1,
      maxLength: 25,
    });
    await fc.assert(
      fc.asyncProperty(turns, text, async (told, query) => {
        const { memory } = testMemory();
        for (const { said, answered, conversation } of told) {
          const chat = memory.conversation({ id: conversation, subject: "ana" });
          await chat.record({ messages: [user(said), assistant(answered)] });
        }
        const ids = async (k: number) =>
          (await memory.search(query, { subject: "ana", k })).hits.map((hit) => `${hit.turn}/${hit.message.id}`);
        const ten = await ids(10);
        expect(new Set(ten).size).toBe(ten.length);
        for (const k of [1, 5, 9]) expect(await ids(k)).toEqual(ten.slice(0, k));
      }),
      { numRuns: 40 },
    );
  });
});

it("S1/F6: scores stay within 0 and 1 where a newer fact stands ahead of an older one that fits better", async () => {
  const { memory } = testMemory();
  const chat = memory.conversation({ id: "c", subject: "ana" });
  const told = [
    ["t1", "the tool is nice", "The repository of the budget tracker has 150 commits merged"],
    ["t2", "well, it grew", "The number of commits merged has grown to 165"],
    ["t3", "we had soup", "Likes the repository"],
  ] as const;
  for (const [id, said, value] of told) {
    const turn = await chat.begin({ id, messages: [user(said)] });
    await turn.conversation.remember(`about_${id}`, value, { quote: said });
    await turn.complete([assistant("noted")]);
  }
  const question = "How many commits were merged in the repository?";
  expect((await chat.recall({ query: question })).facts.map(({ key }) => key).slice(0, 2)).toEqual([
    "about_t2",
    "about_t1",
  ]);
  const { hits } = await chat.search(question);
  expect(hits[0]?.turn).toBe("t1");
  for (const { score } of hits) expect(score).toBeLessThanOrEqual(1);
});
