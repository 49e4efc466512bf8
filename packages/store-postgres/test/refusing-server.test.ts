import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createMemory, type MemoryEvent, type MemoryStore } from "@throughline/core";
import { migrate, postgresStore } from "@throughline/store-postgres";
import pg from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import { AGENT, at, chat, factOf, ownServer, temporarySchema, turnOf } from "./support/fixtures.ts";
import { serverUrl } from "./support/server.ts";

/** The server's URL with settings of the session, as `name=value`. */
function withSettings(...settings: string[]): string {
  const url = new URL(serverUrl ?? "");
  url.searchParams.set("options", settings.map((setting) => `-c ${setting}`).join(" "));
  return url.href;
}

const assistant = { role: "assistant", content: "hi" } as const;

/**
 * An agent that meets a fault: it replies without memory or with what it could read, is told what became of its turn, and
 * the same memory keeps it once the fault is gone.
 */
async function agentMeets(
  store: MemoryStore,
  fault: { code: string; retryable: boolean; reads?: boolean; begin(): Promise<unknown>; end(): Promise<unknown> },
): Promise<void> {
  const events: MemoryEvent[] = [];
  const memory = createMemory({
    agent: "helper",
    store,
    env: {},
    forgetKey: "key",
    onEvent: (event) => void events.push(event),
  });
  const talk = memory.conversation({ id: "talk", subject: "ann" });
  expect((await talk.record({ id: "t0", messages: [{ role: "user", content: "before" }] })).status).toBe("stored");
  await fault.begin();
  const turn = await talk.begin({ id: "t1", messages: [{ role: "user", content: "hello" }] });
  expect(turn.messages).toHaveLength(fault.reads === true ? 2 : 1);
  const { code, retryable } = fault;
  expect(await turn.complete([assistant])).toMatchObject({ status: "failed", code, retryable });
  expect(await talk.remember("city", "Lisbon")).toMatchObject({ status: "failed", code, retryable });
  const failures = events.filter(({ type }) => type.endsWith("_failed"));
  expect(failures.length).toBeGreaterThanOrEqual(fault.reads === true ? 2 : 3);
  for (const failure of failures) expect(failure).toMatchObject({ code });
  await fault.end();
  expect(await turn.complete([assistant])).toMatchObject({ status: "stored" });
  expect(await talk.remember("city", "Lisbon")).toMatchObject({ status: "stored" });
  expect((await talk.transcript()).turns.at(-1)).toMatchObject({ id: "t1" });
  await memory.close();
}

