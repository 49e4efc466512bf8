import type { Fact } from "./fact.ts";
import type { Json, JsonObject } from "./json.ts";
import type { Role, Turn } from "./message.ts";
import type { FactOwner } from "./owner.ts";

/** A conversation as the store keeps it. Times are ISO 8601, UTC. */
export interface ConversationRow {
  id: string;
  /** The subject it is bound to; absent while it has none. */
  subject?: string;
  /** The login session it was last continued in. */
  login?: string;
  title?: string;
  metadata?: JsonObject;
  createdAt: string;
  /** Time of the newest turn or change. Listings are ordered by it. */
  updatedAt: string;
  /** The newest sequence number given to a turn, whatever became of it; 0 before the first. None is given twice. */
  lastSeq: number;
  /** Turns that are not hidden. */
  turns: number;
  /** User and assistant messages of turns that are not hidden. */
  messages: number;
  /** Turns up to here were cleared: in the transcript, not in history. 0: none. */
  clearedThrough: number;
  /** Turns up to here have no derived work due. At most `lastSeq`. */
  settledSeq: number;
  /** How far each kind of derived work has come, as a sequence number. Missing: 0. */
  watermarks: Record<string, number>;
  /** From 1, one more with every `changeConversation`. */
  version: number;
}

/**
 * A turn as the store keeps it: the public turn, and what windows are cut by. Messages come back as they were given;
 * their `seq` and `turn` are core's to fill in.
 */
export interface TurnRow extends Turn {
  /** User and assistant messages in it. */
  counted: number;
  /** Estimated tokens of all its messages. */
  tokens: number;
}

/** One version of a conversation's rolling summary. */
export interface SummaryRow {
  text: string;
  /** Sequence number of the newest turn folded in. */
  through: number;
  /** Id of that turn. */
  throughTurn: string;
  /** Turns folded in, in all. */
  turns: number;
  /** Estimated tokens of `text`. */
  tokens: number;
  createdAt: string;
  /** From 1, one more with every fold. */
  version: number;
}

/** The facts of one owner that answer a query. */
export interface FactSet {
  owner: FactOwner;
  /**
   * Version of the owner's facts, for compare-and-set: one more with every commit, 0 before the first and again when the
   * owner was erased (a commit that began before is refused by its `beganAt`).
   */
  version: number;
  facts: Fact[];
  /** How many facts match in all. At least `facts.length`. */
  total: number;
}

/** Where a stored message is. */
export interface MessageLocation {
  id: string;
  turn: string;
  seq: number;
}

/** A plain record of a host. */
export interface RecordRow {
  namespace: string[];
  key: string;
  value: Json;
  /** From 1, one more with every put. */
  version: number;
  createdAt: string;
  updatedAt: string;
  expiresAt?: string;
  /** Erased together with this subject. */
  subject?: string;
}

/** Another name of a subject: an e-mail address, a phone number, a chat handle. */
export interface IdentityRow {
  identity: string;
  subject: string;
  /** ISO 8601; when it was linked. */
  since: string;
}

/** A message in the keyword index. */
export interface IndexedDocument {
  /** Store-given number, stable while the message is stored. */
  document: number;
  conversation: string;
  turn: string;
  seq: number;
  /** Position of the message in its turn, from 0. */
  position: number;
  message: string;
  role: Role;
  subject?: string;
  createdAt: string;
}
