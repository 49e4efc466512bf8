import { postgresStore } from "@throughline/store-postgres";
import pg from "pg";
import { expect, inject, it } from "vitest";
import { temporarySchema } from "./support/fixtures.ts";

const url = inject("postgresUrl");

it.skipIf(url === null)("J13: the test command brings a real PostgreSQL server", async () => {
  const client = new pg.Client({ connectionString: url ?? "" });
  await client.connect();
  const { rows } = await client.query("SELECT current_setting('server_version_num')::int AS version");
  expect(rows[0].version).toBeGreaterThanOrEqual(140_000);
  await client.end();
});

it.skipIf(url === null)(
  "J8: every suite of this run has pgvector where CI asks for it, and none elsewhere",
  async () => {
    const { schema, admin } = await temporarySchema();
    const { rows } = await admin.query("SELECT 1 FROM pg_extension WHERE extname = 'vector'");
    if (process.env.TEST_PGVECTOR === "1") expect(rows).toHaveLength(1);
    const store = postgresStore({ connectionString: url ?? "", schema });
    expect(await store.vectors?.describe()).toMatch(
      rows.length > 0 ? /^pgvector 0\.[89]\.\d+ exact$/ : /^exact fallback$/,
    );
    await store.close();
  },
);
