import { migrate, postgresStore } from "@throughline/store-postgres";
import { fillHybrid, hybridTurns } from "../hybrid/throughline.ts";
import type { Contender } from "../turn/contender.ts";
import type { Workload } from "../turn/workload.ts";

/** Connections of each contender's pool. */
export const CONNECTIONS = 4;
export const OWN_SCHEMA = "own";

/** Fills a schema with the whole workload, indexed and embedded. */
export async function fillOwn(url: string, workload: Workload): Promise<void> {
  await migrate({ connectionString: url, schema: OWN_SCHEMA });
  const store = postgresStore({ connectionString: url, schema: OWN_SCHEMA, maxConnections: CONNECTIONS });
  await fillHybrid(store, workload);
  await store.close();
}

/** The turn on PostgreSQL. The schema is there. */
export function ownHybrid(name: string, url: string, workload: Workload, indexesInside: boolean): Contender {
  const store = postgresStore({
    connectionString: url,
    schema: OWN_SCHEMA,
    maxConnections: CONNECTIONS,
    migrate: false,
  });
  const turns = hybridTurns(name, store, workload, { indexesInside });
  return { ...turns, close: async () => void (await Promise.all([turns.close(), store.close()])) };
}
