import { createMemory, type MemoryStore } from "@throughline/core";
import { migrate, type PostgresClient, postgresStore } from "@throughline/store-postgres";
import pg from "pg";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { poolClient } from "../src/pg-client.ts";
import { qualify, Session } from "../src/session.ts";
import { hasIndex, searchExactly, searchIndex, walkFrom } from "../src/vectors/search-pgvector.ts";
import { describeColumn, READ_COLUMN, toColumn } from "../src/vectors/vector-column.ts";
import { indexName, modelNumber } from "../src/vectors/vector-model.ts";
import { at, chat, turnOf } from "./support/fixtures.ts";
import { type VectorDatabase, vectorDatabases } from "./support/vector-databases.ts";
import { directions, fillVectors, MODEL, near, rounded, say } from "./support/vectors.ts";

const SCHEMA = "throughline";

for (const [name, make] of Object.entries(await vectorDatabases())) {
  describe(`pgvector on ${name}`, { timeout: 60_000 }, () => {
    async function fresh(): Promise<VectorDatabase> {
      const database = await make();
      onTestFinished(() => database.close());
      return database;
    }

    const storeOn = ({ client }: VectorDatabase, options: { migrate?: boolean } = {}): MemoryStore =>
      postgresStore({ client, ...options });

    it("J8: vectors kept before the extension came are searched by it after migrating again", async () => {
      const database = await fresh();
      const { client } = database;
      await migrate({ client });
      // Opened before, and may not migrate by itself.
      const running = storeOn(database, { migrate: false });
      expect(await running.vectors?.describe()).toBe("exact fallback");
      const vectors = directions(30);
      const [first = new Float32Array()] = vectors;
      const edges = [first.map(() => 0), first.map((value) => -value), first.map(() => 1e-40), first.map(() => -1e-20)];
      await say(running, "c", [...vectors, ...edges]);
      const queries = directions(5, MODEL.dimensions, 9);
      const before = await Promise.all(queries.map((query) => near(running, query)));
      expect(before[0]).toHaveLength(34);

      await client.query("CREATE EXTENSION vector", []);
      expect(await running.vectors?.describe()).toBe("exact fallback");
      expect(await migrate({ client })).toEqual({ version: 1 });
      expect(await running.vectors?.describe()).toMatch(/^pgvector 0\.[89]\.\d+ exact$/);
      const exact = await client.query(`SELECT v::text AS v FROM ${SCHEMA}.vector ORDER BY seq`, []);
      const kept = exact.map(({ v }) => Float32Array.from(JSON.parse(String(v))));
      expect(kept).toEqual([...vectors, ...edges]);

      for (const [index, query] of queries.entries()) {
        expect(rounded(await near(running, query))).toEqual(rounded(before[index] ?? []));
      }
      await say(running, "c", [first], { from: 35 });
      expect((await near(running, first, { limit: 2 })).map(({ message }) => message)).toEqual(["t35-q", "t1-q"]);
      await running.close();
    });

    it("J5: a role that may not create the extension is told what to run, and nothing was migrated by halves", async () => {
      const { client } = await fresh();
      const refusal = Object.assign(new Error("permission denied to create extension"), { code: "42501" });
      const refused: PostgresClient = {
        query: client.query,
        transaction: (work) =>
          client.transaction((query) =>
            work((sql, values) => (sql.startsWith("CREATE EXTENSION") ? Promise.reject(refusal) : query(sql, values))),
          ),
      };
      await expect(migrate({ client: refused, pgvector: true })).rejects.toMatchObject({
        code: "STORE_READ_ONLY",
        retryable: false,
        message: expect.stringContaining("CREATE EXTENSION vector"),
      });
      expect(await client.query(`SELECT to_regclass('${SCHEMA}.turn') AS made`, [])).toEqual([{ made: null }]);
    });

    it("J8: a store that took the column for bytes notices in the middle of its writes", async () => {
      const database = await fresh();
      await migrate({ client: database.client });
      const running = storeOn(database, { migrate: false });
      const [one = new Float32Array(), two = new Float32Array()] = directions(2);
      await say(running, "c", [one]);
      await migrate({ client: database.client, pgvector: true });
      await say(running, "c", [two], { from: 2 });
      expect((await near(running, two)).map(({ message }) => message)).toEqual(["t2-q", "t1-q"]);
    });

    it("J8/E3: work that ends finds that the column was made another meanwhile, and keeps its vectors", async () => {
      const database = await fresh();
      await migrate({ client: database.client });
      const running = storeOn(database, { migrate: false });
      const [one = new Float32Array(), two = new Float32Array()] = directions(2);
      const finish = async (seq: number, vector: Float32Array) => {
        await running.commitTurn(chat("c"), turnOf(`t${seq}`, { subject: "ann" }));
        const place = { turn: `t${seq}`, seq, position: 0, message: `t${seq}-q`, role: "user" as const };
        const vectors = { model: MODEL, documents: [{ ...place, createdAt: at(seq), vector }] };
        return running.finishWork?.(chat("c"), { vectors, settlement: { holder: "w", settledSeq: seq } });
      };
      expect(await finish(1, one)).toEqual({ indexed: false, vectors: 1 });
      const before = rounded(await near(running, one));
      await migrate({ client: database.client, pgvector: true });
      expect(await finish(2, two)).toEqual({ indexed: false, vectors: 1 });
      expect((await near(running, two)).map(({ message }) => message)).toEqual(["t2-q", "t1-q"]);
      expect(rounded(await near(running, one))[0]).toEqual(before[0]);
      expect(await running.readConversation(chat("c"))).toMatchObject({ settledSeq: 2 });
    });

    it("S1/J3: what is near is told apart whatever its ids hold", async () => {
      const database = await fresh();
      await migrate({ client: database.client, pgvector: true });
      const store = storeOn(database, { migrate: false });
      const [vector = new Float32Array()] = directions(1);
      const ids = ["plain", "row\u001erow", "column\u001fcolumn", "\u001e", 'quo"te\\'];
      for (const id of ids) {
        await say(store, id, [vector]);
        expect((await near(store, vector)).map(({ conversation }) => conversation)).toContain(id);
      }
      const found = await near(store, vector);
      expect(found.map(({ conversation }) => conversation).toSorted()).toEqual(ids.toSorted());
      expect(new Set(found.map(({ turn, subject, seq }) => `${turn} ${subject} ${seq}`))).toEqual(
        new Set(["t1 ann 1"]),
      );
      expect(await near(store, vector, { subject: "nobody" })).toEqual([]);
      // What is below the floor isn't sent.
      expect(
        await near(
          store,
          vector.map((value) => -value),
          { floor: 0.5 },
        ),
      ).toEqual([]);
    });

    it("J8/T6: a store that migrates itself takes the extension up with the first use, and the manifest says so", async () => {
      const database = await fresh();
      const early = storeOn(database);
      await say(early, "c", directions(3));
      const embedder = { modelId: "m", dimensions: 1, embed: async () => [] };
      const manifestOf = (store: MemoryStore) => createMemory({ agent: "helper", store, embedder, env: {} }).manifest();
      expect((await manifestOf(early)).store).toMatchObject({ name: "postgres", vectors: "exact fallback" });
      await database.client.query("CREATE EXTENSION vector", []);
      const later = storeOn(database);
      const [query = new Float32Array()] = directions(1);
      expect((await near(later, query)).map(({ message }) => message)[0]).toBe("t1-q");
      const { store } = await manifestOf(later);
      expect(store.capabilities.vectorSearch).toBe(true);
      expect(store.vectors).toMatch(/^pgvector \d+\.\d+\.\d+ exact$/);
      expect((await near(early, query)).map(({ message }) => message)[0]).toBe("t1-q");
    });

    it("J8: the extension may live in a schema that no search path names", async () => {
      const database = await fresh();
      await database.client.query('CREATE SCHEMA "Extra things"', []);
      await database.client.query('CREATE EXTENSION vector SCHEMA "Extra things"', []);
      await migrate({ client: database.client, hnsw: [MODEL] });
      const store = storeOn(database, { migrate: false });
      await say(store, "c", directions(3));
      const [query = new Float32Array()] = directions(1);
      expect(await near(store, query)).toHaveLength(3);
      expect(await store.vectors?.describe()).toMatch(/exact\+hnsw$/);
    });

    it("J8: HNSW is refused where it can't be had, and long vectors are searched exactly", async () => {
      const database = await fresh();
      const { client } = database;
      await expect(migrate({ client, hnsw: [MODEL] })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
      await migrate({ client, pgvector: true });
      const long = { modelId: "long", dimensions: 4_001 };
      await expect(migrate({ client, hnsw: [long] })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
      const store = storeOn(database);
      const vectors = directions(3, long.dimensions);
      await say(store, "c", vectors, { model: long });
      const [, second = new Float32Array()] = vectors;
      expect((await near(store, second, { model: long }))[0]?.message).toBe("t2-q");
      const longest = { modelId: "longest", dimensions: 16_001 };
      const asked = near(store, new Float32Array(longest.dimensions), { model: longest });
      await expect(asked).rejects.toMatchObject({ code: "VALUE_TOO_LARGE" });
    });

    it("J8: an index is built once, and again where a broken build left it useless", async () => {
      const database = await fresh();
      const { client } = database;
      await migrate({ client, pgvector: true, hnsw: [MODEL, { ...MODEL, dimensions: 3 }] });
      const read = () =>
        client.query(
          `SELECT c.oid::text AS oid, i.indisvalid AS valid FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
            WHERE c.relname = $1`,
          [indexName(MODEL)],
        );
      const [made] = await read();
      await migrate({ client, hnsw: [MODEL] });
      expect(await read()).toEqual([made]);
      await client.query("UPDATE pg_index SET indisvalid = false WHERE indexrelid = $1::oid", [made?.oid]);
      await migrate({ client, hnsw: [MODEL] });
      const [again] = await read();
      expect(again?.valid).toBe(true);
      expect(again?.oid).not.toBe(made?.oid);
    });

    // Too much for a database without the machine's own arithmetic.
    if (name !== "PGlite") {
      it("J8: vectors of 2001 to 4000 numbers are indexed at half the precision and scored at the whole", {
        timeout: 60_000,
      }, async () => {
        const database = await fresh();
        const { client } = database;
        const model = { modelId: "half", dimensions: 2_001 };
        await migrate({ client, pgvector: true });
        const rows = { tenant: "acme", subject: "ann", model: modelNumber(model), dimensions: model.dimensions };
        await fillVectors(client, SCHEMA, { ...rows, count: 430 });
        await migrate({ client, hnsw: [model] });
        const column = toColumn((await client.query(READ_COLUMN, [`"${SCHEMA}".vector`]))[0]);
        if (column.kind !== "pgvector") throw new Error("There is an extension.");
        const [query = new Float32Array()] = directions(1, model.dimensions, 5);
        const owner = { tenant: "acme", agent: "helper" };
        const asked = { model, vector: query, limit: 10, floor: -2 };
        const statements: string[] = [];
        const walked = await client.transaction((run) => {
          const watched: typeof run = (sql, parameters) => {
            statements.push(sql);
            return run(sql, parameters);
          };
          const session = new Session(watched, qualify(SCHEMA), undefined);
          return searchIndex(session, column, owner, { kind: "subject", subject: "ann" }, asked);
        });
        expect(statements).toHaveLength(2);
        expect(statements[1]).toContain("halfvec(2001)");
        const session = new Session(client.query, qualify(SCHEMA), undefined);
        const exact = await searchExactly(session, column, owner, { kind: "subject", subject: "ann" }, asked);
        expect(rounded(walked)).toEqual(rounded(exact));
      });
    }

    describe("with an owner of more than ten thousand vectors", () => {
      const model = { modelId: "many", dimensions: 32 };
      // Half of them is still enough for a walk where the server is a real one.
      const HEAVY = name === "PGlite" ? 12_000 : 26_000;
      const number = modelNumber(model);
      let database: VectorDatabase;
      let statements: { sql: string; parameters: readonly unknown[] }[] = [];
      let store: MemoryStore;

      beforeAll(async () => {
        database = await make();
        const { client } = database;
        await migrate({ client, pgvector: true });
        const rows = { tenant: "acme", model: number, dimensions: model.dimensions };
        await fillVectors(client, SCHEMA, { ...rows, subject: "heavy", count: HEAVY });
        await fillVectors(client, SCHEMA, { ...rows, subject: "light", count: 600 });
        await fillVectors(client, SCHEMA, { ...rows, subject: "heavy", count: 8_000, tenant: "other" });
        await client.query(`ANALYZE ${SCHEMA}.vector`, []);
        await migrate({ client, hnsw: [model] });
        const watch =
          (run: typeof client.query): typeof client.query =>
          (sql, parameters, ...rest) => {
            statements.push({ sql, parameters });
            return run(sql, parameters, ...rest);
          };
        store = postgresStore({
          client: { query: watch(client.query), transaction: (work) => client.transaction((run) => work(watch(run))) },
          vectorCacheBytes: 0,
        });
        return async () => {
          await store.close();
          await database.close();
        };
      }, 180_000);

      const walks = () => statements.filter(({ sql }) => sql.includes("hnsw.iterative_scan")).length;
      const searches = () => statements.filter(({ sql }) => sql.includes("<#>"));
      const queriesOf = async (): Promise<Float32Array[]> => {
        const rows = await database.client.query(
          `SELECT v::text AS v FROM ${SCHEMA}.vector WHERE tenant = 'acme' AND subject = 'heavy' AND seq % 600 = 7 LIMIT 20`,
          [],
        );
        const noise = directions(rows.length, model.dimensions, 3);
        return rows.map(({ v }, index) => {
          const vector = Float32Array.from(JSON.parse(String(v)));
          const mixed = vector.map((value, place) => value + 0.5 * (noise[index]?.[place] ?? 0));
          const length = Math.hypot(...mixed);
          return mixed.map((value) => value / length);
        });
      };
      const exactly = async (vector: Float32Array, where: string, limit: number): Promise<string[]> => {
        const rows = await database.client.query(
          `SELECT message FROM ${SCHEMA}.vector WHERE tenant = 'acme' AND subject = 'heavy' AND model = $1::bigint
            AND ${where} ORDER BY v <#> $2::text::vector LIMIT ${limit}`,
          [number, `[${vector.join()}]`],
        );
        return rows.map(({ message }) => String(message));
      };

      const half = ["its owner and role", { role: "user" }, "role = 'user'"] as const;
      for (const [title, filter, where] of [
        ["its owner alone", {}, "true"],
        ["its owner and time", { from: "0001000" }, "created_at >= '0001000'"],
        ...(name === "PGlite" ? [] : [half]),
      ] as const) {
        it(`J8: HNSW narrowed by ${title} finds at least 95 % of what comparing all does`, {
          timeout: 60_000,
        }, async () => {
          statements = [];
          let found = 0;
          const queries = await queriesOf();
          for (const vector of queries) {
            const given = await near(store, vector, { model, subject: "heavy", limit: 20, ...filter });
            expect(given).toHaveLength(20);
            const wanted = new Set(await exactly(vector, where, 20));
            found += given.filter(({ message, subject }) => subject === "heavy" && wanted.has(message)).length;
          }
          expect(queries).toHaveLength(20);
          expect(walks()).toBe(20);
          expect(searches()).toHaveLength(20);
          expect(found / (20 * queries.length)).toBeGreaterThanOrEqual(0.95);
        });
      }

      it("J8: the walk goes through the index, and nothing that is set for it outlives its transaction", async () => {
        statements = [];
        const [vector = new Float32Array()] = await queriesOf();
        await near(store, vector, { model, subject: "heavy", limit: 20 });
        const { sql, parameters } = searches()[0] ?? expect.fail("Nothing was searched.");
        const plan = await database.client.transaction(async (query) => {
          await query("SELECT set_config('enable_sort', 'off', true)", []);
          return query(`EXPLAIN ${sql}`, parameters);
        });
        expect(JSON.stringify(plan)).toContain(indexName(model));
        const [settings] = await database.client.query(
          "SELECT current_setting('enable_sort') AS sort, current_setting('hnsw.iterative_scan') AS scan",
          [],
        );
        expect(settings).toEqual({ sort: "on", scan: "off" });
      });

      it("J8: without iterating, the same walk loses most of what a filter leaves", async () => {
        const [vector = new Float32Array()] = await queriesOf();
        const from = `00${HEAVY - 1_000}`;
        const where = `role = 'user' AND created_at >= '${from}'`;
        const rows = await database.client.transaction(async (query) => {
          await query(
            "SELECT set_config('enable_sort', 'off', true), set_config('hnsw.iterative_scan', 'off', true)",
            [],
          );
          return query(
            `SELECT message FROM ${SCHEMA}.vector WHERE tenant = 'acme' AND subject = 'heavy' AND model = ${number}::bigint
              AND ${where} ORDER BY (v::vector(32)) <#> $1::text::vector(32) LIMIT 20`,
            [`[${vector.join()}]`],
          );
        });
        expect(rows.length).toBeLessThan(10);
        const given = await near(store, vector, { model, subject: "heavy", limit: 20, role: "user", from });
        const wanted = new Set(await exactly(vector, where, 20));
        expect(given.filter(({ message }) => wanted.has(message)).length).toBeGreaterThanOrEqual(19);
      });

      it("J8: a walk that ends before it has seen enough is done again by comparing all", async () => {
        const { client } = database;
        const [vector = new Float32Array()] = await queriesOf();
        const column = toColumn((await client.query(READ_COLUMN, [`"${SCHEMA}".vector`]))[0]);
        if (column.kind !== "pgvector") throw new Error("There is an extension.");
        const scope = { kind: "subject", subject: "heavy" } as const;
        const from = `00${HEAVY - 6}`;
        const asked = { model, vector, limit: 20, floor: -2, from };
        const ran: string[] = [];
        const found = await client.transaction((run) => {
          const watched: typeof run = (sql, parameters) => {
            ran.push(sql);
            return run(sql, parameters);
          };
          const session = new Session(watched, qualify(SCHEMA), undefined);
          return searchIndex(session, column, { tenant: "acme", agent: "helper" }, scope, asked);
        });
        expect(found.map(({ message }) => message)).toEqual(await exactly(vector, `created_at >= '${from}'`, 20));
        expect(found).toHaveLength(7);
        expect(ran.filter((sql) => sql.includes("<#>"))).toHaveLength(2);
      });

      it("J8: an owner of fewer is compared exactly, in an index of everybody's too", async () => {
        statements = [];
        const [vector = new Float32Array()] = await queriesOf();
        expect(await near(store, vector, { model, subject: "light", limit: 200 })).toHaveLength(200);
        // Eight thousand, of a tenant of its own.
        const others = await near(store, vector, { model, subject: "heavy", tenant: "other", limit: 5 });
        expect(others).toHaveLength(5);
        // Enough vectors, but a filter that leaves few.
        const few = await near(store, vector, { model, subject: "heavy", limit: 20, from: "0010000", to: "0010010" });
        expect(few.map(({ message }) => message)).toEqual(
          await exactly(vector, "created_at >= '0010000' AND created_at < '0010010'", 20),
        );
        expect(walks()).toBe(0);
        expect(await near(store, vector, { model: { ...model, modelId: "none" }, subject: "heavy" })).toEqual([]);
      });

      // Roles and policies are tried where they hold for each connection by itself.
      if (name !== "PGlite") {
        it("J8/J9: an app's role walks the index under row-level security, past every other tenant's", {
          timeout: 60_000,
        }, async () => {
          const { client, url = "" } = database;
          const role = `throughline_walker_${process.pid}`;
          await client.query(`CREATE ROLE "${role}" LOGIN PASSWORD '${role}'`, []);
          onTestFinished(async () => {
            await client.query(`DROP OWNED BY "${role}"`, []);
            await client.query(`DROP ROLE "${role}"`, []);
          });
          await migrate({ client, rowLevelSecurity: true, appRole: role });
          const asRole = new URL(url);
          [asRole.username, asRole.password] = [role, role];
          const pool = new pg.Pool({ connectionString: asRole.href, max: 2 });
          const app = poolClient(pool);
          const walked: string[] = [];
          const watched: PostgresClient = {
            query: app.query,
            transaction: (work) =>
              app.transaction((run) =>
                work(async (sql, parameters) => {
                  if (sql.includes("<#>")) walked.push(JSON.stringify(await run(`EXPLAIN ${sql}`, parameters)));
                  return run(sql, parameters);
                }),
              ),
          };
          const scoped = postgresStore({ client: watched, rowLevelSecurity: true, migrate: false });
          let found = 0;
          const queries = await queriesOf();
          for (const vector of queries) {
            const given = await near(scoped, vector, { model, subject: "heavy", limit: 20 });
            const wanted = new Set(await exactly(vector, "true", 20));
            found += given.filter(
              ({ message, conversation }) => conversation === "c-heavy" && wanted.has(message),
            ).length;
          }
          expect(found / (20 * queries.length)).toBeGreaterThanOrEqual(0.95);
          expect(walked.filter((plan) => plan.includes(indexName(model)))).toHaveLength(queries.length);
          await expect(migrate({ client: app, pgvector: true })).rejects.toMatchObject({ code: "STORE_READ_ONLY" });
          const [vector = new Float32Array()] = queries;
          expect(await near(scoped, vector, { model, subject: "heavy", tenant: "nobody" })).toEqual([]);
          await pool.end();
        });
      }
    });
  });
}

describe("how vectors are searched", () => {
  it("J8: pgvector before 0.8 can't iterate, so everything is compared exactly", () => {
    const row = { type: "vector", schema: "public", indexes: JSON.stringify([[indexName(MODEL), 50_000]]) };
    const column = toColumn({ ...row, version: "0.7.4" });
    if (column.kind !== "pgvector") throw new Error("There is an extension.");
    expect([describeColumn(column), hasIndex(column, MODEL)]).toEqual(["pgvector 0.7.4 exact", false]);
    for (const version of ["0.8.0", "0.10.1", "1.0.0"]) {
      const newer = toColumn({ ...row, version });
      expect(describeColumn(newer)).toBe(`pgvector ${version} exact+hnsw`);
      expect(newer.kind === "pgvector" && hasIndex(newer, MODEL)).toBe(true);
    }
  });

  it("J8: the larger the index, the larger an owner must be to walk it", () => {
    const from = (limit: number) => [0, 20_000, 1_000_000, 100_000_000].map((indexed) => walkFrom(indexed, limit));
    expect(from(20)).toEqual(from(200));
    expect(from(200)).toEqual([10_001, 10_001, 66_334, 663_326]);
  });
});
