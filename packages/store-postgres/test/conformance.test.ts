import { postgresStore } from "@throughline/store-postgres";
import { describeMemory, describeMemoryStore } from "@throughline/testkit";
import pg from "pg";
import { afterAll, describe, it } from "vitest";
import { ReusedSchemas } from "./support/reused-schemas.ts";
import { serverUrl } from "./support/server.ts";

describe.skipIf(serverUrl === null)("on one pool", () => {
  const pool = new pg.Pool({ connectionString: serverUrl ?? "", max: 8 });
  const schemas = new ReusedSchemas(pool);
  afterAll(async () => {
    await schemas.dropAll();
    await pool.end();
  });
  const open = ({ name }: { name: string }) => postgresStore({ pool, schema: schemas.of(name) });

  // The kit asks for a store while it collects: a skipped describe would be too late.
  if (serverUrl === null) return it.skip("needs a server");
  const destroy = ({ name }: { name: string }) => schemas.giveBack(name);
  describeMemoryStore("postgresStore", { create: open, reopen: open, destroy });
  describeMemory("postgresStore", { create: open, destroy });
});
