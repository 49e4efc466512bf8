import type { CallOptions } from "./memory-store.ts";
import type { AgentOwner, ConversationOwner } from "./owner.ts";

/** A run of elements by their numbers: the first, and how many follow it without a gap, itself counted. */
export type ElementRange = readonly [first: number, count: number];

/**
 * What a checkpoint keeps under a name. A text stands in the checkpoint itself. A list is elements in order: runs of those
 * that are kept already, and texts of new ones. Elements belong to the conversation and the name: every checkpoint of any
 * space shares them, and the same text is kept once.
 */
export interface CheckpointValueWrite {
  name: string;
  value: string | readonly (ElementRange | string)[];
}

/** A value as it is read. */
export interface CheckpointValueRow {
  name: string;
  /** A text that stands in the checkpoint, or where the elements of a list are. */
  value: string | readonly ElementRange[];
  /** The elements of a list as one JSON array. Absent for a text, and where elements weren't asked for. */
  elements?: string;
}

/** A checkpoint to write. All texts are JSON; they come back with the same meaning, whatever white space stands around. */
export interface CheckpointWrite {
  /** Checkpoints of a conversation stand in spaces, each with a history of its own; `""` is the first. */
  space: string;
  /** In the order of their ids, code unit by code unit, checkpoints follow each other in time. */
  id: string;
  /** The checkpoint that this one follows. */
  parent?: string;
  /** Whose it is; must be the conversation's subject where that has one. Resolved through identities. */
  subject?: string;
  login?: string;
  /** ISO 8601. */
  now: string;
  values: readonly CheckpointValueWrite[];
  /** What it can be looked for by. */
  tags: readonly (readonly [key: string, text: string])[];
  body: string;
  /** What the ranges were read under. Not needed without ranges. */
  generation?: string;
  /**
   * Write only where `parent` is the newest of its space, or where there is none and no parent is named; one that is the
   * newest itself is written again.
   */
  ifNewest?: boolean;
  /** The parent need not be there: what is imported may begin anywhere. @default false */
  detached?: boolean;
}

/** What became of a checkpoint. Only `stored` wrote anything; where several hold, the first of these is answered. */
export type CheckpointCommit =
  /** In place of one of the same id, if there was one. The ranges of each list in the order given, and what they hold under. */
  | { status: "stored"; generation: string; lists: { name: string; ranges: readonly ElementRange[] }[] }
  /** It belongs to another subject than the write names. */
  | { status: "owner-mismatch" }
  /** The parent isn't there. `gone`: nor is anything else of the conversation; it was removed or erased. */
  | { status: "late"; gone: boolean }
  /** With `ifNewest`: the newest is another than the parent. */
  | { status: "behind" }
  /** The ranges are of another generation: elements were removed meanwhile. Give the texts instead. */
  | { status: "stale"; generation: string };

/** One write beside a checkpoint: part of the step that follows it. */
export interface PendingWriteRow {
  /** Id of the task that wrote it. */
  task: string;
  /** Where the task stands among those of its step. */
  path: string;
  /** Its place among the task's writes. */
  index: number;
  name: string;
  /** JSON. */
  text: string;
}

/** Writes of one task. They may arrive before their checkpoint does. */
export interface PendingWrites {
  /** The space of their checkpoint. */
  space: string;
  checkpoint: string;
  /** Id of the task that writes. */
  task: string;
  /** Where the task stands among those of its step. */
  path: string;
  /** As in {@link CheckpointWrite}. */
  subject?: string;
  /** What the conversation's checkpoints were read under: later ones of the same name aren't meant. */
  generation?: string;
  /** One of the same index stays as it is, unless `replaces` is set. */
  writes: readonly { index: number; name: string; text: string; replaces?: boolean }[];
}

