import type { JsonObject } from "./json.ts";
import type { Turn } from "./message.ts";
import type { Receipt } from "./outcome.ts";
import type { AgentOwner, ConversationOwner, FactOwner } from "./owner.ts";
import type { CheckpointStore } from "./store-checkpoints.ts";
import type { FactCommit, FactCommitResult, FactQuery } from "./store-facts.ts";
import type { ItemCommit, ItemQuery, ItemRow } from "./store-items.ts";
import type { KeywordDocument, KeywordIndex } from "./store-keyword.ts";
import type { RecordCommit, RecordCommitResult, RecordQuery } from "./store-records.ts";
import type {
  ConversationRow,
  FactSet,
  IdentityRow,
  MessageLocation,
  RecordRow,
  SummaryRow,
  TurnRow,
} from "./store-rows.ts";
import type { HitQuery, HitRows, SearchQuery, SearchRows } from "./store-search.ts";
import type { VectorIndex } from "./store-vectors.ts";
import type { Lease, WorkBegin, WorkClaim, WorkResult, WorkRows, WorkSettlement } from "./store-work.ts";

/** What every store call takes besides its own arguments. */
export interface CallOptions {
  /** Ends the call with `ABORTED`; a write that was sent is whole or absent. */
  signal?: AbortSignal;
}

/** What a store can do, as data. Core has a fallback for everything that is absent, but for checkpoints. */
export interface StoreCapabilities {
  /** What was acknowledged survives the process. */
  durable: boolean;
  /** Several processes may use it at once. */
  multiProcess: boolean;
  /** `keyword` is there. Without it core scans the owner's turns. */
  keywordSearch: boolean;
  /** `vectors` is there. Without it core keeps runs of vectors as byte items and scans the owner's. */
  vectorSearch: boolean;
  /** The database itself keeps tenants apart. */
  rowLevelSecurity: boolean;
  /** Changes can be followed as they happen. */
  changeFeed: boolean;
  /** `checkpoints` is there: hosts can keep the states of their runs. */
  checkpoints: boolean;
}

/** What a turn needs to begin, read in one trip. */
export interface ContextQuery {
  /** ISO 8601; facts that expired by then are left out. */
  now: string;
  /** The subject the app named. Absent: the one the conversation is bound to. */
  subject?: string;
  /** Which turns; `null` for none. */
  window: WindowQuery | null;
  /**
   * How many facts per owner, newest first: the subject's, the conversation's, the subject's global ones and the
   * app's; `null` for none.
   */
  facts: { limit: number } | null;
}

/** The newest visible turns behind what was cleared, whole turns only. */
export interface WindowQuery {
  /** Begin after the summary's border instead of the conversation's beginning. */
  afterSummary: boolean;
  /** Stop before the user and assistant messages exceed this. The newest turn always comes. */
  maxMessages: number;
  /** Stop before the estimated tokens exceed this. The newest turn always comes. */
  maxTokens: number;
}

/** Everything a turn needs to begin. */
export interface ContextRows {
  /** Whose facts were read: the subject that was named, resolved through identities, else the bound one. */
  subject?: string;
  /** `null` where nothing was recorded under this id yet. */
  conversation: ConversationRow | null;
  /** Oldest first, without hidden ones; every status. */
  turns: TurnRow[];
  summary: SummaryRow | null;
  /** One set per owner that was read, in the order user, conversation, global, app. */
  facts: FactSet[];
}

/** A turn to write. Core has validated it and given every message an id. */
export interface TurnWrite {
  /** The turn, without what the store decides; `counted` and `tokens` as in a `TurnRow`. */
  turn: Omit<Turn, "seq" | "conversation" | "subject" | "replacedBy" | "hidden"> & {
    counted: number;
    tokens: number;
  };
  /** Binds a conversation that has no subject; must be the bound one otherwise. Resolved through identities. */
  subject?: string;
  login?: string;
  /** ISO 8601; becomes the conversation's `updatedAt`. */
  now: string;
  /**
   * Sequence number of the stored turn of the same id that this write takes the place of. The stored form is gone, its
   * message ids and search entries with it; the new one is visible and has the next sequence number.
   */
  previousSeq?: number;
  /** Ids of turns to hide, their `replacedBy` set to this turn. Unknown ids are passed over. */
  hides?: readonly string[];
}

/**
 * What became of a turn. Only `stored` wrote anything. Where several hold, the first of these is answered: `erased`,
 * `owner-mismatch`, `exists`, `known`.
 */
