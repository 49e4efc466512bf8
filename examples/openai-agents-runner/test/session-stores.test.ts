import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemory, type MemoryStore } from "@throughline/core";
import { createSession } from "@throughline/openai-agents";
import { postgresStore } from "@throughline/store-postgres";
import { sqliteStore } from "@throughline/store-sqlite";
import { describeSession, type SessionBench } from "@throughline/testkit";
import pg from "pg";
import { afterAll, describe, it } from "vitest";

/** Sessions over a store, and the same opened anew. */
async function withStore(open: () => MemoryStore, body: (bench: SessionBench) => Promise<void>): Promise<void> {
  const memories = [createMemory({ agent: "desk", store: open(), env: {} })];
  const session = (name = "one") => createSession(memories[0] as (typeof memories)[number], { id: name });
  const reopen = (name = "one") => {
    const memory = createMemory({ agent: "desk", store: open(), env: {} });
    memories.push(memory);
    return createSession(memory, { id: name });
  };
  try {
    await body({ session, reopen });
  } finally {
    for (const memory of memories) await memory.close();
  }
}

describeSession("on SQLite", {
  async withBench(body) {
    const folder = mkdtempSync(join(tmpdir(), "throughline-session-"));
    try {
      await withStore(() => sqliteStore({ path: join(folder, "memory.db") }), body);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
});

const connectionString = process.env.TEST_POSTGRES_URL;

describe("with the server that TEST_POSTGRES_URL names", () => {
  // The server that the tests of store-postgres bring is theirs alone.
  if (connectionString === undefined) return it.skip("needs TEST_POSTGRES_URL");
  const pool = new pg.Pool({ connectionString, max: 8 });
  afterAll(() => pool.end());
  let count = 0;
  describeSession("on PostgreSQL", {
    async withBench(body) {
      const schema = `session_${process.pid}_${count++}`;
      try {
        await withStore(() => postgresStore({ pool, schema }), body);
      } finally {
        await pool.query(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
      }
    },
  });
});
