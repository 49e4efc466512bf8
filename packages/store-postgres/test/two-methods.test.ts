import { migrate, type PostgresClient, postgresStore } from "@throughline/store-postgres";
import { describeMemory, describeMemoryStore } from "@throughline/testkit";
import pg from "pg";
import postgres from "postgres";
import { afterAll, describe, expect, it } from "vitest";
import { at, chat, temporarySchema, turnOf } from "./support/fixtures.ts";
import { type HttpServer, httpClient, startHttpServer } from "./support/http-server.ts";
import { ReusedSchemas } from "./support/reused-schemas.ts";
import { twoRoles } from "./support/roles.ts";
import { serverUrl } from "./support/server.ts";

type Sql = postgres.Sql | postgres.TransactionSql;

/** The `postgres` package behind two methods. */
function postgresJs(sql: postgres.Sql): PostgresClient {
  const queryOn =
    (on: Sql): PostgresClient["query"] =>
    async (text, parameters) => [...(await on.unsafe(text, parameters.map(parameterOf)))];
  return {
    query: queryOn(sql),
    transaction: async <Result>(work: (query: PostgresClient["query"]) => Promise<Result>) => {
      // An array as a result would be taken for promises.
      const run = async (on: postgres.TransactionSql) => ({ result: await work(queryOn(on)) });
      return (await sql.begin("ISOLATION LEVEL READ COMMITTED", run)).result;
    },
  };
}

/** It guesses the type of an array from its first element, and wrongly: the server reads the type from the statement. */
function parameterOf(value: unknown): string | number | boolean | null | Uint8Array {
  if (Array.isArray(value)) return `{${value.map(elementOf).join(",")}}`;
  if (value === null || value instanceof Uint8Array) return value;
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  throw new Error("The store gives no other parameters.");
}

function elementOf(value: unknown): string {
  if (value === null) return "NULL";
  const text = value instanceof Uint8Array ? `\\x${Buffer.from(value).toString("hex")}` : String(value);
  return `"${text.replace(/["\\]/g, "\\$&")}"`;
}

describe.skipIf(serverUrl === null)("a client of two methods", () => {
  // The kit asks for a store while it collects: a skipped describe would be too late.
  if (serverUrl === null) return it.skip("needs a server");
  const admin = new pg.Pool({ connectionString: serverUrl, max: 2 });
  const sql = postgres(serverUrl, { max: 8, onnotice: () => undefined });
  const schemas = new ReusedSchemas(admin);
  let started: Promise<HttpServer> | undefined;
  const http = () => {
    started ??= startHttpServer(serverUrl ?? "");
    return started;
  };
  afterAll(async () => {
    await (await started)?.stop();
    await sql.end();
    await schemas.dropAll();
    await admin.end();
  });
  const destroy = ({ name }: { name: string }) => schemas.giveBack(name);

  const overHttp = async ({ name }: { name: string }) =>
    postgresStore({ client: httpClient((await http()).url).client, schema: schemas.of(name) });
  describeMemoryStore("J12: postgresStore over HTTP", { create: overHttp, reopen: overHttp, destroy });

  const onPostgresJs = ({ name }: { name: string }) =>
    postgresStore({ client: postgresJs(sql), schema: schemas.of(name) });
  describeMemory("J12: postgresStore on postgres.js", { create: onPostgresJs, destroy });

  for (const rowLevelSecurity of [false, true]) {
    const where = rowLevelSecurity ? "with the tenant named to the database" : "without row-level security";
    it(`J12: over HTTP a turn begins with one request and is recorded with one, ${where}`, async () => {
      const { schema } = await temporarySchema();
      const roles = twoRoles("http");
      if (rowLevelSecurity) await (await roles.open(schema)).close();
      else await migrate({ connectionString: serverUrl ?? "", schema });
      const url = new URL(serverUrl ?? "");
      if (rowLevelSecurity) url.username = url.password = roles.role;
      const server = await startHttpServer(url.href);
      const { client, requests } = httpClient(server.url);
      const store = postgresStore({ client, schema, rowLevelSecurity, migrate: false });
      await store.readConversation(chat("other"));
      requests();
      const window = { afterSummary: true, maxMessages: 20, maxTokens: 1_000 };
      const counts: number[] = [];
      for (let index = 0; index < 3; index++) {
        await store.readContext(chat("c"), { now: at(1), subject: "ann", window, facts: { limit: 12 } });
        counts.push(requests());
        expect((await store.commitTurn(chat("c"), turnOf(`t${index}`, { subject: "ann" }))).status).toBe("stored");
        counts.push(requests());
      }
      expect(counts).toEqual([1, 1, 1, 1, 1, 1]);
      // Another read names the tenant in a transaction of its own: begin, name, read, commit.
      await store.readTurns(chat("c"), { limit: 1 });
      expect(requests()).toBe(rowLevelSecurity ? 4 : 1);
      await server.stop();
      await roles.end();
    });
  }
});