export type TurnCommit =
  /** Written whole, with the next sequence number of its conversation. */
  | { status: "stored"; seq: number; conversation: ConversationRow }
  /** A turn of this id is there under another sequence number than `previousSeq`. */
  | { status: "exists"; turn: TurnRow }
  /** Other visible turns, those that `hides` names left out, hold messages of these ids. Ordered as in the write. */
  | { status: "known"; messages: MessageLocation[] }
  /** The conversation is bound to another subject than the write names. A write that names none takes the bound one. */
  | { status: "owner-mismatch" }
  /**
   * The conversation or its subject was erased at or after the turn's `startedAt`, or the turn of `previousSeq` is not
   * there any more.
   */
  | { status: "erased" };

/** Which turns of a conversation. */
export interface TurnQuery {
  /** Only these ids; the other filters still hold. */
  ids?: readonly string[];
  /** Sequence numbers greater than this. */
  after?: number;
  /** Sequence numbers less than this. */
  before?: number;
  /** @default "oldest" */
  order?: "oldest" | "newest";
  limit: number;
  /** Replaced and rewound turns too. @default false */
  hidden?: boolean;
}

/**
 * A change to a stored turn; one that isn't there is passed over. `show` takes `replacedBy` away too. Search entries of
 * its messages are dropped where `messages` changes, left out while it is hidden, and moved where it is restamped.
 */
export type TurnChange =
  | { turn: string; action: "hide" | "show" }
  /** Other messages in place of the stored ones, with their `counted` and `tokens`; the sequence number stays. */
  | {
      turn: string;
      action: "rewrite";
      messages: Turn["messages"];
      counted: number;
      tokens: number;
      /**
       * What the keyword index holds of the turn from then on, where its watermark has passed it; with the change, whole or not
       * at all. Ignored where there is no index.
       */
      documents?: readonly KeywordDocument[];
      /** What was read: passed over where the turn has another sequence number or other message ids by now. */
      ifStill?: { seq: number; messages: readonly string[] };
    }
  /** The turn stamped with another subject. */
  | { turn: string; action: "restamp"; subject: string }
  /** The turn and its bytes are gone. With `ifStill` as in a rewrite. */
  | { turn: string; action: "erase"; ifStill?: { seq: number; messages: readonly string[] } };

/** A change to a conversation itself. Absent members stay; `null` clears. */
export interface ConversationChange {
  /** ISO 8601; becomes `updatedAt`. */
  now: string;
  /** Change only at this version; 0 with `create`: only where it isn't there. */
  ifVersion?: number;
  title?: string | null;
  metadata?: JsonObject | null;
  /** Binds the conversation to this subject whatever it was bound to. */
  subject?: string;
  /** Hide everything up to this sequence number from history. */
  clearedThrough?: number;
  /** Create the conversation where it isn't there. @default false */
  create?: boolean;
}

/** Which conversations. Ordered by `updatedAt`, newest first, ties by id ascending. */
export interface ConversationQuery {
  subject?: string;
  /** With `subject`: those bound to somebody else that hold turns stamped with the subject, instead. */
  former?: boolean;
  limit: number;
  /** Those that come after this one in the order. */
  after?: { updatedAt: string; id: string };
}

/** A new version of a summary, or its removal. */
export interface SummaryCommit {
  /** Version of the live summary; 0 where there is none. Anything else leaves it as it is. */
  expectedVersion: number;
  /**
   * `null` deletes the live summary and answers version 0; the folded turns are back in the window. Its text is gone,
   * and that of the versions before it, of which each holds much of the one before. A later summary goes on counting
   * versions.
   */
  summary: Omit<SummaryRow, "version"> | null;
  now: string;
}

/** Where a turn is. */
export interface TurnPlace {
  conversation: string;
  turn: string;
  /** Its sequence number, where it is known. */
  seq?: number;
}

/** What to erase. Erased text is gone from the bytes, or named in the receipt. */
export type EraseTarget =
  /** Its row, turns, summaries, conversation facts, items, checkpoints and index entries. */
  | { kind: "conversation"; conversation: string }
  /**
   * Every conversation bound to the subject, its `user` and `global` facts, records, identities and index entries; late
   * writes under an identity are refused too. In conversations bound to somebody else: the turns stamped with the
   * subject, and all summaries where there were such turns (their versions go on counting). All checkpoints of a conversation
   * that the subject has turns in, or ever wrote one of.
   */
  | { kind: "subject"; subject: string };

/**
 * Where memories live. Every implementation passes `describeMemoryStore` of the testkit.
 *
 * Each method is atomic: it happens whole or not at all, and what it acknowledged a later call sees. Every call names
 * its owner, and nothing of another owner is read or written. Errors are `MemoryError`s with a `STORE_…` code; a call
 * that its signal ends throws `ABORTED`, any call after `close` `STORE_CLOSED`. What goes in and what comes out are
 * copies: changing them changes nothing stored. Times are in the form of `Date.prototype.toISOString`, so that they
 * compare as strings; other strings compare exactly, without locale.
 */
export interface MemoryStore {
  /** Revision of this contract that the store speaks. */
  readonly contractVersion: 1;
  /** For messages and the manifest, for example `"sqlite"`. */
  readonly name: string;
  readonly capabilities: StoreCapabilities;

