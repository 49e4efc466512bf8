import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { KeywordDocument, MemoryStore } from "@throughline/core";
import { sqliteStore } from "@throughline/store-sqlite";
import { describe, expect, it } from "vitest";
import { AGENT, at, chat, temporaryDirectory, turnOf } from "./support/fixtures.ts";

const NEWER = 999;

async function filled(): Promise<{ path: string; store: MemoryStore }> {
  const path = join(temporaryDirectory(), "memory.db");
  const store = sqliteStore({ path });
  await store.commitTurn(chat("c"), turnOf("t1", "first", { subject: "ann" }));
  return { path, store };
}

/** As a newer version does it, in a process of its own: another connection. */
function migrate(path: string): void {
  const other = new DatabaseSync(path);
  other.exec(`BEGIN IMMEDIATE; CREATE TABLE later (ref INTEGER PRIMARY KEY); PRAGMA user_version = ${NEWER}; COMMIT`);
  other.close();
}

/** Every turn's number, as it stands in the file. */
function turnsIn(path: string): number {
  const other = new DatabaseSync(path, { readOnly: true });
  const row = other.prepare("SELECT count(*) AS turns FROM turn").get();
  other.close();
  return Number(row?.turns);
}

const REFUSED = { code: "STORE_NEWER", retryable: false, details: { found: NEWER } };

describe("a file that a newer version migrates while it is open", () => {
  it("J2/A3: is written no more: what is erased might stand where this version doesn't look", async () => {
    const { path, store } = await filled();
    migrate(path);
    const { vectors, keyword, checkpoints } = store;
    const writes: (() => Promise<unknown> | undefined)[] = [
      () => store.commitTurn(chat("c"), turnOf("t2", "second", { subject: "ann" })),
      () => store.changeTurns(chat("c"), [{ turn: "t1", action: "erase" }]),
      () => store.erase(AGENT, { kind: "subject", subject: "ann" }, { now: at(3) }),
      () => store.purgeExpired(AGENT, { now: at(3), operationsBefore: at(0), limit: 10 }),
      () => store.reopenWork(AGENT),
      () => keyword?.index(chat("c"), { after: 0, through: 1, documents: [] }),
      () => vectors?.put(chat("c"), { model: { modelId: "m", dimensions: 1 }, documents: [] }),
      () => checkpoints?.remove(chat("c")),
    ];
    for (const write of writes) await expect(write()).rejects.toMatchObject(REFUSED);
    expect(turnsIn(path)).toBe(1);
    await store.close();
  });

  it("J2: is read no more: some of what it holds might not be found", async () => {
    const { path, store } = await filled();
    const reader = sqliteStore({ path, readOnly: true });
    expect(await reader.readTurns(chat("c"), { limit: 9 })).toHaveLength(1);
    migrate(path);
    for (const one of [store, reader]) {
      await expect(one.readTurns(chat("c"), { limit: 9 })).rejects.toMatchObject(REFUSED);
      await expect(one.readConversation(chat("c"))).rejects.toMatchObject(REFUSED);
      const scope = { kind: "subject", subject: "ann" } as const;
      await expect(one.keyword?.postings(AGENT, scope, { terms: ["first"], groups: ["said"] })).rejects.toMatchObject(
        REFUSED,
      );
      await one.close();
    }
  });

  it("J2/J7: is left alone from the next piece on where a call works in pieces", async () => {
    const { path, store } = await filled();
    const documents: KeywordDocument[] = [
      {
        turn: "t1",
        seq: 1,
        position: 0,
        place: 1024,
        message: "t1-q",
        role: "user",
        createdAt: at(1),
        group: "said",
        length: 20_000,
        terms: Array.from({ length: 20_000 }, (_, index) => [`w${index}`, 1] as const),
      },
    ];
    const indexing = store.keyword?.index(chat("c"), { after: 0, through: 1, documents });
    // Its first piece is done by now; the others wait for the event loop.
    migrate(path);
    await expect(indexing).rejects.toMatchObject(REFUSED);
    const other = new DatabaseSync(path, { readOnly: true });
    expect(other.prepare("SELECT indexed_seq AS seq FROM conversation").get()).toEqual({ seq: 0 });
    other.close();
    await store.close();
  });
});
