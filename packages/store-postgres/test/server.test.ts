import pg from "pg";
import { expect, inject, it } from "vitest";

const url = inject("postgresUrl");

it.skipIf(url === null)("J13: the test command brings a real PostgreSQL server", async () => {
  const client = new pg.Client({ connectionString: url ?? "" });
  await client.connect();
  const { rows } = await client.query("SELECT current_setting('server_version_num')::int AS version");
  expect(rows[0].version).toBeGreaterThanOrEqual(140_000);
  await client.end();
});
