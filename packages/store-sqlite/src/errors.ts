import { type JsonObject, MemoryError, type MemoryErrorCode } from "@throughline/core";

interface NativeFailure {
  /** SQLite's primary result code. */
  result: number | undefined;
  /** It came from the file system, before SQLite was asked. */
  isFileSystem: boolean;
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

/** The `MemoryError` for a native failure; the cause is kept. A `MemoryError` passes as it is. */
export function translateError(error: unknown, path: string): MemoryError {
  if (MemoryError.isInstance(error)) return error;
  const { result, isFileSystem } = readFailure(error);
  if (isFileSystem) {
    return new MemoryError("STORE_UNREACHABLE", `The directory of the SQLite store "${path}" can't be used.`, {
      cause: error,
      details: { path },
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
  const none: NativeFailure = { result: undefined, isFileSystem: false };
  if (typeof error !== "object" || error === null) return none;
  const fields: { errcode?: unknown; code?: unknown; rawCode?: unknown; syscall?: unknown } = error;
  if (typeof fields.syscall === "string") return { ...none, isFileSystem: true };
  const number = typeof fields.errcode === "number" ? fields.errcode : fields.rawCode;
  if (typeof number === "number") return { ...none, result: number & 0xff };
  const name = Object.keys(RESULT_NAMES).find((known) => String(fields.code).startsWith(known));
  return name === undefined ? none : { ...none, result: RESULT_NAMES[name] };
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
