import { describe, expect, it } from "vitest";
import { type Distiller, type Embedder, inMemoryStore, modelDistiller } from "../../src/index.ts";
import { assistant, call, codeOf, result, testMemory, user } from "../support.ts";
import { distilling, extracting, scripted } from "./distillers.ts";

const city = (value: string) => ({ key: "city", value, quote: `I live in ${value}`, confidence: 0.9 });
const said = (words: string) => ({ messages: [user(words), assistant("I see.")] });

describe("facts that get lost, doubled or undone", () => {
  it("F12/X7: the same thing said in many conversations at once is one fact, not a duplicate for each", async () => {
    const store = inMemoryStore();
    let forms = 0;
    const { distiller } = scripted(() => [
      {
        topic: "food",
        value: forms++ % 2 ? "loves green figs" : "green fig: loved",
        quote: "I love green figs",
        confidence: 1,
      },
      { ...city("Porto"), confidence: 1 },
    ]);
    const memories = ["a", "b"].map((process) => extracting(distiller, { store, createId: ids(process) }).memory);
    const chats = Array.from({ length: 12 }, (_, n) => memories[n % 2]?.conversation({ id: `c${n}`, subject: "ana" }));
    await Promise.all(chats.map((chat) => chat?.record(said("I love green figs and I live in Porto."))));
    await Promise.all(memories.map((memory) => memory.settled()));
    await memories[0]?.sweep();
    const facts = await memories[0]?.subject("ana").facts({ history: true });
    expect(facts).toHaveLength(2);
    expect(facts?.find(({ key }) => key === "city")?.value).toBe("Porto");
    expect(["loves green figs", "green fig: loved"]).toContain(facts?.find(({ topic }) => topic === "food")?.value);
  });

  it("F12/X8: turns that end at once overwrite nothing of each other: each one's fact is there", async () => {
    const store = inMemoryStore();
    const names = ["Rex", "Mimi", "Birba", "Filou", "Lena", "Zoe"];
    const { distiller } = scripted(
      Object.fromEntries(
        names.map((name) => [name, [{ key: `pet_${name.toLowerCase()}`, value: name, quote: `called ${name}` }]]),
      ),
    );
    const memories = ["a", "b"].map((process) => extracting(distiller, { store, createId: ids(process) }).memory);
    await Promise.all(
      names.map((name, n) =>
        memories[n % 2]?.conversation({ id: name, subject: "ana" }).record(said(`One pet is called ${name}.`)),
      ),
    );
    await Promise.all(memories.map((memory) => memory.settled()));
    await memories[0]?.sweep();
    expect((await memories[0]?.subject("ana").facts())?.map(({ value }) => value).sort()).toEqual([...names].sort());
    expect(await memories[0]?.operator.failures()).toEqual([]);
  });

  it.each(["after-reply", "scheduled"] as const)(
    "X7/G12: %s, what was said before an edit and read after it does not undo the edit",
    async (when) => {
      let asleep = true;
      const script = scripted({ Porto: [city("Porto")] });
      const { memory, tick } = testMemory({
        policy: { extract: { when } },
        distiller: (input) => {
          if (asleep) throw new Error("down");
          return script.distiller(input);
        },
      });
      const chat = memory.conversation({ id: "c", subject: "ana" });
      await chat.record(said("I live in Porto."));
      await memory.settled();
      await memory.distill();
      tick(3_600_000);
      await memory.subject("ana").remember({ key: "city", value: "Braga" });
      asleep = false;
      await memory.sweep();
      await memory.distill();
      const facts = await memory.subject("ana").facts();
      expect(facts.map(({ value }) => value)).toEqual(["Braga"]);
      expect(facts[0]?.disputedBy).toBeUndefined();
      // What was said is not lost: it is history.
      const history = await memory.subject("ana").facts({ history: true });
      expect(history.map(({ value, supersededBy }) => [value, supersededBy]).sort()).toEqual([
        ["Braga", undefined],
        ["Porto", facts[0]?.id],
      ]);
      // What is said after the edit counts again.
      await chat.record(said("I live in Porto."));
      await memory.settled();
      await memory.distill();
      expect((await memory.subject("ana").facts()).map(({ value }) => value)).toEqual(["Porto"]);
    },
  );

  it("X7/G12: new facts beside others leave them valid: nothing is invalidated that nobody took back", async () => {
    const notes = [
      ["food", "loves mushroom soups", "I love mushroom soups"],
      ["food", "loves black tea", "I love black tea"],
      ["family", "sister Lena lives in Gent", "my sister Lena lives in Gent"],
      ["family", "brother Luca lives in Rome", "my brother Luca lives in Rome"],
      ["work", "works at the bakery", "I work at the bakery"],
      ["work", "works on Sundays", "I work on Sundays"],
    ] as const;
    const { distiller } = scripted(
      Object.fromEntries(notes.map(([topic, value, quote]) => [quote, [{ topic, value, quote }]])),
    );
    const { memory } = extracting(distiller);
    const chat = memory.conversation({ id: "c", subject: "ana" });
    for (const [, , quote] of notes) await chat.record(said(`By the way, ${quote}.`));
    await memory.settled();
    const facts = await memory.subject("ana").facts({ history: true });
    expect(facts.map(({ value }) => value).sort()).toEqual(notes.map(([, value]) => value).sort());
    expect(facts.filter(({ validTo, disputedWith, disputedBy }) => validTo ?? disputedWith ?? disputedBy)).toEqual([]);
  });

  it("X8/S6: an embedder of other dimensions or none that answers loses no fact", async () => {
    const store = inMemoryStore();
    const { distiller } = scripted({
      Porto: [city("Porto")],
      Rex: [{ key: "dog", value: "Rex", quote: "called Rex" }],
    });
    const embedder = (dimensions: number, answered = dimensions): Embedder => ({
      modelId: `m@${dimensions}`,
      dimensions,
      embed: async (texts) => texts.map(() => new Float32Array(answered).fill(1)),
    });
    const before = extracting(distiller, { store, embedder: embedder(4), createId: ids("a") });
    await before.memory.conversation({ id: "c", subject: "ana" }).record(said("I live in Porto."));
    await before.memory.settled();
    const after = extracting(distiller, { store, embedder: embedder(8, 4), createId: ids("b") });
    await after.memory.conversation({ id: "c", subject: "ana" }).record(said("My dog is called Rex."));
    await after.memory.settled();
    expect((await after.memory.subject("ana").facts()).map(({ key, value }) => [key, value]).sort()).toEqual([
      ["city", "Porto"],
      ["dog", "Rex"],
    ]);
    expect(await codeOf(() => after.memory.reindex())).toBe("EMBEDDER_FAILED");
  });

  it.each([
    ["after-reply", ["Braga", "Porto"]],
    ["scheduled", ["Porto"]],
  ] as const)("X8/X3: %s, an answer that is cut off wipes nothing that was known", async (when, expected) => {
    const whole = JSON.stringify({ facts: [{ ...city("Porto"), topic: "home" }] });
    const cut =
      '{"facts": [{"key":"second_home","topic":"homes","value":"Braga","quote":"I live in Braga","confidence":1},{"key":"city","topic":"home","value":"","quote":"I li';
    const distiller = modelDistiller(({ text }) => Promise.resolve(text.includes("Braga") ? cut : whole));
    const { memory } = testMemory({ distiller, policy: { extract: { when } } });
    const chat = memory.conversation({ id: "c", subject: "ana" });
    await chat.record(said("I live in Porto."));
    await memory.settled();
    await memory.distill();
    await chat.record(said("I live in Braga too."));
    await memory.settled();
    await memory.distill();
    expect((await memory.subject("ana").facts()).map(({ value }) => value).sort()).toEqual(expected);
    expect(await memory.operator.failures()).toHaveLength(when === "scheduled" ? 1 : 0);
  });

  it("X8/W5: a distiller that takes for ever holds no reply up, and what it was given is drawn from in the end", async () => {
    const { promise: told, resolve: tell } = Promise.withResolvers<void>();
    const script = scripted({ Porto: [city("Porto")], Rex: [{ key: "dog", value: "Rex", quote: "called Rex" }] });
    const slow: Distiller = async (input) => {
      await told;
      return script.distiller(input);
    };
    const { memory } = extracting(slow);
    const chat = memory.conversation({ id: "c", subject: "ana" });
    const first = await chat.begin({ messages: [user("I live in Porto.")] });
    expect((await first.complete([assistant("I see.")])).status).toBe("stored");
    const work = memory.settled();
    const second = await chat.begin({ messages: [user("My dog is called Rex.")] });
    expect((await second.complete([assistant("I see.")])).status).toBe("stored");
    expect(await memory.subject("ana").facts()).toEqual([]);
    tell();
    await work;
    await memory.settled();
    expect((await memory.subject("ana").facts()).map(({ value }) => value).sort()).toEqual(["Porto", "Rex"]);
  });

  it("X3/X8: of two batches the one that fails is told, counted as not done and drawn from later; none says it is complete", async () => {
    let broken = true;
    const script = scripted({
      Porto: [{ ...city("Porto"), topic: "home" }],
      Rome: [{ ...city("Rome"), topic: "home" }],
    });
    const { memory } = distilling((input) => {
      if (broken && JSON.stringify(input.turns).includes("Rome")) throw new Error("down");
      return script.distiller(input);
    });
    await memory.conversation({ id: "a", subject: "ana" }).record(said("I live in Porto."));
    await memory.conversation({ id: "b", subject: "bo" }).record(said("I live in Rome."));
    expect(await memory.distill()).toEqual({ found: 1, failed: 1 });
    const of = async (who: string) => (await memory.subject(who).facts()).map(({ value }) => value);
    expect([await of("ana"), await of("bo")]).toEqual([["Porto"], []]);
    broken = false;
    expect(await memory.distill()).toEqual({ found: 1 });
    expect([await of("ana"), await of("bo")]).toEqual([["Porto"], ["Rome"]]);
  });

  it("X2/X3: no batch parts a tool call from its result, nor leaves a turn out: all their facts are there", async () => {
    const { distiller, inputs } = scripted(({ turns }) =>
      turns.map(({ id }) => ({
        topic: id,
        value: `plant ${id}`,
        quote: `I grow plant ${id}`,
        turn: id,
        confidence: 1,
      })),
    );
    const { memory } = distilling(distiller);
    const chat = memory.conversation({ id: "c", subject: "ana" });
    const ids = Array.from({ length: 50 }, (_, n) => `p${n}`);
    for (const id of ids) {
      const messages = [
        user(`I grow plant ${id}. ${"word ".repeat(600)}`),
        { role: "assistant" as const, parts: [call(id)] },
        { role: "tool" as const, parts: [result(id)] },
        assistant("I see."),
      ];
      await chat.record({ id, messages });
    }
    const before = await chat.history({ maxMessages: 1_000 });
    expect(await memory.distill()).toEqual({ found: ids.length });
    expect(inputs.length).toBeGreaterThan(2);
    const given = inputs.flatMap(({ turns }) => turns);
    expect(given.map(({ id }) => id)).toEqual(ids);
    expect(new Set(given.map(({ messages }) => messages.map(({ role }) => role).join(" ")))).toEqual(
      new Set(["user assistant tool assistant"]),
    );
    const facts = await memory.subject("ana").facts();
    expect(facts.map(({ value }) => value).sort()).toEqual(ids.map((id) => `plant ${id}`).sort());
    expect(await chat.history({ maxMessages: 1_000 })).toEqual(before);
  });
});

function ids(process: string): () => string {
  let id = 0;
  return () => `${process}-${String(++id).padStart(4, "0")}`;
}