describe.skipIf(serverUrl === null)("a server that refuses", () => {
  for (const setting of ["lock_timeout", "statement_timeout"]) {
    it(`J5/E1: a write that ${setting} ends is busy, absent, and through once the lock is gone`, async () => {
      const { schema, admin } = await temporarySchema();
      const store = postgresStore({ connectionString: withSettings(`${setting}=60`), schema });
      await agentMeets(store, {
        code: "STORE_BUSY",
        retryable: true,
        reads: true,
        begin: async () => {
          // A reader isn't stopped by it.
          await admin.query(`BEGIN; LOCK TABLE "${schema}".turn, "${schema}".fact IN EXCLUSIVE MODE`);
        },
        end: () => admin.query("ROLLBACK"),
      });
    });
  }

  it("J10: a transaction that a deadlock ended is run again", { timeout: 30_000 }, async () => {
    const { schema, admin } = await temporarySchema();
    const store = postgresStore({ connectionString: withSettings("deadlock_timeout=50"), schema });
    await store.commitTurn(chat("c"), turnOf("t"));
    const watcher = new pg.Client({ connectionString: serverUrl ?? "" });
    await watcher.connect();
    onTestFinished(() => watcher.end());
    const count = "SELECT deadlocks::int AS n FROM pg_stat_database WHERE datname = current_database()";
    const deadlocks = async () => (await watcher.query(count)).rows[0]?.n;
    const before = await deadlocks();
    await admin.query("SET deadlock_timeout = '10min'");
    await admin.query("BEGIN");
    await admin.query(`SELECT 1 FROM "${schema}".turn FOR UPDATE`);
    // It locks the conversation, then waits for the turn; and the other way about.
    const change = store.changeTurns(chat("c"), [{ turn: "t", action: "hide" }]);
    const waits = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE $1";
    while ((await watcher.query(waits, [`%"${schema}".turn%`])).rows.length === 0);
    await admin.query(`SELECT 1 FROM "${schema}".conversation FOR UPDATE`);
    await admin.query("COMMIT");
    expect(await change).toBe(1);
    expect(await store.readTurns(chat("c"), { limit: 9 })).toEqual([]);
    await store.close();
    // The server counts it as its connection ends.
    while ((await deadlocks()) === before);
  });

  it("J10: where every transaction is serializable by default, writers at once lose nothing", {
    timeout: 60_000,
  }, async () => {
    const { schema } = await temporarySchema();
    const settings = withSettings("default_transaction_isolation=serializable");
    const store = postgresStore({ connectionString: settings, schema, maxConnections: 8 });
    const owner = { ...AGENT, scope: "user", id: "ann" } as const;
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let index = 0; index < 12; index++) {
        const id = `w${writer}-${index}`;
        const more = index % 4 === 3 ? { hides: [`w${writer}-${index - 1}`] } : {};
        expect((await store.commitTurn(chat("shared"), turnOf(id, { subject: "ann", ...more }))).status).toBe("stored");
        for (;;) {
          const [set] = await store.readFacts([owner], { now: at(1), limit: 1 });
          const value = String(Number(set?.facts[0]?.value ?? 0) + 1);
          const commit = { expectedVersion: set?.version ?? 0, now: at(1), put: [factOf("f", value)] };
          if ((await store.commitFacts(owner, commit)).status === "committed") break;
        }
      }
    });
    await Promise.all(writers);
    expect(await store.readConversation(chat("shared"))).toMatchObject({ lastSeq: 96, turns: 72 });
    const [set] = await store.readFacts([owner], { now: at(1), limit: 1 });
    expect(set?.facts[0]?.value).toBe("96");
    await store.close();
  });

  it("J5/E1: a server without a connection left is busy, and served once there is one", async () => {
    const { schema, admin } = await temporarySchema();
    const role = `${schema}_few`;
    await admin.query(`CREATE ROLE "${role}" LOGIN CONNECTION LIMIT 1 PASSWORD '${role}'`);
    await migrate({ connectionString: serverUrl ?? "", schema, appRole: role });
    const url = new URL(serverUrl ?? "");
    url.username = url.password = role;
    const [held, store] = [1, 2].map(() =>
      postgresStore({ connectionString: url.href, schema, migrate: false, maxConnections: 1 }),
    );
    if (held === undefined || store === undefined) throw new Error("Two were made.");
    const backends = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${role}'`;
    await agentMeets(store, {
      code: "STORE_BUSY",
      retryable: true,
      begin: async () => {
        await admin.query(backends);
        while ((await admin.query(`SELECT 1 FROM pg_stat_activity WHERE usename = '${role}'`)).rows.length > 0);
        await held.readConversation(chat("c"));
      },
      end: async () => {
        await held.close();
        while ((await admin.query(`SELECT 1 FROM pg_stat_activity WHERE usename = '${role}'`)).rows.length > 0);
      },
    });
    await admin.query(`DROP OWNED BY "${role}"; DROP ROLE "${role}"`);
  });

  it("J5/E1: a database that may only be read is read, and written again once it may be", async () => {
    const { server, admin } = await ownServer();
    const set = async (value: string) => {
      await admin.query(`ALTER SYSTEM SET default_transaction_read_only = ${value}`);
      await admin.query("SELECT pg_reload_conf()");
      const look = new pg.Client({ connectionString: server.url });
      await look.connect();
      while ((await look.query("SHOW default_transaction_read_only")).rows[0]?.default_transaction_read_only !== value);
      await look.end();
    };
    await agentMeets(postgresStore({ connectionString: server.url }), {
      code: "STORE_READ_ONLY",
      retryable: true,
      reads: true,
      begin: () => set("on"),
      end: () => set("off"),
    });
  });

  it("J5/E1: a password that was changed is refused for good, and taken once it is right", async () => {
    const { server, admin } = await ownServer();
    await admin.query("CREATE ROLE app LOGIN PASSWORD 'first'; GRANT CREATE ON DATABASE postgres TO app");
    const rules = "host all postgres 127.0.0.1/32 trust\nhost all all 127.0.0.1/32 scram-sha-256\n";
    writeFileSync(join(server.data, "pg_hba.conf"), rules);
    await admin.query("SELECT pg_reload_conf()");
    const url = new URL(server.url);
    [url.username, url.password] = ["app", "first"];
    await agentMeets(postgresStore({ connectionString: url.href }), {
      code: "STORE_UNREACHABLE",
      retryable: false,
      begin: async () => {
        await admin.query("ALTER ROLE app PASSWORD 'second'");
        await admin.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'app'");
        while ((await admin.query("SELECT 1 FROM pg_stat_activity WHERE usename = 'app'")).rows.length > 0);
      },
      end: () => admin.query("ALTER ROLE app PASSWORD 'first'"),
    });
  });

  it("J5/E1: a database that was dropped is unreachable for good, and used anew once there is one of its name", async () => {
    const { server, admin } = await ownServer();
    await admin.query("CREATE DATABASE agents");
    const url = new URL(server.url);
    url.pathname = "/agents";
    await agentMeets(postgresStore({ connectionString: url.href }), {
      code: "STORE_UNREACHABLE",
      retryable: false,
      begin: () => admin.query("DROP DATABASE agents WITH (FORCE)"),
      end: () => admin.query("CREATE DATABASE agents"),
    });
  });

  it("J5/E1: a schema that was dropped is said to be missing where the store may not make it, and used once it is back", async () => {
    const { schema, admin } = await temporarySchema();
    await migrate({ connectionString: serverUrl ?? "", schema });
    await agentMeets(postgresStore({ connectionString: serverUrl ?? "", schema, migrate: false }), {
      code: "STORE_FAILED",
      retryable: false,
      begin: () => admin.query(`DROP SCHEMA "${schema}" CASCADE`),
      end: () => migrate({ connectionString: serverUrl ?? "", schema }),
    });
  });

  it("J5/E1: a schema that was dropped beneath a store that may make it is made again by the next call", async () => {
    const { schema, admin } = await temporarySchema();
    const store = postgresStore({ connectionString: serverUrl ?? "", schema });
    await store.commitTurn(chat("c"), turnOf("t"));
    await admin.query(`DROP SCHEMA "${schema}" CASCADE`);
    expect((await store.commitTurn(chat("c"), turnOf("t"))).status).toBe("stored");
    await admin.query(`DROP SCHEMA "${schema}" CASCADE`);
    expect(await store.readTurns(chat("c"), { limit: 9 })).toEqual([]);
    // A part of it is no schema to be made: that would hide a loss.
    await admin.query(`DROP TABLE "${schema}".turn CASCADE`);
    await expect(store.commitTurn(chat("c"), turnOf("t2"))).rejects.toMatchObject({
      code: "STORE_FAILED",
      retryable: false,
    });
    await store.close();
  });
});
