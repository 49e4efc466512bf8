import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inMemoryStore, type MemoryStore } from "@throughline/core";
import { postgresStore } from "@throughline/store-postgres";
import { sqliteStore } from "@throughline/store-sqlite";
import pg from "pg";
import { afterAll, inject } from "vitest";

declare module "vitest" {
  export interface ProvidedContext {
    /** Where the tests find PostgreSQL, as a superuser; `null` where there is none. */
    postgresUrl: string | null;
  }
}

/** A kind of store to test on. */
export interface TestStore {
  name: string;
  /** A store in an empty place of its own. */
  open(): MemoryStore;
  /** One more handle on the place opened last. Absent where there is nothing to open again. */
  again?(): MemoryStore;
}

let places = 0;

function sqlite(): TestStore {
  let path = "";
  return {
    name: "SQLite",
    open() {
      const folder = mkdtempSync(join(tmpdir(), "throughline-langgraph-"));
      afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
      path = join(folder, "memory.db");
      return sqliteStore({ path });
    },
    again: () => sqliteStore({ path }),
  };
}

function postgres(connectionString: string): TestStore {
  const schemas: string[] = [];
  afterAll(async () => {
    const admin = new pg.Client({ connectionString });
    await admin.connect();
    for (const schema of schemas) await admin.query(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
    await admin.end();
  });
  const open = () => postgresStore({ connectionString, schema: schemas.at(-1) ?? "", maxConnections: 4 });
  return {
    name: "PostgreSQL",
    open() {
      places += 1;
      schemas.push(`graph_${process.pid}_${places}`);
      return open();
    },
    again: open,
  };
}

/** Every store that keeps checkpoints; PostgreSQL where the run has a server. To be called as a file is collected. */
export function testStores(): TestStore[] {
  const url = inject("postgresUrl");
  return [{ name: "memory", open: inMemoryStore }, sqlite(), ...(url === null ? [] : [postgres(url)])];
}
