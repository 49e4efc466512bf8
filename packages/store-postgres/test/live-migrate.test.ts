import { readFileSync } from "node:fs";
import { dropTenant, migrate, postgresStore, vacuum } from "@throughline/store-postgres";
import pg from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import { PARTITIONED_TABLES, TENANT_TABLES } from "../src/schema/tables.ts";
import { chat, temporarySchema, turnOf, urlAs } from "./support/fixtures.ts";
import { furnish } from "./support/roles.ts";
import { serverUrl } from "./support/server.ts";
import { hasPgvector, onServer } from "./support/vector-databases.ts";
import { directions, MODEL, near, say } from "./support/vectors.ts";

const withVectors = serverUrl !== null && (await hasPgvector(serverUrl));

/** Two roles of one test, in a database of its own or that of the run. */
async function roles(admin: { query(sql: string): Promise<unknown> }, label: string, database: string) {
  const [owner, app] = [`owner_${label}_${process.pid}`, `app_${label}_${process.pid}`];
  for (const role of [owner, app]) await admin.query(`CREATE ROLE ${role} LOGIN PASSWORD '${role}'`);
  await admin.query(`GRANT CREATE ON DATABASE ${database} TO ${owner}`);
  return { owner, app };
}

describe.skipIf(serverUrl === null)("migrating what is in use", () => {
  it("J2: migrating again where nothing is to be done waits for no open transaction, and lets none wait", async () => {
    const { schema, admin } = await temporarySchema();
    const { rows } = await admin.query("SELECT quote_ident(current_database()) AS name");
    const { owner, app } = await roles(admin, "live", rows[0].name);
    onTestFinished(async () => {
      for (const role of [app, owner]) await admin.query(`DROP OWNED BY ${role} CASCADE; DROP ROLE ${role}`);
    });
    const options = { connectionString: urlAs(owner), schema, rowLevelSecurity: true, appRole: app };
    await migrate(options);
    // As a backup does.
    await admin.query(`BEGIN; SELECT count(*) FROM "${schema}".turn`);
    const pool = new pg.Pool({ connectionString: urlAs(owner), max: 1, options: "-c lock_timeout=2s" });
    onTestFinished(() => pool.end());
    const { connectionString: _, ...rest } = options;
    const done = await migrate({ ...rest, pool }).catch((error: unknown) => error);
    await admin.query("ROLLBACK");
    expect(done).toEqual({ version: 1 });
    // What was taken away is put back.
    await admin.query(
      `DROP POLICY tenant ON "${schema}".turn; ALTER TABLE "${schema}".item NO FORCE ROW LEVEL SECURITY`,
    );
    await admin.query(`ALTER POLICY tenant ON "${schema}".fact USING (true)`);
    await migrate(options);
    const left = await admin.query(
      `SELECT c.relname FROM pg_class c LEFT JOIN pg_policy p ON p.polrelid = c.oid AND p.polname = 'tenant'
        WHERE c.relnamespace = $1::regnamespace AND c.relkind = 'r' AND c.relname <> 'migration'
        AND (NOT c.relforcerowsecurity OR p.oid IS NULL OR pg_get_expr(p.polqual, p.polrelid) NOT LIKE '%throughline.tenant%')`,
      [`"${schema}"`],
    );
    expect(left.rows).toEqual([]);
  });

  it("J9: the app's role may call what it needs where functions aren't everybody's", async () => {
    const { schema, admin } = await temporarySchema();
    const { rows } = await admin.query("SELECT quote_ident(current_database()) AS name");
    const { owner, app } = await roles(admin, "calls", rows[0].name);
    onTestFinished(async () => {
      for (const role of [app, owner]) await admin.query(`DROP OWNED BY ${role} CASCADE; DROP ROLE ${role}`);
    });
    await admin.query(`ALTER DEFAULT PRIVILEGES FOR ROLE ${owner} REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC`);
    await migrate({ connectionString: urlAs(owner), schema, rowLevelSecurity: true, appRole: app });
    const store = postgresStore({ connectionString: urlAs(app), schema, rowLevelSecurity: true, migrate: false });
    onTestFinished(() => store.close());
    expect(await store.commitTurn(chat("c"), turnOf("t1"))).toMatchObject({ status: "stored" });
    const holder = "h";
    const begun = await store.beginWork?.(chat("c"), { holder, now: "2026-01-02T00:00:00.000Z", leaseMs: 1000 });
    expect(begun).toMatchObject({ conversation: { id: "c" } });
    const finished = store.finishWork?.(chat("c"), { settlement: { holder, settledSeq: 1 } });
    expect(await finished).toEqual({ indexed: false, vectors: 0 });
    const refused = await admin.query(
      `SELECT p.proname FROM pg_proc p WHERE p.pronamespace = $1::regnamespace AND NOT has_function_privilege($2, p.oid, 'EXECUTE')`,
      [`"${schema}"`, app],
    );
    expect(refused.rows).toEqual([]);
  });
});

