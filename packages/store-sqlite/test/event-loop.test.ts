import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { DatabaseSync } from "node:sqlite";
import { createMemory, type MemoryStore, type TurnChange } from "@throughline/core";
import { type SqliteConnection, type SqliteStatement, sqliteStore } from "@throughline/store-sqlite";
import { describe, expect, it } from "vitest";
import { AGENT, at, chat, temporaryDirectory, turnOf } from "./support/fixtures.ts";

/** Ten times what is aimed at, and more: the machine of a test run does other things besides. */
const HELD_MS = 150;
/** What holds the loop holds it each time; a busy machine doesn't. */
const OFTEN = { timeout: 60_000, retry: 2 } as const;
const TURNS = 600;

/** Longest time, in milliseconds, that nothing else got its turn while `work` ran. */
async function longestHold(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = performance.now();
  let runs = true;
  const tick = (): void => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (runs) setImmediate(tick);
  };
  setImmediate(tick);
  await work();
  runs = false;
  await new Promise((resolve) => setImmediate(resolve));
  return longest;
}

const wordsOf = (turn: number): string[] =>
  Array.from({ length: 40 }, (_, word) => `w${(turn * 31 + word * word * 7) % 4000}`);

/** A conversation of indexed turns of many words. */
async function filledStore(): Promise<MemoryStore> {
  const store = sqliteStore({ path: join(temporaryDirectory(), "memory.db") });
  const numbers = Array.from({ length: TURNS }, (_, number) => number);
  for (const number of numbers) {
    await store.commitTurn(chat("c"), turnOf(`t${number}`, wordsOf(number).join(" "), { subject: "ann" }));
  }
  const documents = numbers.map((number) => {
    const terms = wordsOf(number).map((word) => [word, 1] as const);
    const place = {
      turn: `t${number}`,
      seq: number + 1,
      position: 0,
      place: 0,
      message: `t${number}-q`,
      role: "user" as const,
    };
    return { ...place, createdAt: at(1), group: "said" as const, length: 40, terms };
  });
  const index = () => store.keyword?.index(chat("c"), { after: 0, through: TURNS, documents }) ?? Promise.resolve();
  expect(await longestHold(index)).toBeLessThan(HELD_MS);
  return store;
}

const changes = (from: number, change: (turn: string) => TurnChange): TurnChange[] =>
  Array.from({ length: 64 }, (_, index) => change(`t${from + index}`));
const found = async (store: MemoryStore, subject = "ann") =>
  (await store.keyword?.postings(AGENT, { kind: "subject", subject }, { terms: [], groups: ["said"] }))?.documents;

describe("the event loop", () => {
  it("J7: is free between the pieces of a change of many indexed turns", OFTEN, async () => {
    const store = await filledStore();
    const { messages } = turnOf("x", "short").turn;
    const all: [change: (turn: string) => TurnChange, from: number, ann: number][] = [
      [(turn) => ({ turn, action: "hide" }), 0, TURNS - 64],
      [(turn) => ({ turn, action: "show" }), 0, TURNS],
      [(turn) => ({ turn, action: "restamp", subject: "bob" }), 0, TURNS - 64],
      [(turn) => ({ turn, action: "rewrite", messages, counted: 2, tokens: 1 }), 100, TURNS - 128],
      [(turn) => ({ turn, action: "erase" }), 200, TURNS - 192],
    ];
    for (const [change, from, ann] of all) {
      expect(await longestHold(() => store.changeTurns(chat("c"), changes(from, change)))).toBeLessThan(HELD_MS);
      expect(await found(store)).toBe(ann);
    }
    expect(await found(store, "bob")).toBe(64);
    expect(
      await longestHold(() => store.erase(AGENT, { kind: "subject", subject: "ann" }, { now: at(5) })),
    ).toBeLessThan(HELD_MS);
    await store.close();
  });

  it("J7: comes round in a loop of awaited calls", async () => {
    const store = sqliteStore({ path: ":memory:" });
    await store.commitTurn(chat("c"), turnOf("t"));
    let ticks = 0;
    let counter = setImmediate(function count() {
      ticks += 1;
      counter = setImmediate(count);
    });
    const until = performance.now() + 100;
    while (performance.now() < until) await store.readConversation(chat("c"));
    clearImmediate(counter);
    expect(ticks).toBeGreaterThanOrEqual(3);
    await store.close();
  });

  it("J7: is free while a conversation is copied, indexed and deleted", OFTEN, async () => {
    const store = sqliteStore({ path: join(temporaryDirectory(), "memory.db") });
    const memory = createMemory({ agent: "helper", env: {}, store, onEvent: () => {} });
    const conversation = memory.conversation({ id: "c", subject: "ana" });
    for (let turn = 0; turn < TURNS; turn++) {
      await conversation.record({ messages: [{ role: "user", content: wordsOf(turn).join(" ") }] });
    }
    await memory.settled();
    expect(await longestHold(() => conversation.clone("copy"))).toBeLessThan(HELD_MS);
    expect(await longestHold(() => memory.settled())).toBeLessThan(HELD_MS);
    expect(await longestHold(() => conversation.delete())).toBeLessThan(HELD_MS);
    await memory.close();
  });

  it("J7: is free while a message of megabytes is taken apart for the index", OFTEN, async () => {
    const memory = createMemory({ agent: "helper", env: {}, store: sqliteStore({ path: ":memory:" }) });
    const conversation = memory.conversation({ id: "c", subject: "ana" });
    const words = Array.from({ length: 400_000 }, (_, word) => `w${((word * 7919) % 400_009).toString(36)}`);
    await conversation.record({ messages: [{ role: "user", content: words.join(" ") }] });
    expect(await longestHold(() => memory.settled())).toBeLessThan(HELD_MS);
    expect((await conversation.search(words.at(-1) ?? "")).hits).toHaveLength(1);
    await memory.close();
  });

  it("J7: a search reads a long message once, however many of its pieces it finds", async () => {
    let characters = 0;
    const driver = (path: string): SqliteConnection => {
      const database = new DatabaseSync(path);
      const prepare = (sql: string): SqliteStatement => {
        const statement = database.prepare(sql);
        const all: SqliteStatement["all"] = (...parameters) => {
          const rows = statement.all(...parameters);
          for (const value of rows.flatMap((row) => Object.values(row))) {
            if (typeof value === "string") characters += value.length;
          }
          return rows;
        };
        return {
          run: (...parameters) => statement.run(...parameters),
          all,
          setReturnArrays: (on) => statement.setReturnArrays(on),
        };
      };
      return { prepare, exec: (sql) => database.exec(sql), close: () => database.close() };
    };
    const store = sqliteStore({ path: ":memory:", driver });
    const memory = createMemory({ agent: "helper", env: {}, store, keywordFloor: 0 });
    const conversation = memory.conversation({ id: "c", subject: "ana" });
    const text = Array.from({ length: 4_000 }, (_, number) => `We saw the lighthouse on day ${number}.`).join(" ");
    await conversation.record({ messages: [{ role: "user", content: text }] });
    await memory.settled();
    characters = 0;
    expect((await memory.subject("ana").search("Which lighthouse did we see?")).hits).toHaveLength(1);
    expect(characters).toBeGreaterThan(text.length);
    expect(characters).toBeLessThan(2 * text.length);
    await memory.close();
  });
});
