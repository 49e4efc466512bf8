import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { sqliteStore } from "@throughline/store-sqlite";
import { describe, expect, it, onTestFinished } from "vitest";
import { chat, temporaryDirectory, turnOf } from "./support/fixtures.ts";

/** A store, and another program that holds its write lock. */
async function lockedStore(busyTimeoutMs: number) {
  const path = join(temporaryDirectory(), "memory.db");
  const store = sqliteStore({ path, busyTimeoutMs });
  await store.commitTurn(chat("c"), turnOf("before"));
  const other = new DatabaseSync(path);
  other.exec("BEGIN IMMEDIATE");
  onTestFinished(async () => {
    await store.close();
    other.close();
  });
  return { store, other };
}

describe("a database that another process writes to", () => {
  it("J7: a write waits without holding the event loop, and goes through", async () => {
    const { store, other } = await lockedStore(60_000);
    let isOver = false;
    const writing = store.commitTurn(chat("c"), turnOf("waiting")).finally(() => {
      isOver = true;
    });
    for (let tick = 0; tick < 20; tick++) await new Promise((resolve) => setTimeout(resolve, 1));
    expect(isOver).toBe(false);
    other.exec("COMMIT");
    expect((await writing).status).toBe("stored");
  });

  it("J7: readers don't wait for the writer", async () => {
    const { store } = await lockedStore(0);
    expect(await store.readTurns(chat("c"), { limit: 9 })).toHaveLength(1);
  });

  it("J5: past busyTimeoutMs the write ends with a code that says to retry, and nothing is written", async () => {
    const { store, other } = await lockedStore(5);
    const writing = store.commitTurn(chat("c"), turnOf("late"));
    await expect(writing).rejects.toMatchObject({ code: "STORE_BUSY", retryable: true });
    other.exec("ROLLBACK");
    expect(await store.readTurns(chat("c"), { limit: 9 })).toHaveLength(1);
  });

  it("E5: a signal ends the waiting, and nothing is written", async () => {
    const { store, other } = await lockedStore(60_000);
    const writing = store.commitTurn(chat("c"), turnOf("late"), { signal: AbortSignal.timeout(10) });
    await expect(writing).rejects.toMatchObject({ code: "ABORTED" });
    other.exec("ROLLBACK");
    expect(await store.readTurns(chat("c"), { limit: 9 })).toHaveLength(1);
  });

  it("E4: close waits for a write that waits", async () => {
    const { store, other } = await lockedStore(60_000);
    const writing = store.commitTurn(chat("c"), turnOf("waiting"));
    const closing = store.close();
    await new Promise((resolve) => setTimeout(resolve, 5));
    other.exec("COMMIT");
    expect((await writing).status).toBe("stored");
    await closing;
  });
});
