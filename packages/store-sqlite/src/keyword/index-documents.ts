import type { ConversationOwner, KeywordDocument } from "@throughline/core";
import { isAnother } from "@throughline/core/store-kit";
import { findConversation, type StoredConversation } from "../conversation-rows.ts";
import { findHashes, messageHash, turnHash } from "../identities.ts";
import { obtainConversationBucket, obtainSecret } from "../names.ts";
import type { Session } from "../session.ts";
import { Pace, type Steps } from "../steps.ts";
import { findTurn, turnKey } from "../turn-rows.ts";
import { fileRecent } from "./file-recent.ts";
import { FILED } from "./filing.ts";
import { type Portion, portionsOf } from "./index-portions.ts";
import { insertDocument } from "./insert-document.ts";
import { arrive, LONG_TERMS } from "./long-documents.ts";
import { doomDocuments } from "./mark-documents.ts";
import { settleDocuments } from "./pending-documents.ts";
import { countDocuments, hashTerms, nextOrdinal, type TermList } from "./posting-writes.ts";
import { isLong, LONG_BYTES, putRecent } from "./recent-documents.ts";
import { encodeRecent } from "./recent-terms.ts";

/** Documents of turns, and what of the conversation they are. */
export interface IndexBatch {
  createdAt?: string;
  after: number;
  through: number;
  documents: readonly KeywordDocument[];
}

/** Adds documents, and makes postings of what is there long enough; false as {@link addDocuments} says. */
export function* indexDocuments(session: Session, owner: ConversationOwner, batch: IndexBatch): Steps<boolean> {
  const added = yield* addDocuments(session, owner, batch);
  if (added === null) return false;
  session.run("UPDATE conversation SET indexed_seq = ? WHERE ref = ?", batch.through, added.conversation);
  yield* fileLong(session, added.long);
  return true;
}

/** What was added: the conversation's number, and the buckets that {@link fileLong} is for. */
export interface Added {
  conversation: number;
  long: readonly number[];
}

/**
 * Adds documents, some at a time; `null` where the watermark isn't `after` or the conversation another one, or comes to. To
 * move it is the caller's, in the piece that the last are added in. What was added until a crash is behind the watermark, and is
 * replaced when its turns are indexed again.
 */
export function* addDocuments(session: Session, owner: ConversationOwner, batch: IndexBatch): Steps<Added | null> {
  const pace = new Pace();
  const refs: number[] = [];
  let added: Added | null = null;
  for (const portion of portionsOf(batch.documents)) {
    if (added !== null) yield* pace.pause();
    for (const bucket of added?.long ?? []) fileRecent(session, bucket);
    if (pace.isOver) yield* pace.pause();
    const conversation = yield* removeEarlier(session, owner, batch, portion);
    if (conversation === undefined) return null;
    const { buckets, refs: own, long } = addPortion(session, conversation, portion.documents);
    refs.push(...own);
    added = { conversation: conversation.ref, long: buckets.filter((bucket) => isLong(session, bucket)) };
    if (long === undefined) continue;
    // Its postings stand behind those of what was indexed before it.
    while (fileRecent(session, long.bucket) > 0) if (pace.isOver) yield* pace.pause();
    yield* arrive(session, long.ref, long.terms, pace);
    if (findBehind(session, owner, batch) === undefined) return null;
  }
  const isWhole = pace.pauses === 0 || added === null || isThere(session, added.conversation, batch, refs);
  return isWhole ? added : null;
}

/**
 * True where the turns of a batch have these documents and no others, and all their postings. Somebody else may have begun to
 * index them anew between two pieces, and be in the middle of it.
 */
function isThere(session: Session, conversation: number, { documents }: IndexBatch, refs: readonly number[]): boolean {
  const seqs = [...new Set(documents.map(({ seq }) => seq))];
  const [count, own, arriving] =
    session.row<[number, number, number]>(
      `SELECT count(*), total(ref IN (SELECT value FROM json_each(?))), total(filed >= ${FILED.arriving}) FROM document
        WHERE conversation = ? AND seq IN (SELECT value FROM json_each(?)) AND filed <> ${FILED.doomed}`,
      JSON.stringify(refs),
      conversation,
      JSON.stringify(seqs),
    ) ?? [];
  return count === refs.length && own === count && arriving === 0;
}

/** The conversation, where its watermark still stands where it stood: without what the index had of turns that are begun anew. */
function* removeEarlier(
  session: Session,
  owner: ConversationOwner,
  batch: IndexBatch,
  { begins }: Portion,
): Steps<StoredConversation | undefined> {
  for (;;) {
    const conversation = findBehind(session, owner, batch);
    if (conversation === undefined) return undefined;
    const isAny = begins.map((seq) => doomDocuments(session, conversation.ref, seq)).includes(true);
    if (!isAny) return conversation;
    yield* settleDocuments(session);
  }
}