describe.skipIf(serverUrl === null)("migrating what can't be", () => {
  it("J1: a role that may not, a role that isn't there and a name that is too long each get a code and what to do", async () => {
    const { schema, admin } = await temporarySchema();
    const { rows } = await admin.query("SELECT quote_ident(current_database()) AS name");
    const { owner, app } = await roles(admin, "may_not", rows[0].name);
    onTestFinished(async () => {
      for (const role of [app, owner]) await admin.query(`DROP OWNED BY ${role} CASCADE; DROP ROLE ${role}`);
    });
    await expect(migrate({ connectionString: urlAs(app), schema })).rejects.toMatchObject({
      code: "STORE_READ_ONLY",
      message: expect.stringContaining("CREATE on the database"),
    });
    const connectionString = urlAs(owner);
    await expect(migrate({ connectionString, schema, appRole: "nobody_of_that_name" })).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
      message: expect.stringContaining("appRole"),
    });
    for (const name of ["", "x".repeat(64), "ä".repeat(32), "a\0b"]) {
      const refused = expect.objectContaining({ code: "INVALID_ARGUMENT" });
      expect(() => postgresStore({ connectionString, schema: name })).toThrow(refused);
      await expect(migrate({ connectionString, schema: name })).rejects.toEqual(refused);
      await expect(vacuum({ connectionString, schema: name })).rejects.toEqual(refused);
      await expect(dropTenant({ connectionString, schema: name, tenant: "acme" })).rejects.toEqual(refused);
    }
  });
});

