import { createMemory, type Memory } from "@throughline/core";
import { postgresStore } from "@throughline/store-postgres";
import type pg from "pg";
import { withClient } from "../lib/postgres-server.ts";
import type { Contender } from "../turn/contender.ts";
import { fillMemory, memoryTurns } from "../turn/throughline.ts";
import { AGENT, createWorkload, type Workload } from "../turn/workload.ts";

/** Conversations of different texts that the memory writes itself; the server copies them. */
const TEMPLATES = 20;

/** A schema that holds the whole workload. Nothing is due in it; the keyword index is empty, as no turn reads it. */
export async function fillThroughline(url: string, workload: Workload, options: { schema: string }): Promise<void> {
  const { schema } = options;
  const small = createWorkload({ seed: workload.seed, messages: TEMPLATES * workload.threadMessages });
  await withClient(url, (client) => client.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`));
  const store = postgresStore({ connectionString: url, schema });
  await fillMemory(store, { ...small, subjects: 1 });
  await store.close();
  await withClient(url, async (client) => {
    await copyTemplates(client, schema, workload);
    const { rows } = await client.query("SELECT tablename FROM pg_tables WHERE schemaname = $1", [schema]);
    for (const { tablename } of rows) await client.query(`VACUUM ANALYZE ${schema}.${tablename}`);
  });
}

/** Copies rows of the templates, the key of a conversation and of its subject replaced. */
async function copyTemplates(client: pg.Client, schema: string, workload: Workload): Promise<void> {
  const { conversations, subjects } = workload;
  const copies = `generate_series(${TEMPLATES}, ${conversations - 1}) c`;
  const subject = `'subject-' || c % ${subjects}`;
  const template = `'conversation-' || c % ${TEMPLATES}`;
  const copy = async (table: string, from: string, order: string, replaced: Record<string, string>) => {
    const { rows } = await client.query(
      "SELECT column_name AS name FROM information_schema.columns WHERE table_schema = $1 AND table_name = $2",
      [schema, table],
    );
    const names: string[] = rows.map(({ name }) => name);
    const values = names.map((name) => replaced[name] ?? `x.${name}`);
    await client.query(
      `INSERT INTO ${schema}.${table} (${names.join(", ")}) SELECT ${values.join(", ")} FROM ${from} ORDER BY ${order}`,
    );
  };
  const id = "'conversation-' || c";
  await client.query(`UPDATE ${schema}.conversation SET settled_seq = last_seq, indexed_seq = last_seq`);
  const bySubject = `${schema}.fact x, generate_series(1, ${subjects - 1}) c`;
  await copy("fact", `${bySubject} WHERE x.owner = 'subject-0'`, "c", { owner: "'subject-' || c" });
  const owners = `${schema}.fact_owner x, generate_series(1, ${subjects - 1}) c WHERE x.id = 'subject-0'`;
  await copy("fact_owner", owners, "c", { id: "'subject-' || c" });
  await copy("conversation", `${copies} JOIN ${schema}.conversation x ON x.id = ${template}`, "c", { id, subject });
  const of = (table: string) => `${copies} JOIN ${schema}.${table} x ON x.conversation = ${template}`;
  await copy("summary", of("summary"), "c", { conversation: id });
  await copy("turn", of("turn"), "x.seq, c", { conversation: id, subject });
  await copy("message", of("message"), "x.seq, c", { conversation: id });
  // The templates are of one subject, so that its facts are copied once.
  for (const [table, key] of [
    ["conversation", "id"],
    ["turn", "conversation"],
  ] as const) {
    await client.query(
      `UPDATE ${schema}.${table} SET subject = 'subject-' || substr(${key}, 14)::int % ${subjects}
        WHERE substr(${key}, 14)::int < ${TEMPLATES}`,
    );
  }
}

/** What a contender is opened with. */
export interface ThroughlineOptions {
  name: string;
  schema: string;
  connections: number;
  prepare?: boolean;
}

/** A turn through the public path: `begin`, then `complete`. */
export function throughline(url: string, workload: Workload, options: ThroughlineOptions): Contender {
  const { name, schema, connections, prepare } = options;
  const store = postgresStore({
    connectionString: url,
    schema,
    maxConnections: connections,
    ...(prepare === undefined ? {} : { prepare }),
  });
  const memory: Memory = createMemory({ agent: AGENT, store, env: {} });
  return memoryTurns(name, memory, workload);
}
