import { fileURLToPath } from "node:url";
import { MemoryError, type MemoryStore } from "@throughline/core";
import { type SqliteStoreOptions, sqliteStore } from "./sqlite-store.ts";

/**
 * The store of a URL: `sqlite:./memory.db` (relative to the working directory), `sqlite:///absolute/memory.db`,
 * `sqlite::memory:`, and the same with `file:`. `%20` and the like are decoded. Throws `STORE_NOT_AVAILABLE` for any
 * other scheme. Opens nothing.
 */
export function fromUrl(url: string, options: Omit<SqliteStoreOptions, "path"> = {}): MemoryStore {
  const [, scheme, rest = ""] = /^(sqlite|file):(.+)$/is.exec(url) ?? [];
  if (scheme === undefined) {
    throw new MemoryError(
      "STORE_NOT_AVAILABLE",
      'This is not the URL of a SQLite store; give one like "sqlite:./memory.db".',
    );
  }
  return sqliteStore({ ...options, path: pathOf(rest) });
}

function pathOf(rest: string): string {
  if (rest === ":memory:") return rest;
  if (rest.includes("?") || rest.includes("#")) {
    throw new MemoryError("INVALID_ARGUMENT", "The URL of a SQLite store takes no ? and no #; give options in code.");
  }
  try {
    return rest.startsWith("//") ? fileURLToPath(`file:${rest}`) : decodeURIComponent(rest);
  } catch (cause) {
    throw new MemoryError("INVALID_ARGUMENT", "The URL of a SQLite store is malformed.", { cause });
  }
}
