/** One row of the error table. */
export interface CodeEntry {
  /** What the code says, in one sentence. */
  meaning: string;
  /** A later try of the same call may succeed. */
  retryable: boolean;
  /** The status an HTTP surface answers with. */
  http: number;
}

const entry = (meaning: string, http: number, retryable = false): CodeEntry => ({ meaning, retryable, http });

/** Every code a `MemoryError` or a refusing `Outcome` can carry. */
export const CODES = {
  INVALID_ARGUMENT: entry("An argument has the wrong shape or type.", 400),
  INVALID_ID: entry("An id is empty, over 512 bytes, or holds NUL or a lone surrogate.", 400),
  INVALID_JSON: entry("A value is not plain JSON.", 400),
  INVALID_KEY: entry("A fact's key is empty or too long once normalised.", 400),
  INVALID_MESSAGE: entry("A message has no role, no content, or a part of an unknown shape.", 400),
  INVALID_POLICY: entry("The policy is malformed JSON or a field has the wrong type.", 400),
  INVALID_CURSOR: entry("A paging cursor was not made by this listing.", 400),
  VALUE_TOO_LARGE: entry("A value is larger than the policy or the store allows.", 413),
  UNSUPPORTED_CONTENT: entry("A message holds something that can't be carried over.", 415),
  SCOPE_READ_ONLY: entry("App and global facts are written by the operator only.", 403),
  SUBJECT_REQUIRED: entry("The operation needs a subject and the conversation has none.", 400),
  CONVERSATION_OWNER_MISMATCH: entry("The conversation belongs to another subject.", 403),
  VERSION_CONFLICT: entry("Something else changed the item since it was read.", 409),
  NOT_UNDOABLE: entry("Only what the agent or a distiller wrote can be undone.", 403),
  NOT_FOUND: entry("There is no such thing.", 404),
  TIER_OFF: entry("The policy switches this tier off.", 409),
  FORGOTTEN: entry("The person had this forgotten; it is not stored again.", 409),
  ERASED: entry("The conversation or subject was erased after this work began.", 410),
  TURN_ENDED: entry("The turn has ended already.", 409),
  NOTHING_TO_RECORD: entry("A turn without messages can't be recorded.", 400),
  CONTEXT_OVERFLOW: entry("The prompt can't be brought under the model's budget.", 413),
  AGENT_REQUIRED: entry("No agent id was given.", 400),
  STORE_NOT_AVAILABLE: entry("No store package answers for the URL.", 500),
  STORE_UNREACHABLE: entry("The store can't be opened or reached.", 503, true),
  STORE_BUSY: entry("The store is locked by another writer.", 503, true),
  STORE_FULL: entry("The disk or the quota is full.", 507, true),
  STORE_READ_ONLY: entry("The store can be read and not written.", 503),
  STORE_CORRUPT: entry("The store's file or a row of it is not what it should be.", 500),
  STORE_NEWER: entry("The database was written by a newer version of the library.", 500),
  STORE_CLOSED: entry("The memory or its store was closed.", 500),
  STORE_FAILED: entry("The store failed in a way it has no better code for.", 500, true),
  STORE_CONTRACT: entry("The store speaks a contract version this library doesn't know.", 500),
  TIMEOUT: entry("The operation took longer than its deadline.", 504, true),
  ABORTED: entry("The caller's signal ended the operation.", 499),
  SUMMARIZER_FAILED: entry("The summarizer threw, timed out or returned nothing.", 502, true),
  DISTILLER_FAILED: entry("The distiller threw, timed out, or answered what can't be read as facts.", 502, true),
  EMBEDDER_FAILED: entry("The embedder threw, timed out or returned nothing.", 502, true),
  EMBEDDING_MODEL_MISMATCH: entry("The stored vectors come from another embedding model.", 409),
} as const satisfies Record<string, CodeEntry>;

/** A code of the error table. */
export type MemoryErrorCode = keyof typeof CODES;