/** The conversation, where it is the batch's still and its watermark stands where it stood. */
function findBehind(session: Session, owner: ConversationOwner, batch: IndexBatch): StoredConversation | undefined {
  const conversation = findConversation(session, owner);
  if (conversation === undefined || isAnother(conversation.row, batch)) return undefined;
  return (conversation.row.watermarks.index ?? 0) === batch.after ? conversation : undefined;
}

/** Makes postings of what is recent in some buckets, until none of them is long. What is recent is found all the same. */
export function* fileLong(session: Session, buckets: readonly number[]): Steps<void> {
  for (let long = buckets; long.length > 0; ) {
    yield;
    long = long.filter((bucket) => fileRecent(session, bucket) >= LONG_BYTES);
  }
}

/** What a portion brought: the buckets that have more recent documents, and a long document that is {@link FILED.arriving}. */
interface Portioned {
  buckets: number[];
  /** Numbers of all its documents. */
  refs: number[];
  long?: { ref: number; bucket: number; terms: TermList } | undefined;
}

function addPortion(
  session: Session,
  { ref, agent }: StoredConversation,
  documents: readonly KeywordDocument[],
): Portioned {
  const recent = new Map<number, Uint8Array[]>();
  const refs: number[] = [];
  let long: Portioned["long"];
  for (const [seq, some] of Map.groupBy(documents, (document) => document.seq)) {
    const turn = session.row<[subject: number | null, hidden: number]>(
      "SELECT subject, hidden FROM turn WHERE key = ?",
      turnKey(ref, seq),
    );
    const isHidden = turn !== undefined && turn[1] !== 0;
    const held = turn === undefined ? [] : heldBy(session, ref, seq, some, isHidden);
    if (turn === undefined || held.length === 0) continue;
    const bucket = turn[0] ?? obtainConversationBucket(session, agent, ref);
    const added = addOfTurn(session, ref, bucket, held, isHidden);
    refs.push(...added.refs);
    if (added.recent.length > 0) recent.set(bucket, [...(recent.get(bucket) ?? []), ...added.recent]);
    if (added.long !== undefined) long = { ...added.long, bucket };
  }
  for (const [bucket, added] of recent) putRecent(session, bucket, added);
  return { buckets: [...recent.keys()], refs, long };
}

/** The documents whose turn is there under its id and holds the message: no other must come back. */
function heldBy(
  session: Session,
  conversation: number,
  seq: number,
  documents: readonly KeywordDocument[],
  isHidden: boolean,
): KeywordDocument[] {
  if (isHidden) {
    // Its messages have no hashes.
    const body = findTurn(session, conversation, seq)?.body;
    return documents.filter(({ turn, message }) => body?.id === turn && body.messages.some(({ id }) => id === message));
  }
  const hashesOf = ({ turn, message }: KeywordDocument): number[] => [
    turnHash(session, turn),
    messageHash(session, message),
  ];
  const hashes = [...new Set(documents.flatMap(hashesOf))];
  const here = new Set<number>();
  for (const [hash, at] of findHashes(session, conversation, hashes)) if (at === seq) here.add(hash);
  return documents.filter((document) => hashesOf(document).every((hash) => here.has(hash)));
}

/** Adds documents of one turn; answers what is recent of them, and which one is long. */
function addOfTurn(
  session: Session,
  conversation: number,
  bucket: number,
  documents: readonly KeywordDocument[],
  isHidden: boolean,
): { refs: number[]; recent: Uint8Array[]; long?: { ref: number; terms: TermList } | undefined } {
  // A hidden turn's documents wait without postings until it is shown.
  const first = isHidden ? 0 : nextOrdinal(session, bucket, documents.length);
  const secret = obtainSecret(session, bucket);
  const refs: number[] = [];
  const recent: Uint8Array[] = [];
  let long: { ref: number; terms: TermList } | undefined;
  const lengths: [said: number[], tool: number[]] = [[], []];
  for (const [index, document] of documents.entries()) {
    const ordinal = isHidden ? 0 : first + index;
    const { terms } = document;
    const arrives = !isHidden && terms.length >= LONG_TERMS;
    const state = isHidden ? FILED.no : arrives ? FILED.arriving : FILED.yes;
    const filed = insertDocument(session, { bucket, ordinal, conversation }, document, state);
    refs.push(filed.ref);
    if (arrives) long = { ref: filed.ref, terms };
    if (isHidden || arrives) continue;
    recent.push(encodeRecent(filed, hashTerms(secret, terms)));
    lengths[document.group === "tool" ? 1 : 0].push(document.length);
  }
  for (const [tool, some] of lengths.entries()) {
    const length = some.reduce((sum, one) => sum + one, 0);
    if (some.length > 0) countDocuments(session, bucket, tool, { documents: some.length, length });
  }
  return { refs, recent, long };
}
