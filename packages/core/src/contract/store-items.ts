/** A named run of bytes that a host keeps with a conversation: checkpoints, artifacts, blobs. */
export interface ItemRow {
  key: string;
  bytes: Uint8Array;
}

/** Which items: exact keys, or a range in code-unit order. */
export type ItemQuery =
  /** Those of the keys that are there, sorted by key. */
  | { keys: readonly string[] }
  | {
      prefix: string;
      /** Keys greater than this. */
      after?: string;
      /** Keys less than this. */
      before?: string;
      /** @default "ascending" */
      order?: "ascending" | "descending";
      limit: number;
    };

/** One change to the items of a conversation. */
export type ItemCommit =
  /** With `ifAbsent` an item that is there stays as it is. */
  | { action: "put"; key: string; bytes: Uint8Array; ifAbsent?: boolean }
  | { action: "delete"; key: string }
  | { action: "delete-prefix"; prefix: string };
