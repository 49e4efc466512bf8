import type { Fact } from "./fact.ts";
import type { Json } from "./json.ts";
import type { TurnPlace } from "./memory-store.ts";
import type { KeywordScope, PostingQuery, Postings } from "./store-keyword.ts";
import type { IndexedDocument, TurnRow } from "./store-rows.ts";

/** What a search wants to know before it ranks; what is near is asked for beside it. */
export interface SearchQuery {
  /** One subject's or one conversation's. */
  scope: Exclude<KeywordScope, { kind: "agent" }>;
  /** The scope's subject may be an identity, and stands for whom that is. @default false */
  resolve?: boolean;
  /** ISO 8601. */
  now: string;
  /** As `keyword.postings` is asked, and with it for what no index holds: at most so many turns of that. */
  words?: PostingQuery & { unindexed: number };
  /** Live facts of the scope: at most so many of each owner. */
  facts?: { limit: number };
  /** Live records of the agent by key. */
  records?: { namespace: readonly string[]; keys: readonly string[] };
}

/** What a search begins with, of one moment. What wasn't asked for isn't there. */
export interface SearchRows {
  /** The scope's subject, where it has one. */
  subject?: string;
  postings?: Postings;
  /** As `keyword.behind` answers: conversations of the scope that no index holds to their end. */
  behind?: { conversation: string; after: number; number: number }[];
  /** Their visible turns behind the watermark, oldest first in each. Absent: more than were asked for, or not asked for. */
  unindexed?: TurnRow[];
  /** The subject's own, then the conversation's, then those that all agents share; of each owner the newest first, then by id. */
  facts?: Fact[];
  /** Those that are there. */
  records?: { key: string; value: Json }[];
}

/** What was found, to be looked up. */
export interface HitQuery {
  /** Numbers of keyword documents. */
  documents: readonly number[];
  places: readonly TurnPlace[];
}

/** What is still there of it. */
export interface HitRows {
  /** As `keyword.documents` answers. */
  documents: IndexedDocument[];
  /** The turns of the documents, and as `findTurns` answers those of the places; each once, in no order. */
  turns: TurnRow[];
}
