import { MemoryError, type MemoryErrorCode } from "@throughline/core";

/** SQLSTATEs, or the first letters of a class of them, and what they say. The first match counts. */
const CODES: readonly (readonly [state: string, code: MemoryErrorCode, what: string, retryable?: boolean])[] = [
  ["40001", "STORE_BUSY", "met other writers at each try; retry"],
  ["40P01", "STORE_BUSY", "met other writers at each try; retry"],
  ["55P03", "STORE_BUSY", "is locked by another writer; retry"],
  ["57014", "STORE_BUSY", "cancelled the statement, most likely by its statement_timeout; retry, or raise it"],
  ["53300", "STORE_BUSY", "has no connection left; lower maxConnections, or retry"],
  ["53100", "STORE_FULL", "has no room left on its disk; free some, then retry"],
  ["53400", "STORE_FULL", "came to a limit that it is configured with; raise it (temp_file_limit), then retry"],
  ["53", "STORE_BUSY", "has no resources left; retry"],
  ["25P03", "STORE_UNREACHABLE", "ended a connection that was idle in a transaction; retry"],
  ["25P04", "STORE_UNREACHABLE", "ended a connection by its transaction_timeout; retry, or raise it"],
  ["57P05", "STORE_UNREACHABLE", "ended a connection that was idle; retry"],
  ["57P", "STORE_UNREACHABLE", "is shutting down or starting; retry"],
  ["08", "STORE_UNREACHABLE", "lost its connection; retry"],
  [
    "28000",
    "STORE_UNREACHABLE",
    "doesn't let this user in from here; check the user, whether the server asks for TLS (sslmode), and its pg_hba.conf",
    false,
  ],
  ["28", "STORE_UNREACHABLE", "refused the user or the password; check the connection string", false],
  ["3D000", "STORE_UNREACHABLE", "has no database of that name; check the connection string", false],
  // What a primary says that has become a standby: the next connection may lead to the new one.
  ["25006", "STORE_READ_ONLY", "can be read and not written; connect to the primary, and retry", true],
  ["42P01", "STORE_FAILED", "misses a table of its schema; restore the schema from a backup", false],
  ["42883", "STORE_FAILED", "misses a function of its schema; restore the schema from a backup", false],
  ["3F000", "STORE_FAILED", "misses its schema; restore it from a backup, or run migrate()", false],
  ["42501", "STORE_READ_ONLY", "doesn't let this role do that; grant it with migrate({ appRole })"],
  ["42", "STORE_FAILED", "found its schema other than it made it; restore the schema from a backup", false],
  ["22", "STORE_FAILED", "was given a value that the server refuses", false],
  ["XX001", "STORE_CORRUPT", "found a damaged page; restore it from a backup"],
  ["XX002", "STORE_CORRUPT", "found a damaged index; rebuild it with REINDEX"],
  ["54", "VALUE_TOO_LARGE", "was given a key or a value larger than PostgreSQL stores; shorten it"],
];
/**
 * What stands between a client and a sound server, by Node's code or in the driver's words: another try changes nothing.
 */
const SETUP: readonly (readonly [code: RegExp, message: RegExp | null, what: string])[] = [
  [
    /(^|_)(CERT|CRL|CA|LEAF_SIGNATURE)(_|$)|^HOSTNAME_MISMATCH$/,
    null,
    "doesn't trust the server's certificate; name the file of its authority (sslrootcert) and the host that it is for in the connection string",
  ],
  [
    /^ERR_(OS)?SSL_/,
    null,
    "can't agree with the server on TLS; check sslmode and the certificates that the connection string names",
  ],
  [
    /^$/,
    /does not support SSL/,
    "was asked for TLS, and the server has none; switch it on there, or leave sslmode out of the connection string",
  ],
  [/^$/, /client password must be/, "is asked for a password and has none; put it into the connection string"],
];
/** What Node's sockets and the pool say where no server answered. */
const NETWORK = /^(ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|ENOTFOUND|EAI_)/;
const CUT = /connection (terminated|ended|error)|terminating connection|server closed the connection|not queryable/i;
const NO_ROOM_IN_POOL = /timeout exceeded when trying to connect/i;

