import pg from "pg";
import { withClient } from "../lib/postgres-server.ts";
import type { Contender } from "../turn/contender.ts";
import { fillPeer, loadPeer, openPeer, type PeerStore, peerTurns, peerVersions } from "../turn/mastra-memory.ts";
import { createWorkload, type Workload } from "../turn/workload.ts";

interface PeerPg {
  PostgresStore: new (options: { id: string; pool: pg.Pool; schemaName: string }) => PeerStore;
}

/** Versions of what is installed in the peers' folder. */
export const mastraPgVersions = (folder: string): Record<string, string> =>
  peerVersions(folder, ["@mastra/core", "@mastra/memory", "@mastra/pg"]);

/** Conversations of different texts that the peer writes itself where the server copies the rest. */
const TEMPLATES = 20;

/** What the peer is opened with. */
export interface PeerOptions {
  name: string;
  schema: string;
  connections: number;
  /** Have the server copy most of the workload, which would take the peer hours. */
  copied?: boolean;
}

/** Mastra's memory on PostgreSQL, filled by the peer itself. */
export async function mastraPg(
  folder: string,
  url: string,
  workload: Workload,
  options: PeerOptions,
): Promise<Contender> {
  const { name, schema, connections: max, copied = false } = options;
  const { PostgresStore } = await loadPeer<PeerPg>(folder, "@mastra/pg");
  await withClient(url, (client) => client.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`));
  const pool = new pg.Pool({ connectionString: url, max });
  // A connection on its way out may still hear that the server ends.
  pool.on("error", () => undefined);
  const store = new PostgresStore({ id: schema, pool, schemaName: schema });
  const memory = await openPeer(folder, store);
  if (copied) {
    const small = createWorkload({ seed: workload.seed, messages: TEMPLATES * workload.threadMessages });
    await fillPeer(memory, { ...small, subjects: 1 });
    await withClient(url, (client) => copyTemplates(client, schema, workload));
  } else await fillPeer(memory, workload);
  const { rows } = await pool.query("SELECT tablename FROM pg_tables WHERE schemaname = $1", [schema]);
  for (const { tablename } of rows) await pool.query(`VACUUM ANALYZE ${schema}."${tablename}"`);
  return peerTurns(name, memory, workload, () => pool.end());
}

/** Copies rows of the templates, the ids of a thread and of its resource replaced. */
async function copyTemplates(client: pg.Client, schema: string, workload: Workload): Promise<void> {
  const { conversations, subjects } = workload;
  const copy = async (table: string, from: string, replaced: Record<string, string>) => {
    const { rows } = await client.query(
      "SELECT column_name AS name FROM information_schema.columns WHERE table_schema = $1 AND table_name = $2",
      [schema, table],
    );
    const names: string[] = rows.map(({ name }) => name);
    const values = names.map((name) => replaced[name] ?? `x."${name}"`);
    const columns = names.map((name) => `"${name}"`).join(", ");
    await client.query(`INSERT INTO ${schema}.${table} (${columns}) SELECT ${values.join(", ")} FROM ${from}`);
  };
  const id = "'conversation-' || c";
  const subject = `'subject-' || c % ${subjects}`;
  const template = `'conversation-' || c % ${TEMPLATES}`;
  const copies = `generate_series(${TEMPLATES}, ${conversations - 1}) c`;
  const of = (table: string, key: string) => `${copies} JOIN ${schema}.${table} x ON x.${key} = ${template}`;
  await copy("mastra_resources", `${schema}.mastra_resources x, generate_series(1, ${subjects - 1}) c`, {
    id: "'subject-' || c",
  });
  await copy("mastra_threads", of("mastra_threads", "id"), { id, resourceId: subject });
  // Side by side, as they would have come in.
  await copy("mastra_messages", `${of("mastra_messages", "thread_id")} ORDER BY x."createdAt", c`, {
    id: "gen_random_uuid()::text",
    thread_id: id,
    resourceId: subject,
  });
  for (const [table, key] of [
    ["mastra_threads", "id"],
    ["mastra_messages", "thread_id"],
  ] as const) {
    await client.query(
      `UPDATE ${schema}.${table} SET "resourceId" = 'subject-' || substr(${key}, 14)::int % ${subjects}
        WHERE substr(${key}, 14)::int < ${TEMPLATES}`,
    );
  }
}
