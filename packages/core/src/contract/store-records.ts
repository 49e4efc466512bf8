import type { Json } from "./json.ts";

/** Which records. Exactly one of `key` lookups, or a listing by prefix. */
export interface RecordQuery {
  /** ISO 8601; records that expired by then are left out. */
  now: string;
  /** Exact namespace with `keys`, or the first labels of it: `["u","1"]` never matches `["u","12"]`. */
  namespace: readonly string[];
  /** Only these keys of exactly this namespace. Absent: everything under the prefix. */
  keys?: readonly string[];
  /**
   * `namespace`: sorted by namespace, label by label, then key. `updated`: most recently updated first, ties in that
   * order. @default "namespace"
   */
  order?: "namespace" | "updated";
  limit: number;
  /** How many of the matching ones to pass over. @default 0 */
  offset?: number;
}

/** One change to a record, put in place of the whole record. `value: undefined` deletes. An expired one isn't there. */
export interface RecordCommit {
  namespace: readonly string[];
  key: string;
  value?: Json;
  /** Only at this version; 0: only where it isn't there. */
  ifVersion?: number;
  /** ISO 8601. */
  expiresAt?: string;
  subject?: string;
}

/** What became of the commits. Only `committed` changed anything. */
export type RecordCommitResult =
  /** The new version of each record in order; 0 where it was deleted. */
  | { status: "committed"; versions: number[] }
  /** The first commit that didn't hold, by its place, and the version of the record that is there. */
  | { status: "conflict"; index: number; version: number };
