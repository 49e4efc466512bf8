import type { TurnCommit, TurnWrite } from "../contract/memory-store.ts";
import type { FactCommit, FactCommitResult } from "../contract/store-facts.ts";
import type { ConversationRow, TurnRow } from "../contract/store-rows.ts";
import type { WorkSettlement } from "../contract/store-work.ts";
import { locateMessages } from "./turn-rows.ts";

/** What a store knows of the conversation that a turn is written to. */
export interface StoredConversation {
  /** All its turns, hidden ones too. */
  turns: readonly TurnRow[];
  /** Whom it is bound to. */
  bound: string | undefined;
  /** Whom the write names, resolved through identities; where it names none, whom it is bound to. */
  subject: string | undefined;
  /** It, or its subject, was erased at or after the turn's `startedAt`. */
  isErased: boolean;
}

/** What the contract answers instead of writing a turn, the first that holds; `null` where nothing speaks against it. Pure. */
export function refusalOfTurn(
  { turn, previousSeq, hides = [] }: TurnWrite,
  { turns, bound, subject, isErased }: StoredConversation,
): Exclude<TurnCommit, { status: "stored" }> | null {
  const own = turns.find(({ id }) => id === turn.id);
  if (isErased) return { status: "erased" };
  if (bound !== undefined && bound !== subject) return { status: "owner-mismatch" };
  if (own !== undefined && own.seq !== previousSeq) return { status: "exists", turn: own };
  if (own === undefined && previousSeq !== undefined) return { status: "erased" };
  const hidden = new Set(hides);
  const others = turns.filter(({ id }) => id !== turn.id && !hidden.has(id));
  const ids = turn.messages.map(({ id }) => id);
  const messages = locateMessages(others, ids);
  return messages.length > 0 ? { status: "known", messages } : null;
}

/** What a store knows of the owner of facts that are committed. */
export interface StoredFacts {
  /** Of the owner's facts; 0 where it has none. */
  version: number;
  /** A fact of this hash was forgotten for good. */
  hasTombstone(hash: string): boolean;
  /** The result that an operation of this key was remembered with. */
  resultOf(operation: string): string | undefined;
  /** The owner, or the subject that the commit names, was erased at or after its `beganAt`. */
  isErased: boolean;
}

/** What the contract answers instead of committing facts, the first that holds; `null` where nothing speaks against it. Pure. */
export function refusalOfFacts(
  { operation, expectedVersion, unlessTombstoned = [] }: FactCommit,
  { version, hasTombstone, resultOf, isErased }: StoredFacts,
): Exclude<FactCommitResult, { status: "committed" }> | null {
  if (isErased) return { status: "erased" };
  const result = operation === undefined ? undefined : resultOf(operation.key);
  if (result !== undefined) return { status: "repeated", result };
  if (expectedVersion !== version) return { status: "conflict", version };
  const hashes = unlessTombstoned.filter(hasTombstone);
  return hashes.length > 0 ? { status: "tombstoned", hashes } : null;
}

/** True where a conversation isn't the one that work was on: it was erased, and begun anew under its id. Pure. */
export const isAnother = (
  row: Pick<ConversationRow, "createdAt">,
  { createdAt }: { createdAt?: string | undefined },
): boolean => createdAt !== undefined && row.createdAt !== createdAt;

/** How far a conversation's work has come after a settlement: forward, never back. Pure. */
export function settledWork(
  row: Pick<ConversationRow, "watermarks" | "settledSeq" | "lastSeq">,
  { watermarks: done = {}, settledSeq = 0 }: WorkSettlement,
): Pick<ConversationRow, "watermarks" | "settledSeq"> {
  const watermarks = { ...row.watermarks };
  for (const [kind, seq] of Object.entries(done)) watermarks[kind] = Math.max(watermarks[kind] ?? 0, seq);
  return { watermarks, settledSeq: Math.max(row.settledSeq, Math.min(settledSeq, row.lastSeq)) };
}