  /** What a turn needs to begin, in one trip. Writes nothing. */
  readContext(owner: ConversationOwner, query: ContextQuery, options?: CallOptions): Promise<ContextRows>;
  /** Writes a turn, its conversation where that is new, and nothing else, in one transaction. */
  commitTurn(owner: ConversationOwner, write: TurnWrite, options?: CallOptions): Promise<TurnCommit>;
  /** Empty where nothing matches. */
  readTurns(owner: ConversationOwner, query: TurnQuery, options?: CallOptions): Promise<TurnRow[]>;
  /**
   * Visible turns of any of the agent's conversations, in one trip; in no order, those that aren't there left out. A `seq`
   * says where the turn stands: under another number it isn't the one that is asked for. Without this method the library
   * reads them conversation by conversation.
   */
  findTurns?(owner: AgentOwner, places: readonly TurnPlace[], options?: CallOptions): Promise<TurnRow[]>;
  /**
   * What a search begins with, in one trip: each part as the method that it names answers. For stores that are a network
   * away; without this method the library asks for the parts one by one.
   */
  readSearch?(owner: AgentOwner, query: SearchQuery, options?: CallOptions): Promise<SearchRows>;
  /** What a search found, in one trip. Without this method the library asks for documents, then for turns. */
  readHits?(owner: AgentOwner, query: HitQuery, options?: CallOptions): Promise<HitRows>;
  /** Which of these message ids visible turns hold, cleared ones included; in the order of the ids. */
  findMessages(owner: ConversationOwner, ids: readonly string[], options?: CallOptions): Promise<MessageLocation[]>;
  /** Applies all changes or none. Answers how many turns were there to change. `now` becomes the `updatedAt`. */
  changeTurns(
    owner: ConversationOwner,
    changes: readonly TurnChange[],
    options?: CallOptions & { now?: string },
  ): Promise<number>;
  /** `null` where there is none. */
  readConversation(owner: ConversationOwner, options?: CallOptions): Promise<ConversationRow | null>;
  /** In the query's order; empty where nothing matches. */
  listConversations(owner: AgentOwner, query: ConversationQuery, options?: CallOptions): Promise<ConversationRow[]>;
  /** `conflict` at another version than `ifVersion`, `missing` where it isn't there and `create` isn't set. */
  changeConversation(
    owner: ConversationOwner,
    change: ConversationChange,
    options?: CallOptions,
  ): Promise<{ status: "changed"; conversation: ConversationRow } | { status: "conflict" } | { status: "missing" }>;

  /**
   * Compare-and-set of the live summary; the turns themselves are untouched. `conflict` also where the conversation
   * isn't there or `throughTurn` isn't stored under `through`: a fold that was under way brings nothing erased back.
   */
  commitSummary(
    owner: ConversationOwner,
    commit: SummaryCommit,
    options?: CallOptions,
  ): Promise<{ status: "committed"; version: number } | { status: "conflict" }>;
  /** Versions of the summary, newest first; the first is live unless it was deleted. Deleted ones have an empty text. */
  readSummaries(
    owner: ConversationOwner,
    query: { limit: number },
    options?: CallOptions,
  ): Promise<(SummaryRow & { deletedAt?: string })[]>;

  /** One set per owner asked for, in the same order, of one moment. The owners are of one tenant. */
  readFacts(owners: readonly FactOwner[], query: FactQuery, options?: CallOptions): Promise<FactSet[]>;
  /** Compare-and-set on the version of the owner's facts. */
  commitFacts(owner: FactOwner, commit: FactCommit, options?: CallOptions): Promise<FactCommitResult>;
  /** Hashes of the owner's values that must not come back, each once, in code-unit order. Empty where there are none. */
  readTombstones(owner: FactOwner, options?: CallOptions): Promise<string[]>;

  /** Records in the order the query names; expired ones are not there. */
  readRecords(owner: AgentOwner, query: RecordQuery, options?: CallOptions): Promise<RecordRow[]>;
  /** Applies all commits or none; `conflict` names the first whose version differs. */
  commitRecords(
    owner: AgentOwner,
    commits: readonly RecordCommit[],
    options?: CallOptions & { now?: string },
  ): Promise<RecordCommitResult>;
  /** Distinct namespaces that hold live records, sorted label by label. */
  listNamespaces(
    owner: AgentOwner,
    query: { prefix?: readonly string[]; limit: number; after?: readonly string[]; now: string },
    options?: CallOptions,
  ): Promise<string[][]>;

