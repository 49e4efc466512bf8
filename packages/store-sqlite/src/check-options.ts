import { MemoryError } from "@throughline/core";
import type { SqliteStoreOptions } from "./sqlite-store.ts";

const KNOWN = ["path", "synchronous", "busyTimeoutMs", "readOnly", "cacheBytes", "vectorCacheBytes", "driver"];

/**
 * Throws `INVALID_ARGUMENT` for what can't be meant. An empty path is refused: SQLite would take it for a temporary
 * database, and all that is acknowledged would be gone with the process.
 */
export function checkOptions(options: SqliteStoreOptions): void {
  const refuse = (why: string): never => {
    throw new MemoryError("INVALID_ARGUMENT", `sqliteStore: ${why}`);
  };
  if (typeof options !== "object" || options === null) refuse('give options, for example { path: "./memory.db" }.');
  const unknown = Object.keys(options).find((name) => !KNOWN.includes(name));
  if (unknown !== undefined) refuse(`"${unknown}" is no option; there are ${KNOWN.join(", ")}.`);
  const { path, synchronous, busyTimeoutMs, cacheBytes, vectorCacheBytes, driver } = options;
  if (typeof path !== "string" || path.trim() === "") refuse('path must name a file, or be ":memory:".');
  if (path.includes("\0")) refuse("path holds a NUL character.");
  if (/^(file|sqlite):/i.test(path)) refuse("path is a URL; give the file's path, or use fromUrl(url).");
  if (synchronous !== undefined && synchronous !== "normal" && synchronous !== "full") {
    refuse('synchronous is "normal" or "full".');
  }
  for (const [name, value] of Object.entries({ busyTimeoutMs, cacheBytes, vectorCacheBytes })) {
    if (value !== undefined && !(typeof value === "number" && value >= 0))
      refuse(`${name} must be a number, 0 or more.`);
  }
  if (driver !== undefined && typeof driver !== "function") refuse("driver must be a function that opens a path.");
}
