import { type JsonObject, MemoryError, type MemoryErrorCode } from "@throughline/core";

interface NativeFailure {
  /** SQLite's primary result code. */
  result?: number;
  /** The file system's code, where it failed before SQLite was asked. */
  system?: string;
}

const RESULT_NAMES: Readonly<Record<string, number>> = {
  SQLITE_BUSY: 5,
  SQLITE_LOCKED: 6,
  SQLITE_READONLY: 8,
  SQLITE_IOERR: 10,
  SQLITE_CORRUPT: 11,
  SQLITE_FULL: 13,
  SQLITE_CANTOPEN: 14,
  SQLITE_TOOBIG: 18,
  SQLITE_NOTADB: 26,
};

const CODE_OF_RESULT: Readonly<Record<number, readonly [code: MemoryErrorCode, what: string]>> = {
  5: ["STORE_BUSY", "is locked by another writer; retry, or raise busyTimeoutMs"],
  6: ["STORE_BUSY", "is locked by another writer; retry, or raise busyTimeoutMs"],
  8: ["STORE_READ_ONLY", "can be read and not written; check the permissions of the file and its directory"],
  10: ["STORE_FAILED", "could not be read or written by the operating system; check the disk, then retry"],
  11: ["STORE_CORRUPT", "is damaged; nothing was changed, restore it from a backup"],
  13: ["STORE_FULL", "has no room left; free some disk space, then retry"],
  14: ["STORE_UNREACHABLE", "can't be opened; check that the path names a file and that its directory can be used"],
  18: ["VALUE_TOO_LARGE", "was given a value larger than SQLite stores; split it"],
  26: ["STORE_CORRUPT", "is not a SQLite database; nothing was changed, give another path"],
};

const UNUSABLE =
  "can't be opened; check that its directory is there, or can be made, and that this process may write in it";

/** The others are {@link UNUSABLE}. `retryable` is the code's own where it isn't said. */
const CODE_OF_SYSTEM: Readonly<Record<string, readonly [code: MemoryErrorCode, what: string, retryable?: boolean]>> = {
  ENOENT: ["STORE_UNREACHABLE", "can't be made there; give a path in a directory that files can be made in"],
  EACCES: ["STORE_UNREACHABLE", "is closed to this process; check the permissions of its directory and file"],
  EPERM: ["STORE_UNREACHABLE", "is closed to this process; check the permissions of its directory and file"],
  EISDIR: ["STORE_UNREACHABLE", "names a directory; give the path of a file in it", false],
  ENOTDIR: ["STORE_UNREACHABLE", "goes through a file as if it were a directory; give another path"],
  EEXIST: ["STORE_UNREACHABLE", "goes through something that is no directory; give another path"],
  ELOOP: ["STORE_UNREACHABLE", "goes through links that lead in a circle; give another path"],
  ENAMETOOLONG: ["STORE_UNREACHABLE", "is longer than the file system allows; give a shorter path", false],
  EMFILE: ["STORE_UNREACHABLE", "can't be opened: this process has too many files open; close some, then retry"],
  EROFS: ["STORE_READ_ONLY", "lies on a read-only file system; give another path, or open it with readOnly"],
  ENOSPC: ["STORE_FULL", "has no room left; free some disk space, then retry"],
  EDQUOT: ["STORE_FULL", "has no room left; free some disk space, then retry"],
};

/** The `MemoryError` for a native failure; the cause is kept. A `MemoryError` passes as it is. */
export function translateError(error: unknown, path: string): MemoryError {
  if (MemoryError.isInstance(error)) return error;
  const { result, system } = readFailure(error);
  if (system !== undefined) {
    const [code, what, retryable] = CODE_OF_SYSTEM[system] ?? ["STORE_UNREACHABLE", UNUSABLE];
    return new MemoryError(code, `The SQLite store "${path}" ${what}.`, {
      cause: error,
      details: { path, system },
      ...(retryable === undefined ? {} : { retryable }),
    });
  }
  const [code, what] = CODE_OF_RESULT[result ?? -1] ?? [
    "STORE_FAILED",
    "failed in a way that has no better code; the cause says more",
  ];
  const details: JsonObject = result === undefined ? { path } : { path, sqlite: result };
  return new MemoryError(code, `The SQLite store "${path}" ${what}.`, { cause: error, details });
}

/** True where waiting may help. */
export function isBusy(error: unknown): boolean {
  const { result } = readFailure(error);
  return result === 5 || result === 6;
}

/** Every driver says the result code in a field of its own. */
function readFailure(error: unknown): NativeFailure {
  if (typeof error !== "object" || error === null) return {};
  const fields: { errcode?: unknown; code?: unknown; rawCode?: unknown; syscall?: unknown } = error;
  if (typeof fields.syscall === "string") return { system: String(fields.code) };
  const number = typeof fields.errcode === "number" ? fields.errcode : fields.rawCode;
  if (typeof number === "number") return { result: number & 0xff };
  const name = Object.keys(RESULT_NAMES).find((known) => String(fields.code).startsWith(known));
  const known = name === undefined ? undefined : RESULT_NAMES[name];
  return known === undefined ? {} : { result: known };
}

/** The error of every call after `close()`. */
export function closedError(path: string): MemoryError {
  return new MemoryError("STORE_CLOSED", `The SQLite store "${path}" was closed; make a new one.`);
}

/** The error of a call whose signal ended it before it wrote anything. */
export function abortedError(signal: AbortSignal): MemoryError {
  return new MemoryError("ABORTED", "The call was ended by its signal; nothing was written.", {
    cause: signal.reason,
  });
}
