import { postgresStore } from "@throughline/store-postgres";
import { describeMemoryStore } from "@throughline/testkit";
import pg from "pg";
import { afterAll, describe } from "vitest";
import { serverUrl } from "./support/server.ts";

describe.skipIf(serverUrl === null)("on one pool", () => {
  const pool = new pg.Pool({ connectionString: serverUrl ?? "", max: 8 });
  afterAll(() => pool.end());
  const open = ({ name }: { name: string }) => postgresStore({ pool, schema: name });

  describeMemoryStore("postgresStore", {
    create: open,
    reopen: open,
    destroy: async ({ name }) => {
      await pool.query(`DROP SCHEMA IF EXISTS "${name}" CASCADE`);
    },
  });
});
