import { DatabaseSync } from "node:sqlite";
import type { SqliteConnection, SqliteStatement } from "@throughline/store-sqlite";
import { sqliteStore } from "@throughline/store-sqlite";
import { describe, expect, it } from "vitest";
import { AGENT, at, chat, turnOf } from "./support/fixtures.ts";

/** What is left of a handle that has only what every driver has. */
function plainHandle(database: DatabaseSync, more: (statement: SqliteStatement) => Partial<SqliteStatement>) {
  const connection: SqliteConnection = {
    prepare: (sql) => {
      const statement = database.prepare(sql);
      return {
        run: (...parameters) => statement.run(...parameters),
        all: (...parameters) => statement.all(...parameters),
        ...more(statement),
      };
    },
    exec: (sql) => database.exec(sql),
    close: () => database.close(),
  };
  return connection;
}

describe("drivers", () => {
  it.each([
    ["rows as objects", () => ({})],
    [
      "rows as arrays by raw(), as better-sqlite3 gives them",
      (statement: SqliteStatement) => {
        let isRaw = false;
        const all: SqliteStatement["all"] = (...parameters) =>
          statement.all(...parameters).map((row) => (isRaw ? Object.values(Object(row)) : row));
        return { all, raw: (on: boolean) => (isRaw = on) };
      },
    ],
  ])("J6: a driver behind the small handle works alike: %s", async (_, more) => {
    const store = sqliteStore({
      path: ":memory:",
      driver: async (path) => plainHandle(new DatabaseSync(path), more),
    });
    await store.commitTurn(chat("c"), turnOf("t", "text", { subject: "ann" }));
    const window = { afterSummary: false, maxMessages: 9, maxTokens: 99 };
    const context = await store.readContext(chat("c"), { now: at(9), window, facts: { limit: 9 } });
    expect(context.turns).toMatchObject([{ id: "t", seq: 1, subject: "ann" }]);
    expect(context.conversation).toMatchObject({ id: "c", subject: "ann", turns: 1, messages: 2 });
    const receipt = await store.erase(AGENT, { kind: "subject", subject: "ann" }, { now: at(9) });
    expect(receipt.removed).toMatchObject({ turns: 1 });
    await store.close();
  });

  it("J5: a driver that can't be loaded is told as a failure of the store", async () => {
    const store = sqliteStore({ path: ":memory:", driver: () => Promise.reject(new Error("not installed")) });
    await expect(store.readConversation(chat("c"))).rejects.toMatchObject({ code: "STORE_FAILED" });
    await store.close();
  });
});
