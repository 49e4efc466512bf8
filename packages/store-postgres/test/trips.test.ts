import { createMemory, MemoryError, type MemoryStore } from "@throughline/core";
import { migrate, type PostgresClient, type PostgresQuery, postgresStore } from "@throughline/store-postgres";
import pg from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import { AGENT, at, chat, temporarySchema, turnOf } from "./support/fixtures.ts";
import { serverUrl } from "./support/server.ts";

/** A client of two methods on one connection that counts its trips, as a driver over HTTP would make them. */
async function countingClient(): Promise<{ client: PostgresClient; trips: () => number }> {
  const connection = new pg.Client({ connectionString: serverUrl ?? "" });
  await connection.connect();
  onTestFinished(() => connection.end());
  let trips = 0;
  const query: PostgresQuery = async (sql, parameters) => {
    trips += 1;
    return (await connection.query(sql, [...parameters])).rows;
  };
  const client: PostgresClient = {
    query,
    transaction: async (work) => {
      await query("BEGIN", []);
      try {
        const result = await work(query);
        await query("COMMIT", []);
        return result;
      } catch (error) {
        await query("ROLLBACK", []);
        throw error;
      }
    },
  };
  const since = () => {
    const count = trips;
    trips = 0;
    return count;
  };
  return { client, trips: since };
}

/** What a search asks for, by words. */
const SEARCH = {
  scope: { kind: "subject", subject: "ann" },
  resolve: true,
  now: at(1),
  words: { terms: ["word"], groups: ["said"], unindexed: 10 },
  facts: { limit: 10 },
  records: { namespace: ["n"], keys: ["k"] },
} as const;

/** Begins a search and reads what it found. */
async function search(store: MemoryStore, trips: () => number): Promise<number[]> {
  const found = await store.readSearch?.(chat("c"), SEARCH);
  expect(found).toMatchObject({ subject: "ann", postings: { documents: 0 }, behind: [{ conversation: "c" }] });
  expect(found?.unindexed).toHaveLength(3);
  const counts = [trips()];
  const hits = await store.readHits?.(chat("c"), { documents: [1], places: [{ conversation: "c", turn: "t1" }] });
  expect(hits?.turns).toHaveLength(1);
  return [...counts, trips()];
}

async function turns(store: MemoryStore, trips: () => number): Promise<number[]> {
  const window = { afterSummary: true, maxMessages: 20, maxTokens: 1000 };
  const counts: number[] = [];
  for (let index = 0; index < 3; index++) {
    await store.readContext(chat("c"), { now: at(1), subject: "ann", window, facts: { limit: 12 } });
    counts.push(trips());
    expect((await store.commitTurn(chat("c"), turnOf(`t${index}`, { subject: "ann" }))).status).toBe("stored");
    counts.push(trips());
  }
  return counts;
}

/** Trips of the work on a conversation: claimed with what it begins with, and written with what settles it. */
async function work(store: MemoryStore, trips: () => number): Promise<number[]> {
  const embed = async (texts: readonly string[]) => texts.map(() => Float32Array.of(1, 0));
  const embedder = { modelId: "flat", dimensions: 2, embed };
  const memory = createMemory({ agent: "helper", tenant: "acme", store, embedder, env: {}, onEvent: () => {} });
  const talk = memory.conversation({ id: "worked", subject: "ann" });
  const counts: number[] = [];
  for (let index = 0; index < 4; index++) {
    await talk.record({ messages: [{ role: "user", content: `tea number ${index}` }] });
    trips();
    await memory.settled();
    counts.push(trips());
  }
  expect((await store.readConversation(chat("worked")))?.settledSeq).toBe(4);
  const { hits } = await memory.subject("ann").search("tea number 3");
  expect(hits[0]).toMatchObject({ conversation: "worked" });
  const near = { model: embedder, vector: Float32Array.of(1, 0), limit: 9, floor: 0 };
  expect(await store.vectors?.nearest(AGENT, { kind: "subject", subject: "ann" }, near)).toHaveLength(4);
  // The first measures what is near by this embedder.
  return counts.slice(1);
}

