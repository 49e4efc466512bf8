import pg from "pg";
import { withClient } from "../lib/postgres-server.ts";
import type { Contender } from "../turn/contender.ts";
import { fillPeer, loadPeer, openPeer, type PeerStore, peerTurns, peerVersions } from "../turn/mastra-memory.ts";
import type { Workload } from "../turn/workload.ts";

interface PeerPg {
  PostgresStore: new (options: { id: string; pool: pg.Pool; schemaName: string }) => PeerStore;
}

/** Versions of what is installed in the peers' folder. */
export const mastraPgVersions = (folder: string): Record<string, string> =>
  peerVersions(folder, ["@mastra/core", "@mastra/memory", "@mastra/pg"]);

/** Mastra's memory on PostgreSQL, filled by the peer itself. */
export async function mastraPg(
  folder: string,
  url: string,
  workload: Workload,
  connections: number,
): Promise<Contender> {
  const { PostgresStore } = await loadPeer<PeerPg>(folder, "@mastra/pg");
  await withClient(url, (client) => client.query("DROP SCHEMA IF EXISTS mastra CASCADE"));
  const pool = new pg.Pool({ connectionString: url, max: connections });
  // A connection on its way out may still hear that the server ends.
  pool.on("error", () => undefined);
  const store = new PostgresStore({ id: "bench", pool, schemaName: "mastra" });
  const memory = await openPeer(folder, store);
  await fillPeer(memory, workload);
  const { rows } = await pool.query("SELECT tablename FROM pg_tables WHERE schemaname = 'mastra'");
  for (const { tablename } of rows) await pool.query(`VACUUM ANALYZE mastra."${tablename}"`);
  return peerTurns("@mastra/memory on @mastra/pg", memory, workload, () => pool.end());
}
