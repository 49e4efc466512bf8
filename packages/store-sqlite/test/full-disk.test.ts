import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { sqliteStore } from "@throughline/store-sqlite";
import { expect, it } from "vitest";
import { chat, temporaryDirectory, turnOf } from "./support/fixtures.ts";

it("J5: with no room left a turn is whole or absent, what was acknowledged stays, and writing goes on later", async () => {
  const path = join(temporaryDirectory(), "memory.db");
  let database: DatabaseSync | undefined;
  const driver = (file: string) => {
    database = new DatabaseSync(file);
    return database;
  };
  const store = sqliteStore({ path, driver });
  await store.commitTurn(chat("c"), turnOf("first"));
  database?.exec("PRAGMA max_page_count = 80");
  let acknowledged = 1;
  const fill = async () => {
    for (;;) {
      await store.commitTurn(chat("c"), turnOf(`t${acknowledged}`, "x".repeat(5000)));
      acknowledged += 1;
    }
  };
  await expect(fill()).rejects.toMatchObject({ code: "STORE_FULL", retryable: true });
  expect(acknowledged).toBeGreaterThan(5);
  const turns = await store.readTurns(chat("c"), { limit: 1000 });
  expect(turns).toHaveLength(acknowledged);
  expect(await store.readConversation(chat("c"))).toMatchObject({ turns: acknowledged, lastSeq: acknowledged });
  database?.exec("PRAGMA max_page_count = 4294967294");
  expect(await store.commitTurn(chat("c"), turnOf("later"))).toMatchObject({ seq: acknowledged + 1 });
  await store.close();
});
