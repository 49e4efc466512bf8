import { migrate, postgresStore } from "@throughline/store-postgres";
import pg from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import { isUnprepared } from "../src/errors.ts";
import { poolClient } from "../src/pg-client.ts";
import { at, chat, temporarySchema, turnOf } from "./support/fixtures.ts";
import { serverUrl } from "./support/server.ts";

const window = { afterSummary: true, maxMessages: 20, maxTokens: 1000 };

describe.skipIf(serverUrl === null)("prepared statements", () => {
  it("J12: of two schemas with long names each prepares its own, under names that the server keeps whole", async () => {
    const { admin } = await temporarySchema();
    const begin = "a_schema_whose_name_is_as_long_as_postgresql_lets_it_be_".padEnd(62, "x");
    const pool = new pg.Pool({ connectionString: serverUrl ?? "", max: 1 });
    const names = new Set<string>();
    const client = poolClient(pool);
    const watched = {
      ...client,
      query: (sql: string, parameters: readonly unknown[], name?: string) => {
        if (name !== undefined) names.add(name);
        return client.query(sql, parameters, name);
      },
    };
    const schemas = ["1", "2"].map((end) => begin + end);
    onTestFinished(async () => {
      for (const schema of schemas) await admin.query(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
    });
    onTestFinished(() => pool.end());
    for (const schema of schemas) {
      await migrate({ client, schema });
      const store = postgresStore({ client: watched, schema });
      expect((await store.commitTurn(chat("c"), turnOf(`t-${schema}`))).status).toBe("stored");
      const { turns } = await store.readContext(chat("c"), { now: at(2), window, facts: null });
      expect(turns).toHaveLength(1);
    }
    expect([...names].every((name) => name.length <= 63)).toBe(true);
    const { rows } = await pool.query("SELECT name FROM pg_prepared_statements ORDER BY name");
    expect(rows.map(({ name }) => name)).toEqual([...names].sort());
    expect(names.size).toBe(4);
  });

  it("J5/J12: a pooler that ends a connection with 08P01 isn't taken for one that can't prepare", () => {
    const failed = (code: string, severity: string) => Object.assign(new Error("failed"), { code, severity });
    expect(isUnprepared(failed("08P01", "FATAL"))).toBe(false);
    expect(isUnprepared(failed("08P01", "ERROR"))).toBe(true);
    expect(isUnprepared(failed("26000", "ERROR"))).toBe(true);
    expect(isUnprepared(failed("42P05", "ERROR"))).toBe(true);
  });
});
