import { MemoryError } from "@throughline/core";
import { migrate, type PostgresClient, postgresStore } from "@throughline/store-postgres";
import pg from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import { poolClient } from "../src/pg-client.ts";
import { AGENT, at, chat, temporarySchema, turnOf } from "./support/fixtures.ts";
import { serverUrl } from "./support/server.ts";

const WINDOW = { now: at(1), window: { afterSummary: false, maxMessages: 9, maxTokens: 999 }, facts: null } as const;

/** A client whose look at the schema's version isn't answered before it may be. Tells what was asked. */
function holding(): { client: PostgresClient; asked: string[]; release(): void } {
  const pool = new pg.Pool({ connectionString: serverUrl ?? "", max: 4 });
  onTestFinished(() => pool.end());
  const { query, transaction } = poolClient(pool);
  const { promise, resolve } = Promise.withResolvers<void>();
  const asked: string[] = [];
  return {
    client: {
      query: async (sql, parameters, name) => {
        const what = /\.(\w+)\(\$/.exec(sql)?.[1] ?? (sql.includes("max(version)") ? "version" : sql.slice(0, 18));
        const answer = await query(sql, parameters, name);
        asked.push(what);
        if (what === "version") await promise;
        return answer;
      },
      transaction,
    },
    asked,
    release: resolve,
  };
}

describe.skipIf(serverUrl === null)("opening", () => {
  it("J12: the first reads go out beside the look at the schema, and answer after it", async () => {
    const { schema } = await temporarySchema();
    const connectionString = serverUrl ?? "";
    await migrate({ connectionString, schema });
    const { client, asked, release } = holding();
    const store = postgresStore({ client, schema, migrate: false });
    const answered: string[] = [];
    const scope = { kind: "subject", subject: "ann" } as const;
    const reading = Promise.all([
      store.readContext(chat("c"), WINDOW).then(() => answered.push("context")),
      store
        .readSearch?.(AGENT, { scope, now: at(1), records: { namespace: ["n"], keys: [] } })
        ?.then(() => answered.push("search")),
    ]);
    while (!["begin_turn", "begin_search", "version"].every((one) => asked.includes(one))) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(answered).toEqual([]);
    // How vectors are kept is asked by a connection that is there already.
    expect(asked).not.toContain("SELECT format_type");
    release();
    await reading;
    expect(answered.toSorted()).toEqual(["context", "search"]);
    await store.vectors?.nearest(AGENT, scope, {
      model: { modelId: "m", dimensions: 1 },
      vector: Float32Array.of(1),
      limit: 1,
      floor: 0,
    });
    expect(asked.filter((one) => one === "SELECT format_type")).toHaveLength(1);
    await store.close();
  });

  it("J5/J12: nothing that was read of a schema of a newer version is answered, and nothing is written to it", async () => {
    const { schema, admin } = await temporarySchema();
    await migrate({ connectionString: serverUrl ?? "", schema });
    await admin.query(`INSERT INTO "${schema}".migration VALUES (99, 'later', '')`);
    const { client, asked, release } = holding();
    const store = postgresStore({ client, schema });
    release();
    const calls = [() => store.readContext(chat("c"), WINDOW), () => store.commitTurn(chat("c"), turnOf("t"))];
    for (const call of calls) {
      const error = await call().catch((reason: unknown) => reason);
      expect(MemoryError.isInstance(error) && error.code).toBe("STORE_NEWER");
    }
    expect(asked).not.toContain("commit_turn");
    await store.close();
  });

  it("J5: a first read of a schema that isn't there yet makes it, and reads then", async () => {
    const { schema } = await temporarySchema();
    const { client, release } = holding();
    const store = postgresStore({ client, schema });
    release();
    expect((await store.readContext(chat("c"), WINDOW)).turns).toEqual([]);
    await store.close();
  });
});
