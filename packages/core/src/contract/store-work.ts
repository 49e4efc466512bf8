import type { Json } from "./json.ts";
import type { KeywordDocument } from "./store-keyword.ts";
import type { ConversationRow, TurnRow } from "./store-rows.ts";
import type { VectorDocument, VectorModel } from "./store-vectors.ts";

/** Asks for conversations with derived work due. */
export interface WorkClaim {
  /** Names this worker; unique among processes. */
  holder: string;
  now: string;
  /** How long the lease holds, in milliseconds. */
  leaseMs: number;
  limit: number;
  /** Only this conversation. */
  conversation?: string;
}

/** What came of the work on one conversation. */
export interface WorkSettlement {
  /** The worker that holds the lease on it. */
  holder: string;
  /** `createdAt` of the conversation that the work was on: where another one has its id by now, nothing is written. */
  createdAt?: string;
  /** Through which sequence number each kind of work is done. */
  watermarks?: Readonly<Record<string, number>>;
  /** Through which sequence number nothing is due any more. */
  settledSeq?: number;
  /** Give the lease up. @default true */
  release?: boolean;
}

/** Asks for the work on one conversation, and for what that begins with. */
export interface WorkBegin extends Pick<WorkClaim, "holder" | "now" | "leaseMs"> {
  /** Visible turns behind the lowest of these watermarks; none where there are more than `limit`. */
  turns?: { behind: readonly string[]; limit: number };
  /** Live records of the agent by key. */
  records?: readonly { namespace: readonly string[]; keys: readonly string[] }[];
}

/** A conversation that was claimed, and what its work begins with, of one moment. */
export interface WorkRows {
  conversation: ConversationRow;
  /** Oldest first. Absent: more than were asked for, not asked for, or more than the store reads in one piece. */
  turns?: TurnRow[];
  /** A list for each that was asked for, of those that are there. */
  records: { key: string; value: Json }[][];
}

/** What the work on a conversation made of its turns, and how far it came. */
export interface WorkResult {
  /** As `keyword.index` takes it. */
  index?: { after: number; through: number; documents: readonly KeywordDocument[] };
  /** As `vectors.put` takes it. */
  vectors?: { model: VectorModel; documents: readonly VectorDocument[] };
  /** Its `createdAt` is about all of the result. */
  settlement: WorkSettlement;
}

/** A named lease for work that one process does at a time. */
export interface Lease {
  name: string;
  /** Names who wants it; unique among processes. */
  holder: string;
  now: string;
  leaseMs: number;
}
