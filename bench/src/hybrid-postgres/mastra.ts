import pg from "pg";
import { openHybrid, recallingTurns } from "../hybrid/mastra-recall.ts";
import { quietPool } from "../lib/quiet-pool.ts";
import type { Contender } from "../turn/contender.ts";
import { fillPeer, loadPeer, type PeerStore } from "../turn/mastra-memory.ts";
import type { Workload } from "../turn/workload.ts";
import { CONNECTIONS } from "./throughline.ts";

// What is used of the peer: it is no dependency, so its own types aren't at hand.
interface PeerPg {
  PostgresStore: new (options: { id: string; pool: pg.Pool; schemaName: string; disableInit: boolean }) => PeerStore;
  PgVector: new (options: {
    id: string;
    connectionString: string;
    schemaName: string;
    max: number;
  }) => {
    pool: pg.Pool;
    disconnect(): Promise<void>;
  };
}

export const MASTRA_SCHEMA = "mastra";

async function open(folder: string, url: string, init: boolean) {
  const { PostgresStore, PgVector } = await loadPeer<PeerPg>(folder, "@mastra/pg");
  const pool = new pg.Pool({ connectionString: url, max: CONNECTIONS });
  const storage = new PostgresStore({ id: "bench", pool, schemaName: MASTRA_SCHEMA, disableInit: !init });
  const vector = new PgVector({
    id: "bench-vectors",
    connectionString: url,
    schemaName: MASTRA_SCHEMA,
    max: CONNECTIONS,
  });
  for (const one of [pool, vector.pool]) quietPool(one);
  if (init) await storage.init();
  const close = async () => void (await Promise.all([pool.end(), vector.disconnect()]));
  return { memory: await openHybrid(folder, storage, vector), close };
}

/** Fills the peer's schema by the peer itself. */
export async function fillMastraPg(folder: string, url: string, workload: Workload): Promise<void> {
  const { memory, close } = await open(folder, url, true);
  await fillPeer(memory, workload);
  await close();
}

/** The same turn with Mastra's memory on PostgreSQL and pgvector. The schema is there. */
export async function mastraPgHybrid(
  name: string,
  folder: string,
  url: string,
  workload: Workload,
): Promise<Contender> {
  const { memory, close } = await open(folder, url, false);
  return recallingTurns(name, memory, workload, close);
}
