import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { sqliteStore } from "@throughline/store-sqlite";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AGENT, at, chat, rawBytes, temporaryDirectory, turnOf } from "./support/fixtures.ts";
import { directions, exactly, MODEL, near, sayAll } from "./support/vectors.ts";

/** Cached whole, a part of it, and not at all. */
const BUDGETS = [undefined, 80_000, 0];

describe("vectors in a file", () => {
  it.each(BUDGETS)(
    "Z7: the nearest are those of comparing all floats, in their order, with a budget of %s",
    async (bytes) => {
      const path = join(temporaryDirectory(), "memory.db");
      const store = sqliteStore({ path, ...(bytes === undefined ? {} : { vectorCacheBytes: bytes }) });
      const vectors = directions(700);
      const said = [
        await sayAll(store, chat("a"), "ann", vectors.slice(0, 300)),
        await sayAll(store, chat("b"), "ann", vectors.slice(300)),
      ];
      await sayAll(store, chat("c"), "bob", vectors.slice(0, 50));
      const queries = [...directions(6, 9), ...vectors.slice(0, 3)];
      for (const vector of queries) {
        for (const limit of [1, 10, 150, 2_000]) {
          expect(await near(store, "ann", vector, { limit })).toEqual(exactly(said, vector, limit));
        }
        expect(await near(store, "ann", vector, { floor: 0.9 })).toEqual(exactly(said, vector, 10, 0.9));
      }
      await store.close();
    },
  );

  it.each([120_000, undefined])(
    "Z7/J1: whatever happened to turns by whichever handle, each search is as exact as the first, with a budget of %s",
    async (vectorCacheBytes) => {
      const path = join(temporaryDirectory(), "memory.db");
      const store = sqliteStore({ path, ...(vectorCacheBytes === undefined ? {} : { vectorCacheBytes }) });
      const other = sqliteStore({ path });
      const vectors = directions(420, 3);
      const first = await sayAll(store, chat("a"), "ann", vectors.slice(0, 400));
      const query = vectors[9] ?? expect.fail();
      await near(store, "ann", query);
      const change = fc.record({
        action: fc.constantFrom("hide", "show", "erase", "restamp", "drop", "put"),
        turn: fc.integer({ min: 1, max: 400 }),
        handle: fc.constantFrom(store, other),
      });
      const hidden = new Set<string>();
      const bobs = { owner: chat("a"), subject: "bob", documents: [...first.documents].slice(0, 0) };
      await fc.assert(
        fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 12 }), async (changes) => {
          for (const { action, turn: number, handle } of changes) {
            const turn = `t${number}`;
            const holder = [first, bobs].find(({ documents }) => documents.some((document) => document.turn === turn));
            const document = holder?.documents.find((candidate) => candidate.turn === turn);
            if (holder === undefined || document === undefined) continue;
            const without = () => {
              holder.documents = holder.documents.filter((candidate) => candidate !== document);
            };
            if (action === "put") {
              const vector = directions(1, number + 77)[0] ?? expect.fail();
              const documents = [{ ...document, vector }];
              await handle.vectors?.put(chat("a"), { model: MODEL, documents });
              without();
              holder.documents.push(...documents);
            } else if (action === "drop") {
              expect(await handle.vectors?.drop(chat("a"), { turns: [turn] })).toBe(1);
              without();
            } else if (action === "restamp") {
              await handle.changeTurns(chat("a"), [{ turn, action, subject: "bob" }]);
              without();
              bobs.documents.push(document);
            } else {
              await handle.changeTurns(chat("a"), [{ turn, action }]);
              if (action === "erase") without();
              if (action === "hide") hidden.add(turn);
              if (action === "show") hidden.delete(turn);
            }
          }
          for (const said of [first, bobs]) {
            const shown = { ...said, documents: said.documents.filter(({ turn }) => !hidden.has(turn)) };
            const found = await near(store, said.subject, query, { limit: 12 });
            expect(found).toEqual(exactly([shown], query, 12));
          }
        }),
        { numRuns: 25 },
      );
      await store.close();
      await other.close();
      const reopened = sqliteStore({ path });
      const shown = { ...first, documents: first.documents.filter(({ turn }) => !hidden.has(turn)) };
      expect(await near(reopened, "ann", query, { limit: 50 })).toEqual(exactly([shown], query, 50));
      await reopened.close();
    },
  );

  it("Z7: searches at once, over more subjects than the budget holds, disturb each other in nothing", async () => {
    const path = join(temporaryDirectory(), "memory.db");
    const store = sqliteStore({ path, vectorCacheBytes: 100_000 });
    const subjects = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        sayAll(store, chat(`c${index}`), `s${index}`, directions(150 + 40 * index, index + 1)),
      ),
    );
    for (let round = 0; round < 4; round++) {
      const [vector = expect.fail()] = directions(1, round + 50);
      const found = await Promise.all(
        [...subjects, ...subjects].map(({ subject }) => near(store, subject, vector, { limit: 25 })),
      );
      expect(found).toEqual([...subjects, ...subjects].map((said) => exactly([said], vector, 25)));
    }
    await store.close();
  });

  it("J1/E3: one handle finds what another added, and nothing of what it took away", async () => {
    const path = join(temporaryDirectory(), "memory.db");
    const [reader, writer] = [sqliteStore({ path }), sqliteStore({ path })];
    const vectors = directions(300, 5);
    const said = await sayAll(writer, chat("a"), "ann", vectors.slice(0, 200));
    const query = vectors[20] ?? expect.fail();
    expect(await near(reader, "ann", query)).toEqual(exactly([said], query, 10));
    const more = await sayAll(writer, chat("b"), "ann", vectors.slice(200));
    expect(await near(reader, "ann", query, { limit: 40 })).toEqual(exactly([said, more], query, 40));
    await writer.erase(AGENT, { kind: "conversation", conversation: "a" }, { now: at(9) });
    expect(await near(reader, "ann", query, { limit: 40 })).toEqual(exactly([more], query, 40));
    await writer.erase(AGENT, { kind: "subject", subject: "ann" }, { now: at(9) });
    expect(await near(reader, "ann", query)).toEqual([]);
    await reader.close();
    await writer.close();
  });

  it("A3/PR7: of erased vectors neither floats nor 8-bit numbers nor ids are left in the bytes", async () => {
    const directory = temporaryDirectory();
    const path = join(directory, "memory.db");
    const store = sqliteStore({ path });
    const vectors = directions(300, 8);
    await sayAll(store, chat("a"), "ann", vectors);
    const database = new DatabaseSync(path, { readOnly: true });
    const [run] = database.prepare("SELECT h.data FROM vector_run r JOIN heap h ON h.ref = r.body").all();
    database.close();
    // Rows of 16-byte multiples at the end: of 24 dimensions 32 bytes each.
    const data = run?.data instanceof Uint8Array ? Buffer.from(run.data) : expect.fail("There is no run.");
    const codes = (index: number) => data.subarray(data.length - 128 * 32 + index * 32).toString("latin1", 0, 24);
    const floats = (index: number) => Buffer.from(vectors[index]?.buffer ?? new ArrayBuffer(0)).toString("latin1");
    const count = (text: string) => rawBytes(directory).split(text).length - 1;
    for (const index of [4, 100]) {
      expect(count(codes(index))).toBeGreaterThan(0);
      expect(count(floats(index))).toBeGreaterThan(0);
    }
    const planted = [codes(4), floats(4)];
    await store.changeTurns(chat("a"), [{ turn: "t5", action: "erase" }]);
    for (const text of [...planted, "t5-q"]) expect(count(text)).toBe(0);
    const others = [codes(100), floats(100), floats(290)];
    for (const text of others) expect(count(text)).toBeGreaterThan(0);
    expect(await store.vectors?.drop(chat("a"), { messages: ["t101-q"] })).toBe(1);
    for (const text of [codes(100), floats(100)]) expect(count(text)).toBe(0);
    const rest = [codes(60), floats(60), floats(290)];
    await store.erase(AGENT, { kind: "subject", subject: "ann" }, { now: at(9) });
    for (const text of rest) expect(count(text)).toBe(0);
    await store.close();
  });

  it("J5/E3: with no room left no vector is half there, and what follows finds all that was acknowledged", async () => {
    const path = join(temporaryDirectory(), "memory.db");
    let database: DatabaseSync | undefined;
    const driver = (file: string) => {
      database = new DatabaseSync(file);
      return database;
    };
    const store = sqliteStore({ path, driver });
    const vectors = directions(600, 4);
    const said = await sayAll(store, chat("a"), "ann", vectors.slice(0, 100));
    for (const number of vectors.keys())
      await store.commitTurn(chat("b"), turnOf(`u${number}`, "x", { subject: "ann" }));
    const documents = vectors.map((vector, index) => ({
      turn: `u${index}`,
      seq: index + 1,
      position: 0,
      message: `u${index}-q`,
      role: "user" as const,
      createdAt: at(1),
      vector,
    }));
    database?.exec(`PRAGMA max_page_count = ${Number(database.prepare("PRAGMA page_count").get()?.page_count) + 8}`);
    await expect(store.vectors?.put(chat("b"), { model: MODEL, documents })).rejects.toMatchObject({
      code: "STORE_FULL",
    });
    const query = vectors[3] ?? expect.fail();
    const found = await near(store, "ann", query, { limit: 1_000 });
    const kept = { owner: chat("b"), subject: "ann", documents: documents.slice(0, found.length - 100) };
    expect(found).toEqual(exactly([said, kept], query, 1_000));
    database?.exec("PRAGMA max_page_count = 4294967294");
    expect(await store.vectors?.put(chat("b"), { model: MODEL, documents })).toBe(600);
    expect(await near(store, "ann", query, { limit: 30 })).toEqual(exactly([said, { ...kept, documents }], query, 30));
    await store.close();
  });

  it("Z7: the manifest says how vectors are compared", async () => {
    const store = sqliteStore({ path: ":memory:" });
    expect(await store.vectors?.describe()).toBe("exact, wasm");
    await store.close();
  });
});
