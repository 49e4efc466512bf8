import { startTestServer, type TestServer } from "@throughline/store-postgres/test-support/test-server";
import pg from "pg";

/** A PostgreSQL server for a bench. */
export interface BenchServer {
  /** As a superuser. */
  url: string;
  version: string;
  /** The server's own process to kill and start; `null` where somebody else brought it. */
  own: TestServer | null;
  stop(): Promise<void>;
}

/** The memory that a server of that size would be given, and a commit that is as durable as in production. */
const SETTINGS = ["fsync=on", "shared_buffers=1GB", "max_wal_size=4GB", "work_mem=16MB", "maintenance_work_mem=256MB"];

/** The server that `TEST_POSTGRES_URL` names, or one of the registry's binaries as the tests start it. */
export async function startBenchServer(settings: readonly string[] = SETTINGS): Promise<BenchServer> {
  const given = process.env.TEST_POSTGRES_URL;
  const own = given === undefined ? await startTestServer(settings) : null;
  const url = given ?? own?.url;
  if (url === undefined) {
    throw new Error("There is no PostgreSQL for this bench: no binaries for this platform, and no TEST_POSTGRES_URL.");
  }
  const [row] = await withClient(url, async (client) => (await client.query("SHOW server_version")).rows);
  return { url, version: String(row?.server_version), own, stop: async () => own?.stop() };
}

/** Runs something on a connection of its own. */
export async function withClient<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
