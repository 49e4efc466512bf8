import type { CallOptions } from "./memory-store.ts";
import type { Role } from "./message.ts";
import type { AgentOwner, ConversationOwner } from "./owner.ts";
import type { IndexedDocument } from "./store-rows.ts";

/** A message to index, or a piece of a long one. The terms come from core, so that every store indexes alike. */
export interface KeywordDocument {
  turn: string;
  seq: number;
  /** Position of the message in its turn, from 0. */
  position: number;
  message: string;
  role: Role;
  createdAt: string;
  /** `said`: user and assistant words. `tool`: tool results, read only when asked for. */
  group: KeywordGroup;
  /** Where it stands in its conversation, as core numbers it: the store gives it back with postings and reads nothing in it. */
  place: number;
  /** Terms in all, repeats counted. */
  length: number;
  /** Each term once, with how often it stands there. */
  terms: readonly (readonly [term: string, frequency: number])[];
}

/** What people and assistants said, or what tools answered. */
export type KeywordGroup = "said" | "tool";

/** Whose documents: one subject's, one conversation's, or all of the agent's. */
export type KeywordScope =
  | { kind: "subject"; subject: string }
  | { kind: "conversation"; conversation: string }
  | { kind: "agent" };

/** Which postings. */
export interface PostingQuery {
  terms: readonly string[];
  groups: readonly KeywordGroup[];
  role?: Role;
  /** ISO 8601, inclusive. */
  from?: string;
  /** ISO 8601, exclusive. */
  to?: string;
  /** Only this conversation of the scope. */
  conversation?: string;
  /** Not turns of this conversation that follow this sequence number. */
  exclude?: { conversation: string; after: number };
}

/** Statistics of a scope, and where its terms stand. All arrays of one term are parallel. */
export interface Postings {
  /** Documents in the scope and groups, before the other filters. */
  documents: number;
  /** Their lengths, added up. */
  totalLength: number;
  terms: {
    term: string;
    /** How many documents of the scope and groups hold it, before the other filters. */
    documentFrequency: number;
    /** Those that pass the filters. */
    documents: number[];
    frequencies: number[];
    lengths: number[];
    /** A number of each one's conversation: its own within the owner, and the one that `behind` gives. */
    conversations: number[];
    places: number[];
  }[];
}

/** Behind which documents, and what may stand there. */
export interface FollowingQuery extends Omit<PostingQuery, "terms"> {
  /** Their numbers. */
  documents: readonly number[];
  /** So many sequence numbers farther is not looked: 0 is the document's own turn. */
  turns: number;
}

/** What stands right behind a document. */
export interface FollowingDocument {
  /** The one that was asked for. */
  behind: number;
  /** Its number. */
  document: number;
  /** Terms in all, as {@link KeywordDocument} says. */
  length: number;
  /** As {@link KeywordDocument} says. */
  place: number;
}

/** A keyword index over the words of one owner; its cost follows the owner's rows, not the store's. */
export interface KeywordIndex {
  /**
   * Adds documents and moves the watermark `index` from `after` to `through`, atomically.
   * False, with nothing written, where the watermark isn't `after`, or another conversation than the one that was made at
   * `createdAt` has its id by now.
   */
  index(
    owner: ConversationOwner,
    batch: { createdAt?: string; after: number; through: number; documents: readonly KeywordDocument[] },
    options?: CallOptions,
  ): Promise<boolean>;
  /** Statistics of the scope, and the postings of each term that pass the filters. Hidden turns are left out. */
  postings(owner: AgentOwner, scope: KeywordScope, query: PostingQuery, options?: CallOptions): Promise<Postings>;
  /** In the order asked for; documents that are gone or hidden are left out. */
  documents(owner: AgentOwner, documents: readonly number[], options?: CallOptions): Promise<IndexedDocument[]>;
  /**
   * Of each document the next one of its conversation, by turn and then by number, among those of the scope and groups that pass
   * the filters: in no order. Hidden turns are left out, as are documents that are gone.
   */
  following(
    owner: AgentOwner,
    scope: KeywordScope,
    query: FollowingQuery,
    options?: CallOptions,
  ): Promise<FollowingDocument[]>;
  /** Conversations of the scope whose watermark `index` is behind, with that watermark, and their numbers in postings. */
  behind(
    owner: AgentOwner,
    scope: KeywordScope,
    query: { limit: number },
    options?: CallOptions,
  ): Promise<{ conversation: string; after: number; through: number; subject?: string; number: number }[]>;
}
