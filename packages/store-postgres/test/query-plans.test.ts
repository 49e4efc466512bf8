import { postgresStore } from "@throughline/store-postgres";
import pg from "pg";
import { describe, expect, it } from "vitest";
import { everyStatement, lastStatements } from "./support/every-statement.ts";
import { FILL_AGENT, FILL_MODEL, fillTenants } from "./support/fill-tenants.ts";
import { chat, temporarySchema } from "./support/fixtures.ts";
import { serverUrl } from "./support/server.ts";

const SIZES = { tenants: 100, conversations: 10, turns: 20 };

/** How often each table was read from end to end. */
async function tables(admin: pg.Client, schema: string): Promise<{ table: string; scans: number; looks: number }[]> {
  const { rows } = await admin.query(
    `SELECT relname AS table, seq_scan::int AS scans, coalesce(idx_scan, 0)::int AS looks FROM pg_stat_user_tables
      WHERE schemaname = $1 AND relname <> 'migration' ORDER BY 1`,
    [schema],
  );
  return rows;
}

describe.skipIf(serverUrl === null)("query plans", () => {
  it("J11: no statement of the store reads a table from end to end", { timeout: 120_000 }, async () => {
    const { schema, admin } = await temporarySchema();
    const setUp = postgresStore({ connectionString: serverUrl ?? "", schema });
    await setUp.readConversation(chat("c"));
    await setUp.close();
    await fillTenants(admin, schema, SIZES);
    const before = await tables(admin, schema);

    // One connection, ended below: its statistics are there then. More than five calls, so that plans are kept.
    const pool = new pg.Pool({ connectionString: serverUrl ?? "", max: 1 });
    const store = postgresStore({ pool, schema });
    const agent = { tenant: "tenant7", agent: FILL_AGENT };
    const [begin] = everyStatement(agent, 0);
    expect(await begin?.run(store)).toMatchObject({ turns: { length: 10 }, subject: "s0" });
    const scope = { kind: "subject", subject: "s1" } as const;
    const found = await store.keyword?.postings(agent, scope, { terms: ["w1", "w7"], groups: ["said"] });
    expect(found?.terms.map(({ documentFrequency }) => documentFrequency > 0)).toEqual([true, true]);
    const near = { model: FILL_MODEL, vector: Float32Array.of(1, 0), limit: 5, floor: 0 };
    expect(await store.vectors?.nearest(agent, scope, near)).toHaveLength(5);
    for (let round = 0; round < 8; round++) {
      for (const { name, run } of everyStatement(agent, round)) {
        const result = await run(store);
        if (name.startsWith("record") && !name.startsWith("records"))
          expect(result).toMatchObject({ status: "stored" });
      }
    }
    for (const { run } of lastStatements(agent)) await run(store);
    await pool.end();

    const looksOf = (rows: { table: string; looks: number }[]) =>
      rows.find(({ table }) => table === "turn")?.looks ?? 0;
    let after = await tables(admin, schema);
    while (looksOf(after) === looksOf(before)) after = await tables(admin, schema);
    const scans = (rows: { table: string; scans: number }[]) =>
      Object.fromEntries(rows.map(({ table, scans: count }) => [table, count]));
    expect(scans(after)).toEqual(scans(before));
  });
});
