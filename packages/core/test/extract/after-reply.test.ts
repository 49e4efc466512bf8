import { describe, expect, it, vi } from "vitest";
import { DateResolver } from "../../src/extract/resolve-dates.ts";
import { createMemory, inMemoryStore, MemoryError, type MemoryEvent } from "../../src/index.ts";
import { assistant, testMemory, user } from "../support.ts";
import { extracting, scripted } from "./distillers.ts";

const brief = (facts: readonly { key?: string; value: unknown; origin: string; type: string }[]) =>
  facts.map(({ key, value, origin, type }) => [key, value, origin, type]);

describe("facts after a reply", () => {
  it("X1: nothing is drawn from what was said unless the policy says so, and the manifest says that it isn't", async () => {
    const { distiller, inputs } = scripted({ Porto: [{ key: "city", value: "Porto", quote: "I live in Porto" }] });
    const { memory, events } = testMemory({ distiller });
    await memory.conversation({ id: "c", subject: "ana" }).record({ messages: [user("I live in Porto.")] });
    await memory.settled();
    expect(inputs).toEqual([]);
    expect(await memory.subject("ana").facts()).toEqual([]);
    const manifest = await memory.manifest();
    expect(manifest.extraction).toBe("off");
    expect(manifest.degraded).toMatchObject([{ field: "distiller" }]);
    expect(events.some(({ type }) => type === "memory.extracted")).toBe(false);
  });

  it("X2: each finished exchange is sent once, with the exchanges before it as context", async () => {
    const { distiller, inputs } = scripted({
      "After six": [{ topic: "calls", value: "calls after six", quote: "After six" }],
    });
    const { memory } = extracting(distiller);
    const chat = memory.conversation({ id: "c", subject: "ana" });
    await chat.record({ id: "t1", messages: [user("Can you ring me?"), assistant("When do calls suit you?")] });
    await chat.record({ id: "t2", messages: [user("After six."), assistant("Fine.")] });
    await chat.record({ id: "t3", status: "failed", messages: [user("Hello?")] });
    await chat.record({ id: "t4", status: "aborted", messages: [user("Never mind."), assistant("Al")] });
    await memory.settled();
    await memory.sweep();
    expect(inputs.map(({ turns, recent }) => [turns.map(({ id }) => id), recent.map(({ id }) => id)])).toEqual([
      [["t1"], []],
      [["t2"], ["t1"]],
      [["t4"], ["t1", "t2", "t3"]],
    ]);
    expect(brief(await memory.subject("ana").facts())).toEqual([[undefined, "calls after six", "user", "fact"]]);
    expect((await memory.manifest()).degraded).toEqual([]);
  });

  it("X2: the assistant's words are no facts about the person until the person agrees to them", async () => {
    const { distiller } = scripted({
      "You sound": [{ key: "hobby", value: "gardening", quote: "You sound like a gardening person" }],
      "Yes, please": [
        { key: "reply_language", value: "answer in French", type: "instruction", quote: "Yes, please." },
        { key: "hobby", value: "gardening", quote: "Yes, please." },
      ],
    });
    const { memory, events } = extracting(distiller);
    const chat = memory.conversation({ id: "c", subject: "ana" });
    await chat.record({ messages: [user("I planted roses."), assistant("You sound like a gardening person.")] });
    await chat.record({ messages: [user("Bonjour!"), assistant("Bonjour! Shall I always answer in French?")] });
    await chat.record({ messages: [user("Yes, please."), assistant("D'accord.")] });
    await memory.settled();
    expect(brief(await memory.subject("ana").facts())).toEqual([
      ["reply_language", "answer in French", "user-confirmed", "instruction"],
    ]);
    expect(events.filter(({ type }) => type === "memory.extracted")).toMatchObject([
      { refused: 1, stored: 0 },
      { candidates: 0 },
      { stored: 1, quarantined: 1 },
    ]);
  });

  it("X2: custom instructions reach the distiller as they are", async () => {
    const { distiller, inputs } = scripted({});
    const instructions = "Note which plants people grow.";
    const { memory } = extracting(distiller, { policy: { extract: { when: "after-reply", instructions } } });
    await memory.conversation({ id: "c", subject: "ana" }).record({ messages: [user("I grow leeks.")] });
    await memory.settled();
    expect(inputs[0]?.instructions).toBe(instructions);
  });

  it("X6: a predicate on the turn chooses what is extracted, and its throw chooses nothing", async () => {
    const { distiller, inputs } = scripted({});
    const { memory } = extracting(distiller, {
      shouldExtract: ({ agentName }) => {
        if (agentName === "broken") throw new Error("no");
        return agentName === "concierge";
      },
    });
    const chat = memory.conversation({ id: "c", subject: "ana" });
    for (const agentName of ["concierge", "billing", "broken"]) {
      await chat.record({ id: agentName, agentName, messages: [user(`Hello, ${agentName}.`)] });
    }
    await memory.settled();
    expect(inputs.flatMap(({ turns }) => turns.map(({ id }) => id))).toEqual(["concierge"]);
  });

  it("X7: what is known is shown, so that a change takes the old value's place and keeps it as history", async () => {
    const { distiller, inputs } = scripted({
      "live in Porto": [{ key: "city", value: "Porto", quote: "I live in Porto" }],
      "moved to Braga": [{ key: "city", value: "Braga", quote: "I moved to Braga" }],
    });
    const { memory } = extracting(distiller);
    const chat = memory.conversation({ id: "c", subject: "ana" });
    await chat.record({ messages: [user("I live in Porto.")] });
    await memory.settled();
    await chat.record({ messages: [user("I moved to Braga.")] });
    await memory.settled();
    expect(inputs.map(({ known }) => known.map(({ value }) => value))).toEqual([[], ["Porto"]]);
    const facts = await memory.subject("ana").facts({ history: true });
    expect(facts.map(({ value, validTo }) => [value, validTo === undefined])).toEqual([
      ["Braga", true],
      ["Porto", false],
    ]);
  });

  it("X7: of many facts those are shown that any part of a long message speaks of", async () => {
    const { distiller, inputs } = scripted({});
    const { memory } = extracting(distiller);
    await memory.subject("ana").remember({ value: "Ana keeps a beagle called Rex" });
    for (let note = 0; note < 60; note++) await memory.subject("ana").remember({ value: `note ${note} about parcels` });
    const filler = "We walked along the river until the evening. ".repeat(200);
    const said = `${filler}My beagle Rex is ill. ${filler}`;
    await memory.conversation({ id: "c", subject: "ana" }).record({ messages: [user(said)] });
    await memory.settled();
    expect(inputs.map(({ known }) => known.length)).toEqual([41]);
    expect(inputs[0]?.known.map(({ value }) => value)).toContain("Ana keeps a beagle called Rex");
  });

  it("J7/X7: a long message is read once for its times, part by part, however many facts are drawn from it", async () => {
    const quotes = ["My dog is called Rex", "My cat is called Tom", "I moved last week", "I live in Zagreb"];
    const { distiller } = scripted({ Rex: quotes.map((quote) => ({ topic: quote, value: quote, quote })) });
    const { memory } = extracting(distiller);
    const read = vi.spyOn(DateResolver.prototype, "phrasesIn");
    const long = "We walked along the river until the evening. ".repeat(2_000);
    const chat = memory.conversation({ id: "c", subject: "ana" });
    await chat.record({ startedAt: "2026-03-06T10:00:00Z", messages: [user(`${long}${quotes.join(". ")}.`)] });
    await memory.settled();
    const lengths = read.mock.calls.map(([text]) => text.length);
    read.mockRestore();
    expect(Math.max(...lengths)).toBeLessThanOrEqual(8_192);
    expect(lengths.reduce((sum, length) => sum + length, 0)).toBeLessThan(1.1 * long.length);
    const facts = await memory.subject("ana").facts();
    expect(facts.map(({ value }) => value)).toContain("I moved last week (2026-02-23/2026-03-01)");
    expect(facts).toHaveLength(4);
  });

  it("X7: a day counts wherever it stands in a long message, in whatever language its words are", async () => {
    const moved = { topic: "home", value: "lives in Zagreb since 2026-03-03", quote: "to Zagreb" };
    const since = { topic: "work", value: "Began at the bakery on 2026-03-05", quote: "Began at the bakery yesterday" };
    const { distiller } = scripted({ Zagreb: [moved], bakery: [since] });
    for (const before of [8_160, 8_170, 8_180, 8_190, 8_200]) {
      const { memory } = extracting(distiller);
      const filler = "We walked along the river. ".repeat(400).slice(0, before - 3);
      const said = `${filler}. I moved 3 days ago to Zagreb. ${filler}`;
      const chat = memory.conversation({ id: "c", subject: "ana" });
      await chat.record({ startedAt: "2026-03-06T10:00:00Z", messages: [user(said)] });
      const german = "Wir gingen am Fluss entlang und es war nicht kalt. ".repeat(260);
      const english = "Began at the bakery yesterday. It is the one at the corner of the street that we like.";
      await chat.record({ startedAt: "2026-03-06T11:00:00Z", messages: [user(`${german}${english}`)] });
      await memory.settled();
      const values = (await memory.subject("ana").facts()).map(({ value }) => value);
      expect(values).toContain(moved.value);
      expect(values).toContain(`${since.value} ("yesterday")`);
    }
  });

  it("X7: a known fact without a key is superseded by the update that names it, and contradicted beside it", async () => {
    let known: string | undefined;
    const { distiller } = scripted(({ turns, known: facts }) => {
      const said = JSON.stringify(turns);
      known = facts[0]?.id;
      if (said.includes("eat meat again")) {
        return [{ topic: "food", value: "eats meat again", quote: "I eat meat again", updates: known, confidence: 1 }];
      }
      if (said.includes("only fish")) {
        return [{ topic: "food", value: "only fish", quote: "only fish", contradicts: known, confidence: 1 }];
      }
      return [{ topic: "food", value: "vegan", quote: "I'm vegan", confidence: 1 }];
    });
    const { memory } = extracting(distiller);
    const chat = memory.conversation({ id: "c", subject: "ana" });
    for (const words of ["I'm vegan.", "I eat meat again.", "For me only fish."]) {
      await chat.record({ messages: [user(words)] });
      await memory.settled();
    }
    const facts = await memory.subject("ana").facts();
    expect(facts.map(({ value }) => value).sort()).toEqual(["eats meat again", "only fish"]);
    expect(facts.every(({ disputedWith, disputedBy }) => disputedWith !== undefined || disputedBy !== undefined)).toBe(
      true,
    );
    expect(await chat.systemContext()).toContain("disputed: ask which is right");
  });

  it("X7: the same thing in another form or under another name is one fact", async () => {
    const { distiller } = scripted({
      first: [{ topic: "food", value: "loves mushroom soups", quote: "I love mushroom soups" }],
      second: [{ topic: "Food", value: "mushroom soup: loved", quote: "mushroom soup" }],
      third: [{ key: "favourite", value: "loves mushroom soups", quote: "I love mushroom soups" }],
    });
    const { memory } = extracting(distiller);
    const chat = memory.conversation({ id: "c", subject: "ana" });
    for (const place of ["first", "second", "third"]) {
      await chat.record({ messages: [user(`I love mushroom soups, mushroom soup above all. The ${place} time.`)] });
      await memory.settled();
    }
    expect(await memory.subject("ana").facts()).toHaveLength(1);
  });

  it.each([
    ["UTC", "2026-03-01T23:30:00Z", "2026-02-28"],
    ["Asia/Tokyo", "2026-03-01T23:30:00Z", "2026-03-01"],
    ["America/Los_Angeles", "2026-03-02T05:00:00Z", "2026-02-28"],
  ])(
    "X7: in %s what was said at %s of yesterday happened on %s, and the phrase stays beside it",
    async (timeZone, at, day) => {
      const quote = "I started at the bakery yesterday";
      const { distiller } = scripted({
        bakery: [{ key: "job", value: "started at the bakery yesterday", quote }],
      });
      const { memory } = extracting(distiller, { timeZone });
      await memory.conversation({ id: "c", subject: "ana" }).record({ startedAt: at, messages: [user(`${quote}!`)] });
      await memory.settled();
      const [fact] = await memory.subject("ana").facts();
      expect(fact?.value).toBe(`started at the bakery yesterday (${day})`);
    },
  );

  it("X7: a conversation's own time zone wins, and a date that the model got wrong is put right", async () => {
    const quote = "I started at the bakery yesterday";
    const { distiller } = scripted({
      bakery: [{ key: "job", value: "started at the bakery on 2026-11-28", quote }],
    });
    const { memory } = extracting(distiller);
    const chat = memory.conversation({ id: "c", subject: "ana" });
    await chat.record({ startedAt: "2026-02-27T08:00:00Z", messages: [user("Hello.")] });
    await chat.update({ metadata: { timeZone: "Asia/Tokyo" } });
    await chat.record({ startedAt: "2026-03-01T23:30:00Z", messages: [user(`${quote}!`)] });
    await memory.settled();
    const [fact] = await memory.subject("ana").facts();
    expect(fact?.value).toBe('started at the bakery on 2026-03-01 ("yesterday")');
  });

  it("X7: a fact stays in the person's language, and its dates are resolved in it", async () => {
    const { distiller } = scripted({
      面包店: [{ key: "job", value: "昨天开始在面包店工作", quote: "我昨天开始在面包店工作" }],
    });
    const { memory } = extracting(distiller);
    await memory
      .conversation({ id: "c", subject: "mei" })
      .record({ startedAt: "2026-03-01T10:00:00Z", messages: [user("你好！我昨天开始在面包店工作。")] });
    await memory.settled();
    expect((await memory.subject("mei").facts())[0]?.value).toBe("昨天 (2026-02-28)开始在面包店工作");
  });

  it("X7: without a subject what is drawn belongs to the conversation", async () => {
    const { distiller } = scripted({ Porto: [{ key: "city", value: "Porto", quote: "I live in Porto" }] });
    const { memory } = extracting(distiller);
    const chat = memory.conversation({ id: "c" });
    await chat.record({ messages: [user("I live in Porto.")] });
    await memory.settled();
    expect(await chat.recall("city")).toBe("Porto");
    expect(await memory.conversation({ id: "d" }).recall("city")).toBeNull();
  });

  it("X8: what is no candidate is left out and counted; the others are kept", async () => {
    const { distiller } = scripted({
      Porto: [
        { key: "city", value: "Porto", quote: "I live in Porto" },
        { key: "no_quote", value: "Porto" },
        { key: "sure", value: "Porto", quote: "Porto", confidence: 7 },
        "nonsense",
        { key: "other", value: "Porto", quote: "Porto", subject: "bo" },
      ],
    });
    const { memory, events } = extracting(distiller);
    await memory.conversation({ id: "c", subject: "ana" }).record({ messages: [user("I live in Porto.")] });
    await memory.settled();
    expect((await memory.subject("ana").facts()).map(({ key }) => key)).toEqual(["city"]);
    expect(events.find(({ type }) => type === "memory.extracted")).toMatchObject({
      candidates: 5,
      stored: 1,
      invalid: 4,
    });
  });

  it("X8/G7: a failing distiller loses nothing: the failure is listed, and the next sweep draws from the same turn", async () => {
    let broken = true;
    const script = scripted({ Porto: [{ key: "city", value: "Porto", quote: "I live in Porto" }] });
    const { memory } = extracting((input) => {
      if (broken) throw new Error("down: I live in Porto");
      return script.distiller(input);
    });
    await memory.conversation({ id: "c", subject: "ana" }).record({ id: "t1", messages: [user("I live in Porto.")] });
    await memory.settled();
    expect(await memory.operator.failures()).toMatchObject([
      { work: "extract", code: "DISTILLER_FAILED", attempts: 1 },
    ]);
    expect(JSON.stringify(await memory.operator.failures())).not.toContain("Porto");
    broken = false;
    expect(await memory.sweep()).toMatchObject({ extracted: 1, failed: 0 });
    expect((await memory.subject("ana").facts()).map(({ value }) => value)).toEqual(["Porto"]);
    expect(await memory.operator.failures()).toEqual([]);
  });

  it("X8/G7: a turn that fails again and again is put aside, so that later ones go on, and can be redriven", async () => {
    let broken = true;
    const script = scripted({
      cursed: [{ key: "mood", value: "cursed", quote: "I feel cursed" }],
      Porto: [{ key: "city", value: "Porto", quote: "I live in Porto" }],
    });
    const { memory } = extracting((input) => {
      if (broken && JSON.stringify(input.turns).includes("cursed")) throw new Error("content filter");
      return script.distiller(input);
    });
    const chat = memory.conversation({ id: "c", subject: "ana" });
    await chat.record({ id: "t1", messages: [user("I feel cursed.")] });
    await chat.record({ id: "t2", messages: [user("I live in Porto.")] });
    for (let pass = 0; pass < 6; pass++) await memory.sweep();
    expect((await memory.subject("ana").facts()).map(({ key }) => key)).toEqual(["city"]);
    expect(await memory.operator.failures()).toMatchObject([{ work: "extract", turn: "t1" }]);
    broken = false;
    expect(await memory.operator.redrive()).toMatchObject({ extracted: 1, failed: 0 });
    expect((await memory.subject("ana").facts()).map(({ key }) => key).sort()).toEqual(["city", "mood"]);
    expect(await memory.operator.failures()).toEqual([]);
  });

  it("E3: a turn whose facts were written before a crash is not drawn from twice", async () => {
    let answer = 0;
    const { distiller } = scripted(() => {
      answer += 1;
      return [
        {
          topic: "home",
          value: answer === 1 ? "lives in Porto" : "Porto is home",
          quote: "I live in Porto",
          confidence: 1,
        },
      ];
    });
    const store = inMemoryStore();
    let dies = true;
    const dying = {
      ...store,
      settleWork: async (...args: Parameters<typeof store.settleWork>) => {
        if (dies && args[1].watermarks?.extract !== undefined) throw new MemoryError("STORE_UNREACHABLE", "gone");
        return store.settleWork(...args);
      },
    };
    const { memory } = extracting(distiller, { store: dying });
    await memory.conversation({ id: "c", subject: "ana" }).record({ messages: [user("I live in Porto.")] });
    await memory.settled();
    dies = false;
    await memory.sweep();
    expect(answer).toBe(2);
    expect((await memory.subject("ana").facts()).map(({ value }) => value)).toEqual(["lives in Porto"]);
  });

  it("G3: what the person had forgotten is not drawn again from what they said", async () => {
    const { distiller } = scripted({ Porto: [{ key: "city", value: "Porto", quote: "I live in Porto" }] });
    const { memory, events } = extracting(distiller);
    const chat = memory.conversation({ id: "c", subject: "ana" });
    await chat.record({ messages: [user("I live in Porto.")] });
    await memory.settled();
    await chat.forget("city");
    await chat.record({ messages: [user("As I said, I live in Porto.")] });
    await memory.settled();
    expect(await memory.subject("ana").facts()).toEqual([]);
    expect(events.findLast(({ type }) => type === "memory.extracted")).toMatchObject({ refused: 1, stored: 0 });
  });

  it("G4: a turn that is erased while the distiller thinks leaves no fact", async () => {
    const { promise: thinking, resolve: think } = Promise.withResolvers<void>();
    const { promise: erased, resolve: goOn } = Promise.withResolvers<void>();
    const { memory } = extracting(async () => {
      think();
      await erased;
      return [{ key: "city", value: "Porto", quote: "I live in Porto", confidence: 1 }];
    });
    const chat = memory.conversation({ id: "c", subject: "ana" });
    await chat.record({ messages: [user("I live in Porto.")] });
    const work = memory.settled();
    await thinking;
    await chat.delete({ derived: true });
    goOn();
    await work;
    expect(await memory.subject("ana").facts()).toEqual([]);
    expect((await memory.subject("ana").audit()).quarantined).toEqual([]);
  });

  it("X5: no event, failure or warning holds a word of what was said", async () => {
    const secret = "xylophone-4711";
    const { distiller } = scripted({
      [secret]: [
        { key: "instrument", value: secret, quote: `I play the ${secret}` },
        { key: "invented", value: `${secret} of gold`, quote: `gold ${secret}` },
      ],
    });
    const { memory, events } = extracting(distiller);
    await memory.conversation({ id: "c", subject: "ana" }).record({ messages: [user(`I play the ${secret}.`)] });
    await memory.settled();
    expect(events.map(({ type }) => type)).toEqual(["memory.recorded", "memory.extracted"]);
    expect(JSON.stringify(events)).not.toContain(secret);
  });

  it("X1: what was said while extraction was off is not drawn from when it is switched on", async () => {
    const store = inMemoryStore();
    const before = createMemory({ agent: "helper", store, env: {}, onEvent: () => undefined });
    await before.conversation({ id: "c", subject: "ana" }).record({ messages: [user("I live in Porto.")] });
    await before.settled();
    const { distiller, inputs } = scripted({});
    const { memory } = extracting(distiller, { store });
    await memory.conversation({ id: "c", subject: "ana" }).record({ id: "new", messages: [user("Hello.")] });
    await memory.settled();
    expect(inputs.flatMap(({ turns }) => turns.map(({ id }) => id))).toEqual(["new"]);
  });

  it("T5: extraction that can't be had is off and told", async () => {
    const events: MemoryEvent[] = [];
    const degradedOf = async (options: Parameters<typeof testMemory>[0]) =>
      (await testMemory({ ...options, onEvent: (event) => events.push(event) }).memory.manifest()).degraded;
    expect(await degradedOf({ policy: { extract: { when: "after-reply" } } })).toMatchObject([
      { field: "extract.when", wanted: "after-reply", got: "off" },
    ]);
    expect(
      await degradedOf({
        policy: { longTerm: false, conversation: true, extract: { when: "scheduled" } },
        distiller: () => [],
      }),
    ).toMatchObject([{ field: "extract.when", got: "off" }]);
    expect(await degradedOf({ policy: { carryOver: true } })).toMatchObject([{ field: "carryOver", got: false }]);
    const env = { OPENAI_API_KEY: "k" };
    expect(
      await degradedOf({ env, policy: { summarize: { provider: "openai" }, extract: { when: "scheduled" } } }),
    ).toEqual([]);
  });
});
