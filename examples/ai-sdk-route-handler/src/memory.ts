import { createMemory } from "@throughline/core";
import { sqliteStore } from "@throughline/store-sqlite";

/** The app's memory, on one SQLite file. Nothing is opened before the first request. */
export const memory = createMemory({
  agent: "guide",
  store: sqliteStore({ path: process.env.MEMORY_FILE ?? "memory.db" }),
});
