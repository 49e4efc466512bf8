import type { Fact, FactType } from "./fact.ts";

/** Which facts of an owner. All given members must match. */
export interface FactQuery {
  /** ISO 8601; facts that expired by then are left out unless `history` is set. */
  now: string;
  ids?: readonly string[];
  keys?: readonly string[];
  type?: FactType;
  /** A fact with any of these. An empty list, here as in `ids` and `keys`, matches nothing. */
  tags?: readonly string[];
  /** Superseded and expired ones too. @default false */
  history?: boolean;
  /** ISO 8601: what was live at that moment, whatever became of it since. */
  asOf?: string;
  /** Most recently updated first, ties by id ascending. */
  limit: number;
}

/**
 * Changes to the facts of one owner, applied whole. Where several answers hold, the first of these is given: `erased`,
 * `repeated`, `conflict`, `tombstoned`.
 */
export interface FactCommit {
  /** Version of the owner's facts as read; another one is a conflict. */
  expectedVersion: number;
  now: string;
  /** Inserted, or put in place of the fact of the same id. A quote that the new one doesn't have is gone from the bytes. */
  put: readonly Fact[];
  /** Removed with their bytes; ids that aren't there are passed over. */
  erase?: readonly string[];
  /** Hashes of values that must not come back. */
  tombstones?: { add?: readonly string[]; lift?: readonly string[] };
  /** Refuse the whole commit where one of these is a tombstone. */
  unlessTombstoned?: readonly string[];
  /** Remembered with the commit; the same key later answers `repeated` with this result. */
  operation?: { key: string; result: string };
  /** ISO 8601: refuse where the owner's subject or conversation was erased at or after this moment. */
  beganAt?: string;
  /** With `beganAt`: refuse also where this subject was erased then or since; for a conversation's facts, which name none. */
  subject?: string;
}

/** What became of a commit. Only `committed` changed anything. */
export type FactCommitResult =
  /** Written; the new version of the owner's facts. */
  | { status: "committed"; version: number }
  /** The owner's facts are at this version by now. */
  | { status: "conflict"; version: number }
  /** These of `unlessTombstoned` are tombstones. */
  | { status: "tombstoned"; hashes: string[] }
  /** The operation was done before, with this result. */
  | { status: "repeated"; result: string }
  /** The owner was erased at or after `beganAt`. */
  | { status: "erased" };
