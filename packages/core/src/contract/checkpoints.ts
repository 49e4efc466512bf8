import type { ConversationRef } from "./conversation.ts";
import type { CallOptions } from "./memory-store.ts";
import type { Page } from "./outcome.ts";
import type {
  CheckpointCommit,
  CheckpointHistory,
  CheckpointQuery,
  CheckpointRow,
  CheckpointThreadRow,
  CheckpointWrite,
  PendingWrites,
} from "./store-checkpoints.ts";

/** A checkpoint to keep; whose it is, its conversation says. */
export type CheckpointInput = Omit<CheckpointWrite, "subject" | "login" | "now">;

/** Writes of one task; whose they are, their conversation says. */
export type PendingWritesInput = Omit<PendingWrites, "subject">;

/**
 * States of a host's runs, kept with the conversation they belong to: whoever erases the conversation or its subject erases
 * them. For adapters. Calls throw `STORE_CONTRACT` where the store keeps none, and `CONVERSATION_OWNER_MISMATCH` where the
 * conversation belongs to another subject than is named.
 */
export interface Checkpoints {
  /** Keeps a checkpoint; one of the same id is taken the place of. Answers what became of it. */
  put(
    conversation: ConversationRef,
    checkpoint: CheckpointInput,
    options?: CallOptions,
  ): Promise<Exclude<CheckpointCommit, { status: "owner-mismatch" }>>;
  /** False where they came too late: the conversation's checkpoints are gone. */
  putWrites(conversation: ConversationRef, writes: PendingWritesInput, options?: CallOptions): Promise<boolean>;
  /** The newest of the space where no id is named; `null` where there is none. */
  read(
    conversation: ConversationRef,
    query: { space: string; id?: string; heads?: boolean },
    options?: CallOptions,
  ): Promise<CheckpointRow | null>;
  /** Greatest id first. `subject` may be any of the subject's names. */
  list(query: CheckpointQuery, options?: CallOptions): Promise<CheckpointRow[]>;
  /** What the ancestors of a checkpoint have for each name, to the nearest value. */
  history(
    conversation: ConversationRef,
    query: { space: string; id?: string; names: readonly string[] },
    options?: CallOptions,
  ): Promise<CheckpointHistory[]>;
  /** Conversations that have checkpoints, sorted by id. */
  threads(
    query?: { subject?: string; limit?: number; cursor?: string },
    options?: CallOptions,
  ): Promise<Page<CheckpointThreadRow>>;
  /** Copies all checkpoints to a conversation that has none. Throws `VERSION_CONFLICT` where it has some. How many. */
  copy(from: ConversationRef, to: ConversationRef, options?: CallOptions): Promise<number>;
  /** Removes some checkpoints, or all of the conversation. How many. */
  remove(
    conversation: ConversationRef,
    checkpoints?: readonly { space: string; id: string }[],
    options?: CallOptions,
  ): Promise<number>;
}
