import { MemoryError, type MemoryStore } from "@throughline/core";
import { migrate, postgresStore } from "@throughline/store-postgres";
import { describeMemoryStore } from "@throughline/testkit";
import pg from "pg";
import { afterAll, describe, expect, it } from "vitest";
import { AGENT, at, chat, factOf, temporarySchema, turnOf, urlAs } from "./support/fixtures.ts";
import { serverUrl } from "./support/server.ts";

const OWNER = `throughline_owner_${process.pid}`;
const APP = `throughline_app_${process.pid}`;

describe.skipIf(serverUrl === null)("row-level security", () => {
  const admin = new pg.Pool({ connectionString: serverUrl ?? "", max: 2 });
  const app = new pg.Pool({ connectionString: serverUrl === null ? "" : urlAs(APP), max: 8 });

  let made: Promise<void> | undefined;
  /** The kit asks for a store before the hooks of a file run. */
  const roles = () => {
    made ??= (async () => {
      for (const role of [OWNER, APP]) await admin.query(`CREATE ROLE "${role}" LOGIN PASSWORD '${role}'`);
      const { rows } = await admin.query("SELECT quote_ident(current_database()) AS name");
      await admin.query(`GRANT CREATE ON DATABASE ${rows[0].name} TO "${OWNER}"`);
    })();
    return made;
  };
  afterAll(async () => {
    await app.end();
    for (const role of [APP, OWNER]) await admin.query(`DROP OWNED BY "${role}" CASCADE; DROP ROLE "${role}"`);
    await admin.end();
  });

  /** Migrated by one role, used by another. */
  async function open(schema: string): Promise<MemoryStore> {
    await roles();
    await migrate({ connectionString: urlAs(OWNER), schema, rowLevelSecurity: true, appRole: APP });
    return postgresStore({ pool: app, schema, rowLevelSecurity: true, migrate: false });
  }

  /** Something in every table, under one tenant. */
  async function furnish(store: MemoryStore, tenant: string): Promise<void> {
    const owner = { tenant, agent: "helper", conversation: "chat" };
    await store.commitTurn(owner, turnOf("t1", { subject: "ann" }));
    await store.commitTurn(owner, turnOf("t2", { hides: ["t1"] }));
    const summary = { text: "secret", through: 2, throughTurn: "t2", turns: 2, tokens: 1, createdAt: at(1) };
    await store.commitSummary(owner, { expectedVersion: 0, summary, now: at(1) });
    const facts = { tenant, agent: "helper", scope: "user", id: "ann" } as const;
    const operation = { key: "op", result: "done" };
    const commit = {
      expectedVersion: 0,
      now: at(1),
      put: [factOf("f", "secret")],
      tombstones: { add: ["h"] },
      operation,
    };
    await store.commitFacts(facts, commit);
    await store.commitRecords(owner, [{ namespace: ["n"], key: "k", value: 1 }], { now: at(1) });
    await store.commitItems(owner, [{ action: "put", key: "k", bytes: new Uint8Array([1]) }]);
    await store.claimLease(owner, { name: "l", holder: "w", now: at(1), leaseMs: 1000 });
    await store.linkIdentity(owner, { identity: "ann@example.org", subject: "ann", since: at(1) });
    await store.changeTurns(owner, [{ turn: "t2", action: "restamp", subject: "bob" }]);
    const document = {
      turn: "t2",
      seq: 2,
      position: 0,
      message: "t2-q",
      role: "user",
      createdAt: at(1),
      group: "said",
      length: 1,
      terms: [["word", 1]],
    } as const;
    await store.keyword?.index(owner, { after: 0, through: 2, documents: [document] });
    const values = [{ name: "m", value: ['"secret"'] }];
    const checkpoint = { space: "", id: "c1", subject: "ann", now: at(1), values, tags: [], body: "{}" };
    expect((await store.checkpoints?.put(owner, checkpoint))?.status).toBe("stored");
    const writes = [{ index: 0, name: "m", text: '"secret"' }];
    await store.checkpoints?.putWrites(owner, { space: "", checkpoint: "c1", task: "t", path: "", writes });
  }

  it("PR6/J9: raw SQL as the app's role sees and changes rows of the named tenant only", {
    timeout: 60_000,
  }, async () => {
    const { schema, admin: superuser } = await temporarySchema();
    const store = await open(schema);
    for (const tenant of ["acme", "other"]) await furnish(store, tenant);
    const { rows } = await superuser.query(
      "SELECT table_name AS name FROM information_schema.columns WHERE table_schema = $1 AND column_name = 'tenant'",
      [schema],
    );
    const tables: string[] = rows.map(({ name }) => name);
    expect(tables).toHaveLength(21);
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
    await store.close();
  });

  it("J9: the app's role can't change the schema or take the policies away", async () => {
    const { schema } = await temporarySchema();
    await (await open(schema)).close();
    for (const sql of [
      `ALTER TABLE "${schema}".turn DISABLE ROW LEVEL SECURITY`,
      `ALTER TABLE "${schema}".turn NO FORCE ROW LEVEL SECURITY`,
      `DROP POLICY tenant ON "${schema}".turn`,
      `TRUNCATE "${schema}".turn`,
      `INSERT INTO "${schema}".migration VALUES (99, 'x', '')`,
      `CREATE TABLE "${schema}".mine (x int)`,
    ]) {
      await expect(app.query(sql), sql).rejects.toMatchObject({ code: "42501" });
    }
  });

  it("J9: a role that row-level security doesn't hold for is refused", async () => {
    const { schema } = await temporarySchema();
    await (await open(schema)).close();
    const store = postgresStore({ connectionString: serverUrl ?? "", schema, rowLevelSecurity: true });
    const error = await store.readConversation(chat("c")).catch((reason: unknown) => reason);
    expect(MemoryError.isInstance(error) && [error.code, error.retryable]).toEqual(["STORE_FAILED", false]);
    await store.close();
  });

  it("J9: a store that isn't told to name the tenant finds nothing", async () => {
    const { schema } = await temporarySchema();
    const store = await open(schema);
    await store.commitTurn(chat("c"), turnOf("t"));
    const forgetful = postgresStore({ pool: app, schema, migrate: false });
    expect(await forgetful.readConversation(chat("c"))).toBeNull();
    expect(await forgetful.listConversations(AGENT, { limit: 9 })).toEqual([]);
    const refused = await forgetful.commitTurn(chat("d"), turnOf("t")).catch((reason: unknown) => reason);
    expect(MemoryError.isInstance(refused) && refused.code).toBe("STORE_READ_ONLY");
    expect(await store.readConversation(chat("c"))).not.toBeNull();
  });

  // The kit asks for a store while it collects: a skipped describe would be too late.
  if (serverUrl === null) return;
  describeMemoryStore("postgresStore as the app's role", {
    create: ({ name }) => open(name),
    reopen: ({ name }) => postgresStore({ pool: app, schema: name, rowLevelSecurity: true, migrate: false }),
    destroy: async ({ name }) => {
      await admin.query(`DROP SCHEMA IF EXISTS "${name}" CASCADE`);
    },
  });
});
