import pg from "pg";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { temporarySchema, urlAs } from "./support/fixtures.ts";
import { furnish, twoRoles } from "./support/roles.ts";
import { serverUrl } from "./support/server.ts";

describe.skipIf(serverUrl === null)("raw SQL as the app's role", () => {
  const { owner, role, app, open, end } = twoRoles("raw");
  afterAll(end);

  /** Two tenants with something in every table, and a connection of the app's role. */
  async function twoTenants() {
    const { schema, admin: superuser } = await temporarySchema();
    const store = await open(schema);
    for (const tenant of ["acme", "other"]) await furnish(store, tenant);
    await store.close();
    const { rows } = await superuser.query(
      "SELECT table_name AS name FROM information_schema.columns WHERE table_schema = $1 AND column_name = 'tenant'",
      [schema],
    );
    const tables: string[] = rows.map(({ name }) => name);
    const client = new pg.Client({ connectionString: urlAs(role) });
    await client.connect();
    onTestFinished(() => client.end());
    /** As `acme`, in a transaction that is undone. */
    const asAcme = async <Result>(work: () => Promise<Result>): Promise<Result> => {
      await client.query("BEGIN");
      await client.query("SELECT set_config('throughline.tenant', 'acme', true)");
      try {
        return await work();
      } finally {
        await client.query("ROLLBACK");
      }
    };
    return { schema, superuser, tables, client, asAcme, name: (table: string) => `"${schema}"."${table}"` };
  }

  it("PR6/J9: raw SQL as the app's role sees and changes rows of the named tenant only", {
    timeout: 60_000,
  }, async () => {
    const { schema, superuser, tables } = await twoTenants();
    expect(tables).toHaveLength(22);
    const client = await app.connect();
    try {
      for (const table of tables) {
        const name = `"${schema}"."${table}"`;
        const all = await superuser.query(
          `SELECT tenant, count(*)::int AS n FROM ${name} GROUP BY tenant ORDER BY tenant`,
        );
        expect(
          all.rows.map((row) => row.tenant),
          table,
        ).toEqual(["acme", "other"]);

        // Nobody is named: no row is there.
        expect((await client.query(`SELECT * FROM ${name}`)).rows, table).toEqual([]);
        expect((await client.query(`DELETE FROM ${name}`)).rowCount, table).toBe(0);

        await client.query("BEGIN");
        await client.query("SELECT set_config('throughline.tenant', 'acme', true)");
        const seen = await client.query(`SELECT DISTINCT tenant FROM ${name}`);
        expect(seen.rows, table).toEqual([{ tenant: "acme" }]);
        expect((await client.query(`SELECT * FROM ${name} WHERE tenant = 'other'`)).rows, table).toEqual([]);
        await client.query("SAVEPOINT s");
        expect((await client.query(`UPDATE ${name} SET tenant = tenant WHERE tenant = 'other'`)).rowCount).toBe(0);
        await expect(client.query(`UPDATE ${name} SET tenant = 'other'`)).rejects.toMatchObject({ code: "42501" });
        await client.query("ROLLBACK TO s");
        expect((await client.query(`DELETE FROM ${name}`)).rowCount, table).toBe(all.rows[0].n);
        await client.query("ROLLBACK");

        // The name goes with its transaction, on the same connection.
        expect((await client.query(`SELECT * FROM ${name}`)).rows, table).toEqual([]);
      }
    } finally {
      client.release();
    }
  });

  it("PR6: whatever a session sets, resets or becomes, no row of a tenant that isn't named is there", async () => {
    const { tables, client, superuser, name, schema } = await twoTenants();
    const count = async () => {
      let rows = 0;
      for (const table of tables) rows += (await client.query(`SELECT * FROM ${name(table)}`)).rows.length;
      return rows;
    };
    // A name that is set outside of a transaction is gone with its statement.
    await client.query("SELECT set_config('throughline.tenant', 'acme', true)");
    expect(await count()).toBe(0);
    // Once it was set and is gone it is the empty text, which is nobody's name.
    expect((await client.query("SELECT current_setting('throughline.tenant', true) AS name")).rows).toEqual([
      { name: "" },
    ]);
    await client.query("SET throughline.tenant = 'nobody'");
    expect(await count()).toBe(0);
    for (const sql of [
      "RESET throughline.tenant",
      "RESET ALL",
      "DISCARD ALL",
      "SET SESSION AUTHORIZATION DEFAULT",
      "RESET ROLE",
    ]) {
      await client.query(sql);
      expect(await count(), sql).toBe(0);
    }
    for (const sql of [`SET ROLE "${owner}"`, "SET ROLE postgres", `SET SESSION AUTHORIZATION "${owner}"`]) {
      await expect(client.query(sql), sql).rejects.toMatchObject({ code: "42501" });
    }
    // Without the policies a query is refused, and not answered. So pg_dump is.
    await client.query("SET row_security = off");
    for (const table of tables) {
      await expect(client.query(`SELECT * FROM ${name(table)}`)).rejects.toMatchObject({ code: "42501" });
      await expect(client.query(`COPY ${name(table)} TO STDOUT`)).rejects.toMatchObject({ code: "42501" });
    }
    await client.query("SET row_security = on");
    // The owner is held by them too.
    const theirs = new pg.Client({ connectionString: urlAs(owner) });
    await theirs.connect();
    for (const table of tables) expect((await theirs.query(`SELECT * FROM ${name(table)}`)).rows, table).toEqual([]);
    // A view of the owner's shows what its transaction may see.
    await theirs.query(`CREATE VIEW ${name("peek")} AS SELECT * FROM ${name("turn")}`);
    await theirs.query(`GRANT SELECT ON ${name("peek")} TO "${role}"`);
    await theirs.end();
    expect((await client.query(`SELECT * FROM ${name("peek")}`)).rows).toEqual([]);
    await client.query(`CREATE TEMP VIEW mine AS SELECT * FROM ${name("turn")}`);
    expect((await client.query("SELECT * FROM mine")).rows).toEqual([]);
    expect((await superuser.query(`SELECT DISTINCT tenant FROM "${schema}".turn`)).rows).toHaveLength(2);
  });

  it("PR6: COPY, functions, joins and sets of an acting tenant give its own rows only", async () => {
    const { tables, client, asAcme, name, schema } = await twoTenants();
    await asAcme(async () => {
      for (const table of tables) {
        await client.query(`CREATE TEMP TABLE copied AS SELECT tenant FROM ${name(table)}`);
        expect((await client.query("SELECT DISTINCT tenant FROM copied")).rows, table).toEqual([{ tenant: "acme" }]);
        await client.query("DROP TABLE copied");
        const cte = `WITH gone AS (DELETE FROM ${name(table)} RETURNING tenant) SELECT DISTINCT tenant FROM gone`;
        await client.query("SAVEPOINT s");
        expect((await client.query(cte)).rows, table).toEqual([{ tenant: "acme" }]);
        await client.query("ROLLBACK TO s");
      }
    });
    // A function that is asked for another tenant than the transaction's, and not told to set it.
    const begin = `SELECT "${schema}".begin_turn(false, $1, 'helper', 'chat', 'ann', '2030', true, false, 99, 99999, 9) AS answer`;
    const answer = await asAcme(async () => JSON.parse((await client.query(begin, ["other"])).rows[0]?.answer));
    expect(answer).toMatchObject({ conversation: null, summary: null, turns: [] });
    expect(answer.facts.flatMap((set: unknown[]) => set[3])).toEqual([]);
    const own = await asAcme(async () => JSON.parse((await client.query(begin, ["acme"])).rows[0]?.answer));
    expect(own.turns).not.toEqual([]);
    const commit = `SELECT "${schema}".commit_turn(false, 'other', 'helper', 'chat', NULL, NULL, '2030', 't9', '2030', '{}', 1, 1, 1, '{m9}')`;
    await expect(asAcme(() => client.query(commit))).rejects.toMatchObject({ code: "42501" });
  });

  it("PR6: no function calls what a session's search_path puts before the server's own", async () => {
    const { client, schema, superuser } = await twoTenants();
    const { rows } = await superuser.query(
      `SELECT p.proname AS name, p.prosecdef AS definer, p.prosqlbody IS NOT NULL AS bound, p.proconfig AS config
        FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace WHERE n.nspname = $1`,
      [schema],
    );
    expect(rows.length).toBeGreaterThanOrEqual(3);
    for (const { name, definer, bound, config } of rows) {
      expect(definer, name).toBe(false);
      expect(bound || config?.includes("search_path=pg_catalog, pg_temp"), name).toBe(true);
    }
    // A function of the session's, found before the server's, would be run by the ones of the schema.
    await client.query("BEGIN");
    await client.query("CREATE FUNCTION pg_temp.sha256(bytea) RETURNS bytea LANGUAGE sql AS 'SELECT NULL::bytea'");
    await client.query(
      "CREATE FUNCTION pg_temp.current_setting(text, boolean) RETURNS text LANGUAGE sql AS $$ SELECT 'other' $$",
    );
    await client.query("SET LOCAL search_path = pg_temp, pg_catalog");
    expect((await client.query(`SELECT "${schema}".mark('a', 'b', 'c') AS mark`)).rows[0]?.mark).toHaveLength(32);
    expect((await client.query(`SELECT * FROM "${schema}".turn`)).rows).toEqual([]);
    await client.query("ROLLBACK");
  });

  it("PR6: the planner's samples of the tables are not shown to the app's role", async () => {
    const { client, schema, superuser } = await twoTenants();
    await superuser.query("ANALYZE");
    const samples = "SELECT tablename FROM pg_stats WHERE schemaname = $1 AND tablename <> 'migration'";
    expect((await superuser.query(samples, [schema])).rows.length).toBeGreaterThan(20);
    expect((await client.query(samples, [schema])).rows).toEqual([]);
    await expect(client.query("SELECT * FROM pg_statistic")).rejects.toMatchObject({ code: "42501" });
  });

  it("PR6: writing another tenant's key fails alike whether it is there or not, and errors show no value of a row", async () => {
    const { tables, superuser, asAcme, client, name } = await twoTenants();
    for (const table of tables) {
      const { rows } = await superuser.query(`SELECT * FROM ${name(table)} WHERE tenant = 'other' LIMIT 1`);
      const [row = {}] = rows;
      const columns = Object.keys(row);
      const insert = (conflict: string) =>
        `INSERT INTO ${name(table)} (${columns.map((column) => `"${column}"`).join(", ")})
          VALUES (${columns.map((_, index) => `$${index + 1}`).join(", ")}) ${conflict}`;
      for (const tenant of ["other", "absent"]) {
        for (const conflict of ["", "ON CONFLICT DO NOTHING"]) {
          const values = columns.map((column) => (column === "tenant" ? tenant : row[column]));
          const error = await asAcme(() => client.query(insert(conflict), values)).catch((reason: unknown) => reason);
          expect(error, `${table} ${tenant}`).toMatchObject({ code: "42501", detail: undefined });
          expect(String(error)).not.toMatch(/secret|ann/);
        }
      }
      // A key of its own that is there: the server says that it is, and not what is in it.
      const { rows: mine } = await superuser.query(`SELECT * FROM ${name(table)} WHERE tenant = 'acme' LIMIT 1`);
      const values = columns.map((column) => mine[0]?.[column]);
      const error = await asAcme(() => client.query(insert(""), values)).catch((reason: unknown) => reason);
      expect(error, table).toMatchObject({ code: "23505", detail: undefined });
    }
  });
});