/** The SQLSTATE of a failure; `undefined` where the server didn't answer. */
export function sqlState(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  const { code }: { code?: unknown } = error;
  // Each has a digit; without, `EPIPE` would be one.
  return typeof code === "string" && /^(?=.*\d)[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

/** True where the same transaction may go through at another try. */
export function isContention(error: unknown): boolean {
  return ["40001", "40P01", "23505"].includes(sqlState(error) ?? "");
}

/** True where a table, a function or the whole schema isn't there. */
export function isMissing(error: unknown): boolean {
  return ["42P01", "42883", "3F000"].includes(sqlState(error) ?? "");
}

/** True where a policy refused a row: the tables have row-level security, and no tenant, or another one, was named. */
export function isPolicyRefusal(error: unknown): boolean {
  const { routine }: { routine?: unknown } = Object(error);
  return sqlState(error) === "42501" && routine === "ExecWithCheckOptions";
}

/** True where a connection broke. */
export function isCut(error: unknown): boolean {
  const state = sqlState(error);
  return state === undefined ? isNetworkFailure(error) : /^(57P0[1-5]|08|25P0[34])/.test(state);
}

/** The `MemoryError` for a native failure; the cause is kept. A `MemoryError` passes as it is. */
export function translateError(error: unknown): MemoryError {
  if (MemoryError.isInstance(error)) return error;
  const state = sqlState(error);
  if (state !== undefined) {
    // What the server adds in these may hold values of a row.
    for (const field of ["detail", "where", "internalQuery"]) Reflect.deleteProperty(Object(error), field);
    const found = CODES.find(([begin]) => state.startsWith(begin));
    const [, code, what, retryable] = found ?? ["", "STORE_FAILED", "failed in a way that has no better code"];
    return new MemoryError(code, `The PostgreSQL store ${what}.`, {
      cause: error,
      details: { sqlState: state },
      ...(retryable === undefined ? {} : { retryable }),
    });
  }
  if (isNetworkFailure(error)) {
    return new MemoryError("STORE_UNREACHABLE", "The PostgreSQL store can't be reached; retry.", { cause: error });
  }
  const setup = setupFault(error);
  if (setup !== undefined) {
    return new MemoryError("STORE_UNREACHABLE", `The PostgreSQL store ${setup}.`, { cause: error, retryable: false });
  }
  if (error instanceof Error && NO_ROOM_IN_POOL.test(error.message)) {
    const message = "The PostgreSQL store got no connection in time; retry, or raise maxConnections.";
    return new MemoryError("STORE_BUSY", message, { cause: error });
  }
  return new MemoryError("STORE_FAILED", "The PostgreSQL store failed in a way that has no better code.", {
    cause: error,
  });
}

function isNetworkFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, syscall }: Error & { code?: unknown; syscall?: unknown } = error;
  // A socket in the file system isn't there while its server isn't.
  if (typeof code === "string" && (NETWORK.test(code) || syscall === "connect")) return true;
  // Where a name has several addresses, the failures of all come in one.
  if (error instanceof AggregateError && error.errors.some(isNetworkFailure)) return true;
  return CUT.test(error.message);
}

function setupFault(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code }: Error & { code?: unknown } = error;
  const named = typeof code === "string" ? code : "";
  return SETUP.find(([codes, words]) => codes.test(named) && (words === null || words.test(error.message)))?.[2];
}

/** The error of every call after `close()`. */
export function closedError(): MemoryError {
  return new MemoryError("STORE_CLOSED", "The PostgreSQL store was closed; make a new one.");
}

/** The error of a call that its signal ended. */
export function abortedError(signal: AbortSignal): MemoryError {
  return new MemoryError("ABORTED", "The call was ended by its signal; what it wrote is whole or absent.", {
    cause: signal.reason,
  });
}

/** The error where a newer library wrote the schema. */
export function newerError(version: number, known: number): MemoryError {
  return new MemoryError(
    "STORE_NEWER",
    `The database's schema has version ${version}; this library knows versions up to ${known}. Update it.`,
    { details: { found: version, known } },
  );
}

/**
 * The server knows no statement of that name, or another one: it was prepared on another connection. It says so and keeps the
 * connection; a pooler that ends one gives the same code to whatever its reason is, and what was asked may have been done.
 */
export function isUnprepared(error: unknown): boolean {
  if (!["26000", "42P05", "08P01"].includes(sqlState(error) ?? "")) return false;
  const { severity }: { severity?: unknown } = Object(error);
  return severity === undefined ? sqlState(error) !== "08P01" : severity === "ERROR";
}
