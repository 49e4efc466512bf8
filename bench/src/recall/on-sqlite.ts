import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import type { MemoryStore } from "@throughline/core";
import { sqliteStore } from "@throughline/store-sqlite";

/** Works with a new SQLite file in a folder, and closes it. */
export async function onSqlite(folder: string, work: (store: MemoryStore) => Promise<void>): Promise<void> {
  const inner = mkdtempSync(join(folder, "store-"));
  const store = sqliteStore({ path: join(inner, "memory.db") });
  try {
    await work(store);
  } finally {
    await store.close();
  }
}
