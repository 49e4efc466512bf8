import { MemoryError, type MemoryStore } from "@throughline/core";
import { type PostgresStoreOptions, postgresStore } from "./postgres-store.ts";

type UrlOptions = Pick<PostgresStoreOptions, "schema" | "rowLevelSecurity" | "migrate">;

/** What the store's own options in a URL begin with: other tools have a `schema` there as well. */
const PREFIX = "throughline.";

/**
 * The store of a URL: `postgres://user:password@host:5432/database`, or the same with `postgresql:`. Behind the question mark
 * may stand, beside what `pg` reads there, `throughline.schema=…`, `throughline.rowLevelSecurity=true` and
 * `throughline.migrate=false`: the store's options of that name, for whoever gives no code. `options` win over them. Throws
 * `STORE_NOT_AVAILABLE` for any other scheme, and `INVALID_ARGUMENT` for other options or values there. Opens nothing.
 */
export function fromUrl(
  url: string,
  options: Omit<PostgresStoreOptions, "connectionString" | "pool" | "client"> = {},
): MemoryStore {
  if (!/^postgres(ql)?:\/\//i.test(url)) {
    throw new MemoryError(
      "STORE_NOT_AVAILABLE",
      'This is not the URL of a PostgreSQL store; give one like "postgres://user@host/database".',
    );
  }
  const { connectionString, ...named } = readUrl(url);
  // What an app passes on though it wasn't set says nothing.
  const { schema = named.schema, rowLevelSecurity = named.rowLevelSecurity, migrate = named.migrate } = options;
  return postgresStore({ ...options, schema, rowLevelSecurity, migrate, connectionString });
}

/** A URL without the store's own options, and these. */
function readUrl(url: string): UrlOptions & { connectionString: string } {
  const at = url.indexOf("?");
  if (at < 0) return { connectionString: url };
  const named: UrlOptions = {};
  // What is the driver's stays as it is written.
  const others = url
    .slice(at + 1)
    .split("&")
    .filter((pair) => {
      const [[name, value] = ["", ""]] = new URLSearchParams(pair);
      if (!name.startsWith(PREFIX)) return true;
      Object.assign(named, readOption(name.slice(PREFIX.length), value));
      return false;
    });
  return { ...named, connectionString: url.slice(0, at) + (others.length > 0 ? `?${others.join("&")}` : "") };
}

function readOption(name: string, value: string): UrlOptions {
  if (name === "schema") return { schema: value };
  const isFlag = name === "rowLevelSecurity" || name === "migrate";
  if (isFlag && (value === "true" || value === "false")) return { [name]: value === "true" };
  const known = "schema=…, rowLevelSecurity=true or false, and migrate=true or false";
  throw new MemoryError("INVALID_ARGUMENT", `The store's URL may hold, behind "${PREFIX}", ${known}.`);
}