describe.skipIf(serverUrl === null)("trips to the server", () => {
  it("J12: one to begin a turn and one to record it, the first of a conversation too", async () => {
    const { schema } = await temporarySchema();
    await migrate({ connectionString: serverUrl ?? "", schema });
    const { client, trips } = await countingClient();
    const store = postgresStore({ client, schema });
    await store.readConversation(chat("other"));
    // The first search of a process finds out beside it how vectors are kept.
    await store.readSearch?.(AGENT, SEARCH);
    trips();
    expect(await turns(store, trips)).toEqual([1, 1, 1, 1, 1, 1]);
    expect(await search(store, trips)).toEqual([1, 1]);
    await store.close();
  });

  it("J12: two for the work on a turn, one to claim it with what it begins with and one for all that came of it", async () => {
    const { schema } = await temporarySchema();
    await migrate({ connectionString: serverUrl ?? "", schema });
    const { client, trips } = await countingClient();
    const store = postgresStore({ client, schema });
    expect(await work(store, trips)).toEqual([2, 2, 2]);
    await store.close();
  });

  it("Z5/J12: one for each thing that is done with checkpoints", async () => {
    const { schema } = await temporarySchema();
    await migrate({ connectionString: serverUrl ?? "", schema });
    const { client, trips } = await countingClient();
    const store = postgresStore({ client, schema });
    const { checkpoints } = store;
    if (checkpoints === undefined) throw new Error("The store keeps checkpoints.");
    await store.readConversation(chat("c"));
    trips();
    const put = (id: string, parent?: string) =>
      checkpoints.put(chat("c"), {
        space: "",
        id,
        ...(parent === undefined ? {} : { parent }),
        subject: "ann",
        now: at(1),
        values: [{ name: "m", value: [JSON.stringify(id), '"x"'] }],
        tags: [],
        body: "{}",
      });
    const writes = [
      { index: 0, name: "m", text: "1" },
      { index: -1, name: "n", text: "1", replaces: true },
    ];
    const calls = [
      () => put("a"),
      () => put("b", "a"),
      () => checkpoints.putWrites(chat("c"), { space: "", checkpoint: "b", task: "t", path: "", writes }),
      () => checkpoints.read(chat("c"), { space: "" }),
      () => checkpoints.list(chat("c"), { conversation: "c", limit: 9 }),
      () => checkpoints.list(chat("c"), { limit: 9 }),
      () => checkpoints.history(chat("c"), { space: "", id: "b", names: ["m", "n"] }),
      () => checkpoints.threads(chat("c"), { limit: 9 }),
      () => checkpoints.copy(chat("c"), { conversation: "d", now: at(1) }),
      () => checkpoints.remove(chat("c"), [{ space: "", id: "a" }]),
      () => checkpoints.remove(chat("c")),
    ];
    const counts: number[] = [];
    for (const call of calls) {
      await call();
      counts.push(trips());
    }
    expect(counts).toEqual(calls.map(() => 1));
    await store.close();
  });

  it("J12: the tenant is set inside the same trip", async () => {
    const { schema, admin } = await temporarySchema();
    const role = `${schema}_app`;
    await admin.query(`CREATE ROLE "${role}" LOGIN`);
    onTestFinished(async () => {
      const end = new pg.Client({ connectionString: serverUrl ?? "" });
      await end.connect();
      await end.query(`DROP OWNED BY "${role}"; DROP ROLE "${role}"`);
      await end.end();
    });
    await migrate({ connectionString: serverUrl ?? "", schema, rowLevelSecurity: true, appRole: role });
    const { client, trips } = await countingClient();
    await client.query(`SET ROLE "${role}"`, []);
    const store = postgresStore({ client, schema, rowLevelSecurity: true });
    await store.readConversation(chat("other"));
    // The first search of a process finds out beside it how vectors are kept.
    await store.readSearch?.(AGENT, SEARCH);
    trips();
    expect(await turns(store, trips)).toEqual([1, 1, 1, 1, 1, 1]);
    expect(await search(store, trips)).toEqual([1, 1]);
    expect(await work(store, trips)).toEqual([2, 2, 2]);
    await client.query("RESET ROLE", []);
    await store.close();
  });

  it("J12: the statements of a turn are prepared unless that is turned off, and nothing else is", async () => {
    const { schema } = await temporarySchema();
    const pool = new pg.Pool({ connectionString: serverUrl ?? "", max: 1 });
    for (const prepare of [false, undefined]) {
      const store = postgresStore({ pool, schema, ...(prepare === undefined ? {} : { prepare }) });
      for (let index = 0; index < 3; index++) {
        await store.readContext(chat("c"), { now: at(1), window: null, facts: null });
        expect((await store.commitTurn(chat("c"), turnOf(`${prepare} ${index}`))).status).toBe("stored");
        await store.readTurns(chat("c"), { limit: 1 });
      }
      await store.close();
      const { rows } = await pool.query("SELECT name FROM pg_prepared_statements ORDER BY name");
      const names = prepare === false ? [] : ["begin", "commit"];
      expect(rows.map(({ name }) => name)).toEqual(names.map((name) => `throughline ${schema} ${name}`));
    }
    await pool.end();
  });

  it("J10: where a name is another connection's, the call is run without and nothing is prepared again", async () => {
    const { schema } = await temporarySchema();
    const pool = new pg.Pool({ connectionString: serverUrl ?? "", max: 1 });
    // As a pooler does that lends one connection to two clients.
    const names: (string | undefined)[] = [];
    const lent: PostgresQuery = async (text, parameters, name) => {
      names.push(name);
      if (name !== undefined) throw Object.assign(new Error("exists"), { code: "42P05", severity: "ERROR" });
      return (await pool.query(text, [...parameters])).rows;
    };
    await migrate({ connectionString: serverUrl ?? "", schema });
    const store = postgresStore({ client: { query: lent, transaction: (work) => work(lent) }, schema, migrate: false });
    const both = ["a", "b"].map((id) => store.commitTurn(chat("c"), turnOf(id)));
    expect((await Promise.all(both)).map(({ status }) => status)).toEqual(["stored", "stored"]);
    expect((await store.commitTurn(chat("c"), turnOf("d"))).status).toBe("stored");
    expect(names.filter((name) => name !== undefined)).toHaveLength(2);
    await store.close();
    await pool.end();
  });

  it("J10: closing leaves a pool and a client that were given open", async () => {
    const { schema } = await temporarySchema();
    const pool = new pg.Pool({ connectionString: serverUrl ?? "", max: 1 });
    const store = postgresStore({ pool, schema });
    await store.readConversation(chat("c"));
    await store.close();
    await store.close();
    expect((await pool.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
    await pool.end();
  });

  it("E5: a signal ends a read that waits for the server", { timeout: 20_000 }, async () => {
    const { schema, admin } = await temporarySchema();
    const store = postgresStore({ connectionString: serverUrl ?? "", schema, maxConnections: 1 });
    await store.commitTurn(chat("c"), turnOf("t"));
    await admin.query(`BEGIN; LOCK TABLE "${schema}".turn IN ACCESS EXCLUSIVE MODE`);
    const controller = new AbortController();
    const read = store.readTurns(chat("c"), { limit: 1 }, { signal: controller.signal });
    setTimeout(() => controller.abort(), 20);
    expect(await read.catch((error: unknown) => MemoryError.isInstance(error) && error.code)).toBe("ABORTED");
    await admin.query("ROLLBACK");
    expect(await store.readTurns(chat("c"), { limit: 1 })).toHaveLength(1);
    await store.close();
  });

  it("J10: a pool of one connection serves any number of calls at once", async () => {
    const { schema } = await temporarySchema();
    const store = postgresStore({ connectionString: serverUrl ?? "", schema, maxConnections: 1 });
    const work = Array.from({ length: 30 }, (_, index) => store.commitTurn(chat("c"), turnOf(`t${index}`)));
    const seqs = (await Promise.all(work)).map((commit) => commit.status === "stored" && commit.seq);
    expect(seqs.sort((left, right) => Number(left) - Number(right))).toEqual(
      Array.from({ length: 30 }, (_, n) => n + 1),
    );
    await store.close();
  });
});
