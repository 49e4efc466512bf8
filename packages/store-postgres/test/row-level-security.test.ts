import { MemoryError } from "@throughline/core";
import { migrate, postgresStore } from "@throughline/store-postgres";
import { describeMemory, describeMemoryStore } from "@throughline/testkit";
import { afterAll, describe, expect, it } from "vitest";
import { AGENT, at, chat, temporarySchema, turnOf, urlAs } from "./support/fixtures.ts";
import { ReusedSchemas } from "./support/reused-schemas.ts";
import { twoRoles } from "./support/roles.ts";
import { serverUrl } from "./support/server.ts";
import { directions, near, say } from "./support/vectors.ts";

describe.skipIf(serverUrl === null)("row-level security", () => {
  const { owner, role, admin, app, open, end } = twoRoles("rls");
  afterAll(end);

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

  it("J3/J9: facts of two tenants in one call are refused: one transaction names one tenant", async () => {
    const { schema } = await temporarySchema();
    const store = await open(schema);
    const of = (tenant: string) => ({ ...AGENT, tenant, scope: "user", id: "ann" }) as const;
    const query = { now: at(1), limit: 9 };
    await expect(store.readFacts([of("acme"), of("other")], query)).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    expect(await store.readFacts([of("acme"), of("acme")], query)).toHaveLength(2);
    expect(await store.readFacts([], query)).toEqual([]);
  });

  it("J5/J9: a store that isn't told to name the tenant is told so, and never takes hidden rows for none", async () => {
    const { schema } = await temporarySchema();
    const store = await open(schema);
    await store.commitTurn(chat("c"), turnOf("t"));
    const stores = [
      postgresStore({ pool: app, schema, migrate: false }),
      postgresStore({ connectionString: urlAs(owner), schema }),
    ];
    for (const forgetful of stores) {
      for (const call of [
        () => forgetful.readConversation(chat("c")),
        () => forgetful.listConversations(AGENT, { limit: 9 }),
        () => forgetful.commitTurn(chat("d"), turnOf("t")),
      ]) {
        await expect(call()).rejects.toMatchObject({
          code: "STORE_FAILED",
          retryable: false,
          message: expect.stringContaining("rowLevelSecurity: true"),
        });
      }
      await forgetful.close();
    }
    expect(await store.readConversation(chat("c"))).not.toBeNull();
    // Who sees every row may do without.
    const all = postgresStore({ connectionString: serverUrl ?? "", schema });
    expect(await all.readConversation(chat("c"))).not.toBeNull();
    await all.close();
  });

  it("J5/J9: where policies come while a store is running, its next refused write says what to do", async () => {
    const { schema } = await temporarySchema();
    await (await open((await temporarySchema()).schema)).close();
    await migrate({ connectionString: urlAs(owner), schema, appRole: role });
    const running = postgresStore({ pool: app, schema, migrate: false });
    await running.commitTurn(chat("c"), turnOf("t"));
    await migrate({ connectionString: urlAs(owner), schema, rowLevelSecurity: true });
    for (const call of [() => running.commitTurn(chat("c"), turnOf("u")), () => running.readConversation(chat("c"))])
      await expect(call()).rejects.toMatchObject({ code: "STORE_FAILED", retryable: false });
  });

  it("J3/J9: vectors are kept in memory of the tenant that is asked for, and by nobody who doesn't name one", async () => {
    const { schema } = await temporarySchema();
    const store = await open(schema);
    const [query = new Float32Array()] = directions(1);
    await say(store, "c", directions(5));
    const forgetful = postgresStore({ pool: app, schema, migrate: false });
    for (let search = 0; search < 4; search++) {
      expect(await near(store, query)).toHaveLength(5);
      expect(await near(store, query, { tenant: "other" })).toEqual([]);
      await expect(near(forgetful, query)).rejects.toMatchObject({ code: "STORE_FAILED" });
    }
    await say(store, "d", directions(1));
    expect(await near(store, query)).toHaveLength(6);
  });

  // The kit asks for a store while it collects: a skipped describe would be too late.
  if (serverUrl === null) return;
  const schemas = new ReusedSchemas(admin);
  const create = ({ name }: { name: string }) => open(schemas.of(name));
  const destroy = ({ name }: { name: string }) => schemas.giveBack(name);
  describeMemoryStore("postgresStore as the app's role", {
    create,
    reopen: ({ name }) =>
      postgresStore({ pool: app, schema: schemas.of(name), rowLevelSecurity: true, migrate: false }),
    destroy,
  });
  describeMemory("postgresStore as the app's role", { create, destroy });
});