describe.skipIf(!withVectors)("pgvector for two roles", () => {
  it("J8/J9: the app's role uses the extension in a schema that isn't everybody's", async () => {
    const database = await onServer(serverUrl ?? "");
    onTestFinished(() => database.close());
    const admin = new pg.Pool({ connectionString: database.url ?? "", max: 1 });
    const { rows } = await admin.query("SELECT quote_ident(current_database()) AS name");
    const { owner, app } = await roles(admin, "extra", rows[0].name);
    onTestFinished(async () => {
      // The owner's grants to the other one go with it.
      for (const role of [owner, app]) await admin.query(`DROP OWNED BY ${role} CASCADE; DROP ROLE ${role}`);
      await admin.end();
    });
    await admin.query("CREATE SCHEMA extra; CREATE EXTENSION vector SCHEMA extra");
    await admin.query(`GRANT USAGE ON SCHEMA extra TO ${owner}`);
    const as = (role: string) => Object.assign(new URL(database.url ?? ""), { username: role, password: role }).href;
    const options = { connectionString: as(owner), rowLevelSecurity: true, appRole: app };
    await expect(migrate(options)).rejects.toMatchObject({
      code: "STORE_READ_ONLY",
      message: expect.stringContaining(`GRANT USAGE ON SCHEMA "extra" TO "${app}"`),
    });
    await admin.query(`GRANT USAGE ON SCHEMA extra TO ${owner} WITH GRANT OPTION`);
    await migrate(options);
    const store = postgresStore({ connectionString: as(app), rowLevelSecurity: true, migrate: false });
    onTestFinished(() => store.close());
    await say(store, "c", directions(3));
    const [query = new Float32Array()] = directions(1);
    expect(await near(store, query)).toHaveLength(3);
  });

  it("J8: where the column can't be converted in time, vectors go on as bytes", async () => {
    const database = await onServer(serverUrl ?? "");
    onTestFinished(() => database.close());
    await migrate({ client: database.client });
    const early = postgresStore({ client: database.client, migrate: false });
    await say(early, "c", directions(3));
    await database.client.query("CREATE EXTENSION vector", []);
    const admin = new pg.Client({ connectionString: database.url ?? "" });
    await admin.connect();
    onTestFinished(() => admin.end());
    await admin.query("BEGIN; SELECT count(*) FROM throughline.vector");
    const pool = new pg.Pool({ connectionString: database.url ?? "", max: 2, options: "-c lock_timeout=200ms" });
    onTestFinished(() => pool.end());
    const store = postgresStore({ pool });
    const [query = new Float32Array()] = directions(1);
    const found = await near(store, query).catch((error: unknown) => error);
    await admin.query("ROLLBACK");
    expect(found).toHaveLength(3);
  });

  it("PR7: the planner samples no vectors of an index", async () => {
    const database = await onServer(serverUrl ?? "");
    onTestFinished(() => database.close());
    await migrate({ client: database.client, pgvector: true, hnsw: [MODEL] });
    const store = postgresStore({ client: database.client });
    await say(store, "c", directions(30));
    await database.client.query("ANALYZE throughline.vector", []);
    const samples = await database.client.query(
      `SELECT s.starelid::regclass::text AS of, s.staattnum AS at FROM pg_statistic s JOIN pg_attribute a
        ON a.attrelid = s.starelid AND a.attnum = s.staattnum
        JOIN pg_class c ON c.oid = s.starelid WHERE c.relnamespace = 'throughline'::regnamespace
        AND format_type(a.atttypid, NULL) ~ '\\m(vector|halfvec)$'`,
      [],
    );
    expect(samples).toEqual([]);
    // vacuum() has the server make the index anew where the table is empty.
    await database.client.query("DELETE FROM throughline.vector", []);
    await vacuum({ client: database.client });
    const targets = await database.client.query(
      `SELECT a.attstattarget::integer AS target FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
        JOIN pg_am m ON m.oid = c.relam WHERE m.amname = 'hnsw'`,
      [],
    );
    expect(targets).toEqual([{ target: 0 }]);
  });
});

describe.skipIf(serverUrl === null)("moving into partitions", () => {
  it("J11: the documented way takes every tenant's rows along, of tables whose policies are forced too", async () => {
    const { schema, admin } = await temporarySchema();
    const { rows } = await admin.query("SELECT quote_ident(current_database()) AS name");
    const { owner, app } = await roles(admin, "moving", rows[0].name);
    onTestFinished(async () => {
      for (const role of [app, owner]) await admin.query(`DROP OWNED BY ${role} CASCADE; DROP ROLE ${role}`);
    });
    const options = { connectionString: urlAs(owner), schema };
    await migrate({ ...options, rowLevelSecurity: true, appRole: app });
    const store = postgresStore({ connectionString: urlAs(app), schema, rowLevelSecurity: true, migrate: false });
    await furnish(store, "acme");
    await furnish(store, "other");
    await store.close();
    const text = readFileSync(new URL("../../../docs/postgresql.md", import.meta.url), "utf8");
    const [renaming = "", copying = "", ...dropping] =
      /```sql\n(\s*ALTER SCHEMA throughline RENAME.*?)```/s.exec(text)?.[1]?.split(/^\s*-- migrate.*$/m) ?? [];
    const here = (sql: string) => sql.replaceAll("throughline", schema).replaceAll(/\bold\b/g, `${schema}_old`);
    onTestFinished(async () => {
      await admin.query(`DROP SCHEMA IF EXISTS ${schema}_old CASCADE`);
    });
    const mover = new pg.Client({ connectionString: urlAs(owner) });
    await mover.connect();
    onTestFinished(() => mover.end());
    await mover.query(here(renaming));
    await migrate({ ...options, partitions: { count: 2 } });
    await mover.query(here(copying));
    await migrate({ ...options, partitions: { count: 2 }, rowLevelSecurity: true, appRole: app });
    await mover.query(here(dropping.join("")));
    for (const table of TENANT_TABLES) {
      const found = await admin.query(`SELECT DISTINCT tenant FROM "${schema}".${table} ORDER BY tenant`);
      expect(found.rows, table).toEqual([{ tenant: "acme" }, { tenant: "other" }]);
    }
  });
});

