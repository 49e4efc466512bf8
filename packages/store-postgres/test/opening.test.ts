import { MemoryError } from "@throughline/core";
import { fromUrl, migrate, type PostgresClient, postgresStore } from "@throughline/store-postgres";
import pg from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import { Database } from "../src/database.ts";
import { poolClient } from "../src/pg-client.ts";
import { at, chat, temporarySchema, turnOf } from "./support/fixtures.ts";
import { serverUrl } from "./support/server.ts";

const WINDOW = { now: at(1), window: { afterSummary: false, maxMessages: 9, maxTokens: 999 }, facts: null } as const;

/** A client that tells what was asked of it. */
function listening(): { client: PostgresClient; asked: string[] } {
  const pool = new pg.Pool({ connectionString: serverUrl ?? "", max: 4 });
  onTestFinished(() => pool.end());
  const { query, transaction } = poolClient(pool);
  const asked: string[] = [];
  return {
    client: {
      query: async (sql, parameters, name) => {
        asked.push(sql);
        return query(sql, parameters, name);
      },
      transaction,
    },
    asked,
  };
}

describe.skipIf(serverUrl === null)("opening", () => {
  it("J8: how vectors are kept is known where they are first asked for, also while the schema is made", async () => {
    const { schema } = await temporarySchema();
    const { client } = listening();
    const store = postgresStore({ client, schema });
    const early = store.vectors?.describe();
    await store.readContext(chat("c"), WINDOW);
    expect(await early).toBe(await store.vectors?.describe());
    await store.close();
  });

  it("E4/J5: closing waits for a schema that is brought up to date, and then it isn't any more", async () => {
    const { schema } = await temporarySchema();
    const pool = new pg.Pool({ connectionString: serverUrl ?? "", max: 2 });
    const client = poolClient(pool);
    const options = { schema, rowLevelSecurity: false, migrate: true, prepare: true };
    const database = new Database({ ...client, close: () => pool.end() }, options);
    let isDone = false;
    const again = database.migrateAgain().then(() => {
      isDone = true;
    });
    await database.close();
    expect(isDone).toBe(true);
    await again;
    await expect(database.migrateAgain()).rejects.toMatchObject({ code: "STORE_CLOSED" });
  });

  it("J5/J12: nothing is read of a schema of a newer version, and nothing is written to it", async () => {
    const { schema, admin } = await temporarySchema();
    await migrate({ connectionString: serverUrl ?? "", schema });
    await admin.query(`INSERT INTO "${schema}".migration VALUES (99, 'later', '')`);
    const { client, asked } = listening();
    const store = postgresStore({ client, schema });
    const calls = [() => store.readContext(chat("c"), WINDOW), () => store.commitTurn(chat("c"), turnOf("t"))];
    for (const call of calls) {
      const error = await call().catch((reason: unknown) => reason);
      expect(MemoryError.isInstance(error) && error.code).toBe("STORE_NEWER");
    }
    expect(asked.filter((sql) => /begin_turn|commit_turn/.test(sql))).toEqual([]);
    await store.close();
  });

  it("J5: a first read of a schema that isn't there yet makes it, and reads then", async () => {
    const { schema } = await temporarySchema();
    const { client } = listening();
    const store = postgresStore({ client, schema });
    expect((await store.readContext(chat("c"), WINDOW)).turns).toEqual([]);
    await store.close();
  });

  it("T9: of a URL the schema is the store's and all else the driver's", async () => {
    const { schema, admin } = await temporarySchema();
    const url = new URL(serverUrl ?? "");
    url.search = `?application_name=from%20url&throughline.schema=${schema}&options=-c%20statement_timeout%3D7s`;
    const store = fromUrl(url.href);
    await store.commitTurn(chat("c"), turnOf("t"));
    const { rows } = await admin.query(`SELECT conversation FROM "${schema}".turn`);
    expect(rows).toHaveLength(1);
    const seen = await admin.query("SELECT 1 FROM pg_stat_activity WHERE application_name = 'from url'");
    expect(seen.rows).toHaveLength(1);
    url.search = "?throughline.schema=nowhere&throughline.migrate=false";
    const unmade = fromUrl(url.href);
    await expect(unmade.readConversation(chat("c"))).rejects.toMatchObject({ code: "STORE_FAILED" });
    await unmade.close();
    await store.close();
  });

  it("J5: a server without TLS is told from one that is away: another try changes nothing", async () => {
    const url = new URL(serverUrl ?? "");
    url.searchParams.set("sslmode", "verify-full");
    const store = postgresStore({ connectionString: url.href });
    await expect(store.readConversation(chat("c"))).rejects.toMatchObject({
      code: "STORE_UNREACHABLE",
      retryable: false,
      message: expect.stringContaining("TLS"),
    });
    await store.close();
  });

  it("J5: a database that can't hold every text is refused before anything is made in it", async () => {
    const { schema, admin } = await temporarySchema();
    const name = `latin_${schema}`;
    await admin.query(`CREATE DATABASE "${name}" ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0`);
    onTestFinished(() => admin.query(`DROP DATABASE "${name}"`).then(() => undefined));
    const url = new URL(serverUrl ?? "");
    url.pathname = `/${name}`;
    const store = postgresStore({ connectionString: url.href, schema });
    for (const call of [() => migrate({ connectionString: url.href, schema }), () => store.readConversation(chat("c"))])
      await expect(call()).rejects.toMatchObject({
        code: "STORE_FAILED",
        retryable: false,
        details: { found: "LATIN1" },
      });
    await store.close();
    const look = new pg.Client({ connectionString: url.href });
    await look.connect();
    const { rows } = await look.query("SELECT 1 FROM pg_namespace WHERE nspname = $1", [schema]);
    await look.end();
    expect(rows).toEqual([]);
  });
});
