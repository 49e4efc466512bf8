import type { Receipt } from "@throughline/core";

type Residue = Receipt["residue"][number];

export const DEAD_ROWS: Residue = {
  what: "dead rows",
  why: "PostgreSQL keeps the bytes of deleted rows until their room is used again; vacuum() of @throughline/store-postgres rewrites the tables without them.",
};

export const STATISTICS: Residue = {
  what: "planner statistics",
  why: "Samples of ids and keys, not of texts, stay until the tables are analyzed again and the statistics are rewritten, which vacuum() does.",
};

export const EARLIER_STATES: Residue = {
  what: "write-ahead log, replicas and backups",
  why: "They hold earlier states of the database for as long as the server is configured to keep them.",
};

/** What PostgreSQL keeps of rows that were deleted. */
export const RESIDUE: Receipt["residue"] = [DEAD_ROWS, STATISTICS, EARLIER_STATES];
