import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inMemoryStore, type MemoryStore } from "@throughline/core";
import { postgresStore } from "@throughline/store-postgres";
import { sqliteStore } from "@throughline/store-sqlite";
import { afterAll, inject } from "vitest";

declare module "vitest" {
  export interface ProvidedContext {
    /** Where the tests find PostgreSQL, as a superuser; `null` where there is none. */
    postgresUrl: string | null;
  }
}

/** A store to test with. Each one that is opened is empty. */
export interface TestStore {
  name: string;
  open(): MemoryStore;
}

/** A folder that goes with the tests of this file. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "throughline-mcp-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}

/** The embedded store, the reference, and PostgreSQL where the run has a server. */
export function testStores(): TestStore[] {
  const url = inject("postgresUrl");
  let places = 0;
  return [
    { name: "memory", open: () => inMemoryStore() },
    { name: "SQLite", open: () => sqliteStore({ path: join(temporaryFolder(), "memory.db") }) },
    ...(url === null
      ? []
      : [
          {
            name: "PostgreSQL",
            open: () => {
              places += 1;
              const schema = `mcp_${process.pid}_${places}`;
              return postgresStore({ connectionString: url, schema, maxConnections: 4 });
            },
          },
        ]),
  ];
}