describe.skipIf(!withVectors)("all of it together", () => {
  it("J8/J9/J11: partitions, policies, HNSW and vacuum leave one another be, and a tenant's vectors go with it", {
    timeout: 60_000,
  }, async () => {
    const database = await onServer(serverUrl ?? "");
    onTestFinished(() => database.close());
    const admin = new pg.Pool({ connectionString: database.url ?? "", max: 1 });
    const { rows } = await admin.query("SELECT quote_ident(current_database()) AS name");
    const { owner, app } = await roles(admin, "all", rows[0].name);
    onTestFinished(async () => {
      for (const role of [owner, app]) await admin.query(`DROP OWNED BY ${role} CASCADE; DROP ROLE ${role}`);
      await admin.end();
    });
    const as = (role: string) => Object.assign(new URL(database.url ?? ""), { username: role, password: role }).href;
    const connectionString = as(owner);
    const partitions = { count: 2, tenants: ["acme"] };
    await migrate({ connectionString, rowLevelSecurity: true, appRole: app, partitions });
    const store = postgresStore({ connectionString: as(app), rowLevelSecurity: true, migrate: false });
    onTestFinished(() => store.close());
    await say(store, "c", directions(3));
    await furnish(store, "other");
    await admin.query("CREATE EXTENSION vector");
    await migrate({ connectionString, partitions: { count: 2, tenants: ["acme", "other"] }, hnsw: [MODEL] });
    await say(store, "c", directions(3, MODEL.dimensions, 5), { from: 4 });
    const [query = new Float32Array()] = directions(1);
    expect(await near(store, query)).toHaveLength(6);
    const { tables, residue } = await vacuum({ connectionString });
    expect([tables.length, residue.map(({ what }) => what)]).toEqual([
      TENANT_TABLES.length,
      ["planner statistics", "write-ahead log, replicas and backups"],
    ]);
    expect(await near(store, query)).toHaveLength(6);
    expect(await dropTenant({ connectionString, tenant: "acme" })).toMatchObject({
      partitions: PARTITIONED_TABLES.length,
    });
    for (const table of TENANT_TABLES) {
      const found = await admin.query(`SELECT DISTINCT tenant FROM throughline.${table}`);
      expect(found.rows, table).toEqual([{ tenant: "other" }]);
    }
    expect(await near(store, query)).toEqual([]);
    await say(store, "c", directions(1));
    expect(await near(store, query)).toHaveLength(1);
  });
});

describe.skipIf(serverUrl === null || withVectors)("pgvector where there is none", () => {
  it("J8/J1: asking for it says what is missing", async () => {
    const { schema } = await temporarySchema();
    const options = { connectionString: serverUrl ?? "", schema, pgvector: true };
    await expect(migrate(options)).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
      message: expect.stringContaining("pgvector"),
    });
  });
});
