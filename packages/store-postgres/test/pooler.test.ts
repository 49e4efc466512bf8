import type { MemoryStore } from "@throughline/core";
import { migrate, postgresStore } from "@throughline/store-postgres";
import { describeMemoryStore } from "@throughline/testkit";
import pg from "pg";
import { afterAll, describe, it } from "vitest";
import { hasPooler, type Pooler, startPooler } from "./support/pooler.ts";
import { ReusedSchemas } from "./support/reused-schemas.ts";
import { serverUrl } from "./support/server.ts";

// Where CI asks for it, a pooler that isn't installed is a failure and not a skip.
const isWanted = process.env.TEST_PGBOUNCER === "1";

describe.skipIf(serverUrl === null || !isWanted)("J10: behind pgbouncer in transaction mode", () => {
  // The kit asks for a store while it collects: a skipped describe would be too late.
  if (serverUrl === null || !isWanted) return it.skip("needs TEST_PGBOUNCER=1");
  const admin = new pg.Pool({ connectionString: serverUrl ?? "", max: 2 });
  const schemas = new ReusedSchemas(admin);
  let started: Promise<{ pooler: Pooler; pool: pg.Pool }> | undefined;
  const start = () => {
    started ??= (async () => {
      if (!hasPooler()) throw new Error("TEST_PGBOUNCER is 1 and there is no pgbouncer.");
      const pooler = await startPooler(serverUrl ?? "");
      // More connections than the pooler has: they share those of the server.
      return { pooler, pool: new pg.Pool({ connectionString: pooler.url, max: 12 }) };
    })();
    return started;
  };
  afterAll(async () => {
    const running = await started;
    await running?.pool.end();
    await running?.pooler.stop();
    await schemas.dropAll();
    await admin.end();
  });

  const open = async ({ name }: { name: string }): Promise<MemoryStore> =>
    postgresStore({ pool: (await start()).pool, schema: schemas.of(name) });

  describeMemoryStore("postgresStore through a pooler", {
    create: async (place) => {
      const { pooler } = await start();
      await migrate({ connectionString: pooler.url, schema: schemas.of(place.name) });
      return open(place);
    },
    reopen: open,
    destroy: ({ name }) => schemas.giveBack(name),
  });
});
