import { afterEach, describe, expect, it, vi } from "vitest";
import { inMemoryStore, MemoryError, toDistillate } from "../../src/index.ts";
import { assistant, codeOf, testMemory, user } from "../support.ts";
import { distilling, scripted } from "./distillers.ts";

const city = (value: string, more: object = {}) => ({ topic: "City", value, quote: `I live in ${value}`, ...more });
const event = (id: string, text: string, subject = "ana") => ({
  id,
  subject,
  source: "mail",
  text,
  at: "2026-02-01T08:00:00Z",
});

describe("distillation", () => {
  afterEach(() => vi.useRealTimers());

  it("X3: off finds nothing; on it draws from what is new since the last time, and answers how much it found", async () => {
    const { distiller, inputs } = scripted({ Porto: [city("Porto")], Braga: [city("Braga")] });
    const off = testMemory({ distiller });
    await off.memory.conversation({ id: "c", subject: "ana" }).record({ messages: [user("I live in Porto.")] });
    expect(await off.memory.distill()).toEqual({ found: 0 });

    const { memory } = distilling(distiller);
    const chat = memory.conversation({ id: "c", subject: "ana" });
    await chat.record({ id: "t1", messages: [user("I live in Porto.")] });
    await memory.settled();
    expect(inputs).toEqual([]);
    expect(await memory.distill()).toEqual({ found: 1 });
    expect(await memory.distill()).toEqual({ found: 0 });
    await chat.record({ id: "t2", messages: [user("Now I live in Braga.")] });
    expect(await memory.distill()).toEqual({ found: 1 });
    expect(inputs.map(({ turns }) => turns.map(({ id }) => id))).toEqual([["t1"], ["t2"]]);
  });

  it("X3: there is a row for each topic of a person, and a new one supersedes the old", async () => {
    const { distiller } = scripted({ Porto: [city("Porto")], Braga: [{ ...city("Braga"), topic: "city" }] });
    const { memory } = distilling(distiller);
    for (const [subject, value] of [
      ["ana", "Porto"],
      ["ana", "Braga"],
      ["bo", "Porto"],
    ] as const) {
      await memory
        .conversation({ id: `${subject} ${value}`, subject })
        .record({ messages: [user(`I live in ${value}.`)] });
      await memory.distill();
    }
    expect((await memory.subject("ana").facts()).map(({ key, value }) => [key, value])).toEqual([["city", "Braga"]]);
    expect(await memory.subject("ana").facts({ history: true })).toHaveLength(2);
    expect((await memory.subject("bo").facts()).map(({ value }) => value)).toEqual(["Porto"]);
  });

  it("X3: only what is sure enough and has a topic and a content is kept", async () => {
    const quote = "I live in Porto";
    const { distiller } = scripted({
      Porto: [
        { topic: "a", value: "Porto", quote, confidence: 0.6 },
        { topic: "b", value: "live in Porto", quote, confidence: 0.59 },
        { topic: " ", value: "Porto", quote },
        { topic: "c", value: "  ", quote },
        { value: "in Porto", quote },
      ],
    });
    const { memory, events } = distilling(distiller);
    await memory.conversation({ id: "c", subject: "ana" }).record({ messages: [user(`${quote}.`)] });
    expect(await memory.distill()).toEqual({ found: 1 });
    expect((await memory.subject("ana").facts()).map(({ topic }) => topic)).toEqual(["a"]);
    expect(events.find(({ type }) => type === "memory.distilled")).toMatchObject({ candidates: 5, weak: 4 });
  });

  it.each([
    ["an invalid item", () => [city("Porto"), { topic: "x" }]],
    ["an item about somebody else", () => [city("Porto"), { ...city("Porto"), topic: "other", subject: "bo" }]],
    ["an answer that is no list", () => "facts"],
    [
      "a distiller that throws",
      () => {
        throw new Error("down");
      },
    ],
  ])("X3: %s writes nothing of the batch, and the next distillation gets it again", async (_, answer) => {
    let broken = true;
    const { distiller, inputs } = scripted(() => (broken ? answer() : [{ ...city("Porto"), confidence: 1 }]));
    const { memory } = distilling(distiller);
    await memory.conversation({ id: "c", subject: "ana" }).record({ id: "t1", messages: [user("I live in Porto.")] });
    expect(await memory.distill()).toEqual({ found: 0, failed: 1 });
    expect(await memory.subject("ana").facts({ history: true })).toEqual([]);
    expect((await memory.subject("ana").audit()).quarantined).toEqual([]);
    expect(await memory.operator.failures()).toMatchObject([
      { work: "distill", conversation: "c", code: "DISTILLER_FAILED" },
    ]);
    broken = false;
    expect(await memory.distill()).toEqual({ found: 1 });
    expect(inputs.map(({ turns }) => turns.map(({ id }) => id))).toEqual([["t1"], ["t1"]]);
    expect(await memory.operator.failures()).toEqual([]);
  });

  it("X3: a store that fails at any write of a pass leaves the batch whole or absent, and it comes once in the end", async () => {
    for (const method of ["commitFacts", "settleWork", "commitRecords"] as const) {
      const store = inMemoryStore();
      let fails = false;
      const faulty = {
        ...store,
        [method]: async (...args: never[]) => {
          if (fails) throw new MemoryError("STORE_CORRUPT", "broken");
          return (store[method] as (...given: never[]) => unknown)(...args);
        },
      };
      let answers = 0;
      const { distiller } = scripted(() => {
        answers += 1;
        return [
          { topic: "city", value: answers === 1 ? "Porto" : "lives in Porto", quote: "I live in Porto", confidence: 1 },
        ];
      });
      const { memory } = distilling(distiller, { store: faulty });
      await memory.conversation({ id: "c", subject: "ana" }).record({ messages: [user("I live in Porto.")] });
      fails = true;
      await memory.distill().catch(() => undefined);
      fails = false;
      await memory.distill();
      expect(await memory.subject("ana").facts({ history: true }), method).toHaveLength(1);
    }
  });

  it("X3: in a conversation of several people each one's turns are drawn from for that one", async () => {
    const { distiller, inputs } = scripted({ Porto: [city("Porto")], Braga: [city("Braga")] });
    const { memory } = distilling(distiller);
    await memory.conversation({ id: "c", subject: "ana" }).record({ messages: [user("I live in Porto.")] });
    await memory.conversation({ id: "c" }).rebindSubject("bo");
    await memory.conversation({ id: "c", subject: "bo" }).record({ messages: [user("I live in Braga.")] });
    await memory.operator.transfer({ conversation: "c", subject: "bo" });
    await memory.distill();
    expect(inputs.every(({ turns }) => new Set(turns.map(({ subject }) => subject)).size === 1)).toBe(true);
  });

  it("X9: an event is stored once by its id, and read by distillation", async () => {
    const { distiller, inputs } = scripted({
      Lisbon: [{ topic: "trip", value: "flight to Lisbon", quote: "Your flight to Lisbon" }],
    });
    const { memory } = distilling(distiller);
    const mail = event("m1", "Your flight to Lisbon is booked.");
    expect(await memory.ingest(mail)).toEqual({ status: "stored", id: "m1" });
    expect(await memory.ingest({ ...mail, text: "Another text." })).toEqual({ status: "unchanged", id: "m1" });
    expect(await memory.distill()).toEqual({ found: 1 });
    expect(await memory.distill()).toEqual({ found: 0 });
    expect(inputs.map(({ events }) => events.map(({ text }) => text))).toEqual([["Your flight to Lisbon is booked."]]);
    const [fact] = await memory.subject("ana").facts();
    expect(fact).toMatchObject({ origin: "document", author: "distiller", event: { id: "m1", source: "mail" } });
    expect(fact?.source).toBeUndefined();
    expect((await memory.subject("ana").audit()).events).toEqual([{ ...mail, at: "2026-02-01T08:00:00.000Z" }]);
  });

  it("X9: an event that is none is told, and what was ingested goes with the person", async () => {
    const { memory } = distilling(() => []);
    for (const wrong of [
      { ...event("m1", "x"), text: " " },
      { ...event("m1", "x"), at: "soon" },
      { ...event("m1", "x"), source: 4 },
    ]) {
      expect(await codeOf(() => memory.ingest(wrong as never))).toBe("INVALID_ARGUMENT");
    }
    expect(await codeOf(() => memory.ingest({ ...event("", "x") }))).toBe("INVALID_ID");
    expect(await memory.ingest(event("m1", "x".repeat(100_001)))).toMatchObject({
      status: "refused",
      code: "VALUE_TOO_LARGE",
    });
    await memory.ingest(event("m2", "hello"));
    const data = await memory.subject("ana").export();
    expect(data.records).toEqual([]);
    await memory.subject("ana").erase();
    expect((await memory.subject("ana").audit()).events).toEqual([]);
    const elsewhere = distilling(() => []).memory;
    await elsewhere.operator.import(data, { trusted: true });
    expect((await elsewhere.subject("ana").audit()).events.map(({ id }) => id)).toEqual(["m2"]);
  });

  it("X4: a distillate's JSON has its members, and leaves the empty ones out", async () => {
    const { distiller } = scripted({
      Porto: [city("Porto", { confidence: 0.75 })],
      flight: [{ topic: "trip", value: "the flight", quote: "the flight" }],
    });
    const { memory } = distilling(distiller);
    await memory.conversation({ id: "c", subject: "ana" }).record({ id: "t1", messages: [user("I live in Porto.")] });
    await memory.ingest(event("m1", "About the flight."));
    await memory.distill();
    const [one, two] = (await memory.subject("ana").facts()).sort((a, b) =>
      (a.topic ?? "").localeCompare(b.topic ?? ""),
    );
    expect(one && toDistillate(one, "ana")).toEqual({
      id: one?.id,
      person_id: "ana",
      topic: "City",
      content: "Porto",
      confidence: 0.75,
      source_kind: "turn",
      source_ref: "t1",
    });
    expect(two && toDistillate(two)).toMatchObject({ topic: "trip", source_kind: "mail", source_ref: "m1" });
    const bare = one && { ...one, topic: undefined, key: undefined, confidence: undefined, source: undefined };
    expect(Object.keys(toDistillate(bare as never))).toEqual(["id", "content"]);
  });

  it("X3: start() distils at every interval, at least a minute long, and nothing does without it", async () => {
    vi.useFakeTimers({ now: Date.parse("2026-03-01T09:00:00Z") });
    const { distiller, inputs } = scripted({});
    const idle = testMemory({
      distiller,
      policy: { extract: { when: "scheduled", interval: "1s" } },
      clock: () => new Date(),
    });
    expect((await idle.memory.manifest()).policy.extract.intervalMs).toBe(60_000);
    await idle.memory.conversation({ id: "c", subject: "ana" }).record({ messages: [user("Hello.")] });
    await vi.advanceTimersByTimeAsync(600_000);
    expect(inputs).toHaveLength(0);
    idle.memory.start();
    await vi.advanceTimersByTimeAsync(59_000);
    expect(inputs).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(2_000);
    // What distils is loaded on first use, from a disk that knows no fake time.
    await vi.dynamicImportSettled();
    await vi.advanceTimersByTimeAsync(0);
    expect(inputs).toHaveLength(1);
    await idle.memory.close();
  });

  it("E3: two processes at it at once draw from each turn once", async () => {
    const store = inMemoryStore();
    const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
    const { promise: told, resolve: tell } = Promise.withResolvers<void>();
    const slow = distilling(
      async () => {
        reach();
        await told;
        return [{ ...city("Porto"), confidence: 1 }];
      },
      { store },
    );
    const quick = scripted({ Porto: [city("Porto")] });
    const other = distilling(quick.distiller, { store });
    await slow.memory
      .conversation({ id: "c", subject: "ana" })
      .record({ messages: [user("I live in Porto."), assistant("I see.")] });
    const first = slow.memory.distill();
    const again = slow.memory.distill();
    await reached;
    expect(await other.memory.distill()).toEqual({ found: 0 });
    tell();
    expect(await first).toEqual({ found: 1 });
    expect(await again).toEqual({ found: 1 });
    expect(await other.memory.distill()).toEqual({ found: 0 });
    expect(quick.inputs).toEqual([]);
  });

  it("E5: a signal ends a distillation, and what it had not come to is found by the next", async () => {
    const ends = new AbortController();
    const { distiller } = scripted({ Porto: [city("Porto")] });
    const { memory } = distilling((input) => {
      ends.abort();
      return distiller(input);
    });
    await memory.conversation({ id: "c", subject: "ana" }).record({ messages: [user("I live in Porto.")] });
    expect(await codeOf(() => memory.distill({ signal: ends.signal }))).toBe("ABORTED");
    expect(await memory.subject("ana").facts()).toEqual([]);
    expect(await memory.distill()).toEqual({ found: 1 });
  });
});