/** A checkpoint as it is read. */
export interface CheckpointRow {
  conversation: string;
  /** The conversation's subject, where it has one. */
  subject?: string;
  /** As in {@link CheckpointWrite}. */
  space: string;
  id: string;
  parent?: string;
  /** ISO 8601, when it was written. */
  at: string;
  values: CheckpointValueRow[];
  tags: (readonly [key: string, text: string])[];
  body: string;
  /** In no order. */
  writes: PendingWriteRow[];
  /** What its ranges hold under; hand it back with ranges in a write. */
  generation: string;
}

/** Which checkpoints. Greatest id first; ties by conversation, then space, ascending. */
export interface CheckpointQuery {
  /** Absent: of every conversation of the agent. */
  conversation?: string;
  /** Only conversations of this subject. */
  subject?: string;
  /** Absent: of every space. */
  space?: string;
  id?: string;
  /** Ids less than this. */
  before?: string;
  /** Those behind this one in the order. */
  after?: { id: string; conversation: string; space: string };
  /** Every key given has this text. */
  tags?: readonly (readonly [key: string, text: string])[];
  limit: number;
  /** Without the elements of lists and without writes. @default false */
  heads?: boolean;
}

/** The checkpoints of a conversation as a whole. */
export interface CheckpointThreadRow {
  conversation: string;
  subject?: string;
  login?: string;
  createdAt: string;
  /** When its newest checkpoint was written. */
  updatedAt: string;
  checkpoints: number;
}

/** What was written under a name on the way to a checkpoint. */
export interface CheckpointHistory {
  name: string;
  /** By the step they are part of, oldest step first; within a step in no order. */
  steps: PendingWriteRow[][];
  /** The nearest ancestor's value of the name. Absent where none has one. */
  seed?: { body: string; value: CheckpointValueRow };
}

/**
 * Checkpoints that a host keeps with a conversation. Each call is atomic and one trip; what is written stands with the
 * conversation, and goes with it and with its subject.
 */
export interface CheckpointStore {
  /** Writes a checkpoint, its elements and its conversation where that is new. */
  put(owner: ConversationOwner, write: CheckpointWrite, options?: CallOptions): Promise<CheckpointCommit>;
  /** `late`: the conversation has no checkpoints, or those of another generation than is named. */
  putWrites(
    owner: ConversationOwner,
    writes: PendingWrites,
    options?: CallOptions,
  ): Promise<"stored" | "late" | "owner-mismatch">;
  /** The newest of the space where no id is named; `null` where there is none. */
  read(
    owner: ConversationOwner,
    query: { space: string; id?: string; heads?: boolean },
    options?: CallOptions,
  ): Promise<CheckpointRow | null>;
  /** In the query's order; empty where nothing matches. */
  list(owner: AgentOwner, query: CheckpointQuery, options?: CallOptions): Promise<CheckpointRow[]>;
  /**
   * What the ancestors of a checkpoint have for each name: writes up to and with the nearest one that has a value of it. The
   * checkpoint itself, the newest of the space where none is named, is left out. In the order of the names.
   */
  history(
    owner: ConversationOwner,
    query: { space: string; id?: string; names: readonly string[] },
    options?: CallOptions,
  ): Promise<CheckpointHistory[]>;
  /** Sorted by conversation. */
  threads(
    owner: AgentOwner,
    query: { subject?: string; after?: string; limit: number },
    options?: CallOptions,
  ): Promise<CheckpointThreadRow[]>;
  /** Everything, to a conversation that has no checkpoints yet. How many checkpoints; `null` where it has some. */
  copy(
    owner: ConversationOwner,
    to: { conversation: string; subject?: string; login?: string; now: string },
    options?: CallOptions,
  ): Promise<number | null>;
  /**
   * Removes checkpoints with their writes, and elements that no other one holds; all of the conversation where none is named.
   * How many.
   */
  remove(
    owner: ConversationOwner,
    checkpoints?: readonly { space: string; id: string }[],
    options?: CallOptions,
  ): Promise<number>;
}
