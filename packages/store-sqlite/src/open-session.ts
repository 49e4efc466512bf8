import { closeSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { MemoryError } from "@throughline/core";
import type { SqliteConnection, SqliteDriver } from "./driver.ts";
import { newSecret } from "./hash.ts";
import { makeDirectory } from "./make-directory.ts";
import { APPLICATION_ID, MIGRATIONS } from "./migrations.ts";
import { LOG_PAGES, Session } from "./session.ts";

/** How to open a database. */
export interface SessionOptions {
  path: string;
  driver: SqliteDriver;
  synchronous: "normal" | "full";
  readOnly: boolean;
  cacheBytes: number;
}

/** Opens, checks and migrates. Throws what the driver throws; the handle is closed then. */
export async function openSession(options: SessionOptions): Promise<Session> {
  const { path, driver, readOnly } = options;
  if (path !== ":memory:") {
    refuseOther(path);
    if (!readOnly) {
      makeDirectory(dirname(path));
      makePrivate(path);
    }
  }
  const connection = await driver(path, { readOnly });
  try {
    return prepareSession(connection, options);
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** Refuses what is there and is no file. A pipe would hold the process for as long as nobody writes to it. */
function refuseOther(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || found.isFile()) return;
  const what = found.isDirectory() ? "is a directory; give the path of a file in it" : "is no file; give another path";
  throw new MemoryError("STORE_UNREACHABLE", `"${path}" ${what}.`, { details: { path }, retryable: false });
}

/** Makes the file where it isn't there, for its owner's eyes only; SQLite gives its log the same permissions. */
function makePrivate(path: string): void {
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    if ((error as { code?: unknown }).code !== "EEXIST") throw error;
  }
}

function prepareSession(connection: SqliteConnection, options: SessionOptions): Session {
  // A busy database is waited for outside, without holding the event loop.
  connection.exec("PRAGMA busy_timeout = 0");
  const session = new Session(connection);
  checkFile(session, options.path);
  if (!options.readOnly) {
    session.exec("PRAGMA secure_delete = ON");
    migrate(session, options.path);
    useLog(session);
  } else if (userVersion(session) < MIGRATIONS.length) {
    throw new MemoryError(
      "STORE_READ_ONLY",
      `"${options.path}" must be migrated before it is read; open it once without readOnly.`,
      { details: { path: options.path } },
    );
  }
  session.exec(`
    PRAGMA wal_autocheckpoint = ${LOG_PAGES};
    PRAGMA synchronous = ${options.synchronous === "full" ? "FULL" : "NORMAL"};
    PRAGMA cache_size = -${Math.round(options.cacheBytes / 1024)};
    PRAGMA temp_store = MEMORY;
    PRAGMA trusted_schema = OFF;
  `);
  session.secret = [readSetting(session, "secret_1"), readSetting(session, "secret_2")];
  // A newer version may migrate the file while this one has it open: what it keeps there, this one wouldn't find and erase.
  session.check = () => refuseNewer(session, options.path);
  return session;
}

/** Refuses what another program, or a newer version, has written. Nothing is changed. */
function checkFile(session: Session, path: string): void {
  // In one snapshot: another process may be making the file right now.
  const [id, tables] = session.snapshot(() => [
    session.row<[number]>("PRAGMA application_id")?.[0] ?? 0,
    session.row<[number]>("SELECT count(*) FROM sqlite_schema")?.[0] ?? 0,
  ]);
  if (id !== APPLICATION_ID && (id !== 0 || tables > 0)) {
    throw new MemoryError(
      "STORE_CORRUPT",
      `"${path}" is a SQLite database of another program; nothing was changed, give another path.`,
      { details: { path } },
    );
  }
  refuseNewer(session, path);
}

function refuseNewer(session: Session, path: string): void {
  const found = userVersion(session);
  const known = MIGRATIONS.length;
  if (found <= known) return;
  throw new MemoryError(
    "STORE_NEWER",
    `"${path}" has schema version ${found} and this library knows versions up to ${known}; update @throughline/store-sqlite, and start this process anew.`,
    { details: { path, found, known } },
  );
}

/** The write lock is taken before the version is read again: of two processes one migrates and the other finds it done. */
function migrate(session: Session, path: string): void {
  if (userVersion(session) === MIGRATIONS.length) return;
  session.transaction(() => {
    refuseNewer(session, path);
    const before = userVersion(session);
    for (const migration of MIGRATIONS.slice(before)) session.exec(migration);
    if (before === 0) {
      const [first, second] = newSecret();
      session.run("INSERT INTO setting (name, value) VALUES ('secret_1', ?), ('secret_2', ?)", first, second);
    }
    session.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${MIGRATIONS.length}`);
  });
}

/**
 * Turns the write-ahead log on, behind the migration: of a file without a page SQLite takes a log that lies beside it for a
 * left-over and deletes it, with what another process has just written to it. Throws as busy where others use the file.
 */
function useLog(session: Session): void {
  const [mode] = session.row<[string]>("PRAGMA journal_mode") ?? [];
  if (mode !== "wal" && mode !== "memory") session.row("PRAGMA journal_mode = WAL");
}

function userVersion(session: Session): number {
  return session.row<[number]>("PRAGMA user_version")?.[0] ?? 0;
}

function readSetting(session: Session, name: string): number {
  return session.row<[number]>("SELECT value FROM setting WHERE name = ?", name)?.[0] ?? 0;
}