  /** Byte items of a conversation, sorted by key in code-unit order. */
  readItems(owner: ConversationOwner, query: ItemQuery, options?: CallOptions): Promise<ItemRow[]>;
  /**
   * Applies all commits in order, or none. False, with nothing written, where the conversation, or the `subject` where
   * one is named, was erased at or after `beganAt`.
   */
  commitItems(
    owner: ConversationOwner,
    commits: readonly ItemCommit[],
    options?: CallOptions & { beganAt?: string; subject?: string },
  ): Promise<boolean>;

  /**
   * Leases conversations whose turns are not settled, least recently updated first, ties by id. One leased to another
   * holder is left out until its lease is over; the claimer's own lease is renewed.
   */
  claimWork(owner: AgentOwner, claim: WorkClaim, options?: CallOptions): Promise<ConversationRow[]>;
  /**
   * Moves watermarks forward (never back), whoever has the lease, and gives up the holder's own; of the conversation that was
   * made at `createdAt`, where that is said.
   */
  settleWork(owner: ConversationOwner, settlement: WorkSettlement, options?: CallOptions): Promise<void>;
  /**
   * `claimWork` of one conversation, with what its work begins with, in one trip; `null` where it isn't claimed. Without
   * this method the library asks for the parts one by one.
   */
  beginWork?(owner: ConversationOwner, begin: WorkBegin, options?: CallOptions): Promise<WorkRows | null>;
  /**
   * What `keyword.index`, `vectors.put` and then `settleWork` do, in one trip and whole or not at all; what is long may go in
   * pieces as it does by those calls, and is settled with the last. Where the index's watermark has moved, `indexed` is false
   * and all the rest is done. It may answer before it is safe from a failure of the database's machine: what is lost then is
   * lost whole, and the work is due again. Without this method the library makes the calls one by one.
   */
  finishWork?(
    owner: ConversationOwner,
    result: WorkResult,
    options?: CallOptions,
  ): Promise<{ indexed: boolean; vectors: number }>;
  /** Makes every conversation's work due again, for a kind of work that is new. */
  reopenWork(owner: AgentOwner, options?: CallOptions): Promise<void>;
  /** Takes or renews a named lease; false while another holder has it. */
  claimLease(owner: AgentOwner, lease: Lease, options?: CallOptions): Promise<boolean>;
  /** Gives a lease up; nothing happens where the holder doesn't have it. */
  releaseLease(owner: AgentOwner, lease: { name: string; holder: string }, options?: CallOptions): Promise<void>;

  /**
   * Makes `identity` another name of `subject`. `readContext` and `commitTurn` resolve the subject they are given; every
   * other call takes a subject that `resolveSubject` answered. Naming an identity again moves it.
   */
  linkIdentity(owner: AgentOwner, link: IdentityRow, options?: CallOptions): Promise<void>;
  /** False where the identity wasn't linked. */
  unlinkIdentity(owner: AgentOwner, identity: string, options?: CallOptions): Promise<boolean>;
  /** Sorted by identity; those of one subject where it is named. */
  listIdentities(owner: AgentOwner, query: { subject?: string }, options?: CallOptions): Promise<IdentityRow[]>;
  /** The subject an identity stands for; the id itself where it is nobody's identity. */
  resolveSubject(owner: AgentOwner, subject: string, options?: CallOptions): Promise<string>;

  /** Keyword index; there when `capabilities.keywordSearch`. */
  readonly keyword?: KeywordIndex;
  /** Checkpoints of hosts; there when `capabilities.checkpoints`. */
  readonly checkpoints?: CheckpointStore;
  /** Vectors; there when `capabilities.vectorSearch`. */
  readonly vectors?: VectorIndex;

  /**
   * What was erased through this store and still stands in the bytes, and why; empty where nothing does. Absent: nothing
   * ever does. For erasing writes that have no receipt of their own.
   */
  readonly residue?: () => Promise<Receipt["residue"]>;

  /**
   * At least 16 random bytes that are kept beside the database and not in it, the same for every process. Absent: the
   * app has to give the key itself.
   */
  readonly secret?: () => Promise<Uint8Array>;

  /**
   * Removes, at most `limit` of each kind, what is over by `now`: facts and records past their expiry, leases that are
   * over, and operations remembered before `operationsBefore`; shared `global` facts too. Answers counts per kind.
   */
  purgeExpired(
    owner: AgentOwner,
    query: { now: string; operationsBefore: string; limit: number },
    options?: CallOptions,
  ): Promise<Record<string, number>>;

  /**
   * Removes the target and remembers that it did, so that late writes of it are refused; also where there was nothing.
   * The receipt counts `conversations`, `turns`, `messages`, `summaries`, `facts`, `items`, `records`, `identities` and
   * `checkpoints`, every stored row of each, and `vectors` where the store keeps them; a missing count is 0.
   */
  erase(owner: AgentOwner, target: EraseTarget, options: CallOptions & { now: string }): Promise<Receipt>;

  /** Finishes what is under way and lets go of every handle. A second call does nothing. */
  close(): Promise<void>;
}
