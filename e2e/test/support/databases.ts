import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inMemoryStore, type MemoryStore } from "@throughline/core";
import { postgresStore } from "@throughline/store-postgres";
import { sqliteStore } from "@throughline/store-sqlite";
import pg from "pg";
import { inject } from "vitest";

declare module "vitest" {
  export interface ProvidedContext {
    /** Where the tests find PostgreSQL, as a superuser; `null` where there is none. */
    postgresUrl: string | null;
  }
}

/** An empty place in a database. */
export interface Place {
  /** Opens a store on it. More than one may be open at once. */
  open(): MemoryStore;
  /** Removes what it holds, once every store on it was closed. */
  remove(): Promise<void>;
}

/** A kind of database that places can be made in. */
export interface Database {
  name: string;
  place(): Place;
}

const connectionString = inject("postgresUrl");
let places = 0;

const memory: Database = {
  name: "memory",
  place() {
    const store = inMemoryStore();
    return { open: () => store, remove: async () => {} };
  },
};

const sqlite: Database = {
  name: "SQLite",
  place() {
    const directory = mkdtempSync(join(tmpdir(), "throughline-"));
    return {
      open: () => sqliteStore({ path: join(directory, "memory.db") }),
      remove: async () => rmSync(directory, { recursive: true, force: true, maxRetries: 3 }),
    };
  },
};

const postgres = (url: string): Database => ({
  name: "PostgreSQL",
  place() {
    places += 1;
    const schema = `e2e_${process.pid}_${places}`;
    return {
      open: () => postgresStore({ connectionString: url, schema }),
      async remove() {
        const client = new pg.Client({ connectionString: url });
        await client.connect();
        await client.query(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
        await client.end();
      },
    };
  },
});

/** The databases of this run. Where no PostgreSQL could be brought its setup has said so, and failed in CI. */
export const DATABASES: readonly Database[] = [
  memory,
  sqlite,
  ...(connectionString === null ? [] : [postgres(connectionString)]),
];
