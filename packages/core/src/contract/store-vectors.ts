import type { CallOptions } from "./memory-store.ts";
import type { Role } from "./message.ts";
import type { AgentOwner, ConversationOwner } from "./owner.ts";
import type { KeywordScope } from "./store-keyword.ts";

/** Whose vectors: those of one model and length are compared with each other only. */
export interface VectorModel {
  /** The embedder's own id. */
  modelId: string;
  /** Numbers in every vector. */
  dimensions: number;
}

/** A message's vector to keep. Its subject is that of its turn, and follows it. */
export interface VectorDocument {
  turn: string;
  seq: number;
  /** Position of the message in its turn, from 0. */
  position: number;
  message: string;
  role: Role;
  createdAt: string;
  /** `dimensions` finite numbers of length 1 together, or all 0: a dot product is the cosine. */
  vector: Float32Array;
}

/** Which vectors are near. */
export interface VectorQuery {
  model: VectorModel;
  /** As in a document. */
  vector: Float32Array;
  /** How many at most. */
  limit: number;
  /** Only those whose cosine is at least this. */
  floor: number;
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

/** A message near a query. */
export interface NearMessage {
  conversation: string;
  turn: string;
  seq: number;
  /** Position of the message in its turn, from 0. */
  position: number;
  message: string;
  role: Role;
  subject?: string;
  createdAt: string;
  /** The cosine, from -1 to 1, to about six digits. */
  score: number;
}

/** Which vectors of a conversation to drop: those that any of the members names. */
export interface VectorSelection {
  turns?: readonly string[];
  messages?: readonly string[];
  /** ISO 8601: of messages older than this. */
  createdBefore?: string;
  /** Of every other model than this one. */
  otherThan?: VectorModel;
}

/**
 * Vectors of messages, kept and searched by the store; its cost follows the owner's rows, not the store's. There is at most
 * one of a model for each message. They follow their turn as keyword entries do: left out while it is hidden, moved where
 * it is restamped, gone where it is erased or replaced. A rewrite drops those of messages that are gone or say something
 * else (`sameWords`); the others stay.
 */
export interface VectorIndex {
  /**
   * Keeps vectors, in place of those that are there of the same model and messages. Those of messages that aren't stored
   * under this turn and sequence number, any more or yet, are left out, and all where another conversation than the one that
   * was made at `createdAt` has its id by now: no late write brings anything erased back. Answers how many were kept. Throws
   * `INVALID_ARGUMENT`, with nothing written, where one isn't `dimensions` finite numbers.
   */
  put(
    owner: ConversationOwner,
    batch: { createdAt?: string; model: VectorModel; documents: readonly VectorDocument[] },
    options?: CallOptions,
  ): Promise<number>;
  /**
   * The nearest of visible turns, best first; ties by `createdAt`, newest first, then by conversation, sequence number and
   * position, ascending. Exact, except that of more than about ten thousand vectors a few may be missed.
   */
  nearest(owner: AgentOwner, scope: KeywordScope, query: VectorQuery, options?: CallOptions): Promise<NearMessage[]>;
  /** Answers how many went, or with `dryRun` would go. */
  drop(
    owner: ConversationOwner,
    selection: VectorSelection,
    options?: CallOptions & { dryRun?: boolean },
  ): Promise<number>;
  /** How it searches, in a few words for the manifest, such as `pgvector 0.8.0 exact+hnsw`. */
  describe(options?: CallOptions): Promise<string>;
}
