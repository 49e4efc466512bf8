import type { ConversationOwner, KeywordDocument } from "@throughline/core";
import { findConversation, type StoredConversation } from "../conversation-rows.ts";
import { putText } from "../heap.ts";
import { findHashes, messageHash, turnHash } from "../identities.ts";
import { obtainConversationBucket } from "../names.ts";
import type { Session } from "../session.ts";
import type { Steps } from "../steps.ts";
import { turnKey } from "../turn-rows.ts";
import { fileRecent } from "./file-recent.ts";
import { FILED } from "./filing.ts";
import { ROLES } from "./posting-blocks.ts";
import { countDocument, hashTerms, nextOrdinal } from "./posting-writes.ts";
import { isLong, putRecent } from "./recent-documents.ts";
import { removeDocumentsOfTurns } from "./turn-documents.ts";

/** Terms of turns that are indexed together. */
const TERMS_AT_ONCE = 500;

/** Documents of turns, and what of the conversation they are. */
export interface IndexBatch {
  after: number;
  through: number;
  documents: readonly KeywordDocument[];
}

/** Adds documents, and makes postings of what is there long enough; false where the watermark isn't `after`, or ceases to be. */
export function* indexDocuments(session: Session, owner: ConversationOwner, batch: IndexBatch): Steps<boolean> {
  const { indexed, long } = yield* addDocuments(session, owner, batch);
  if (long.length > 0) yield* fileLong(session, long);
  return indexed;
}

/**
 * Adds documents, some turns at a time, and moves the watermark with the last; unless it isn't `after`, or ceases to be.
 * What was added until a crash is behind the watermark, and is replaced when its turns are indexed again. `long`: the buckets
 * that {@link fileLong} is for.
 */
export function* addDocuments(
  session: Session,
  owner: ConversationOwner,
  batch: IndexBatch,
): Steps<{ indexed: boolean; long: number[] }> {
  const portions = portionsOf(batch.documents);
  let long: number[] = [];
  for (const [index, documents] of portions.entries()) {
    const conversation = findConversation(session, owner);
    if (conversation === undefined || (conversation.row.watermarks.index ?? 0) !== batch.after) {
      return { indexed: false, long: [] };
    }
    for (const bucket of long) fileRecent(session, bucket);
    long = addPortion(session, conversation, documents).filter((bucket) => isLong(session, bucket));
    if (index < portions.length - 1) yield;
    else session.run("UPDATE conversation SET indexed_seq = ? WHERE ref = ?", batch.through, conversation.ref);
  }
  return { indexed: true, long };
}

/** Makes postings of what is recent in some buckets, until none of them is long. What is recent is found all the same. */
export function* fileLong(session: Session, buckets: readonly number[]): Steps<void> {
  for (let long = buckets; long.length > 0; ) {
    yield;
    for (const bucket of long) fileRecent(session, bucket);
    long = long.filter((bucket) => isLong(session, bucket));
  }
}

/** Whole turns, at least one in each portion; one empty portion where there are no documents. */
function portionsOf(documents: readonly KeywordDocument[]): KeywordDocument[][] {
  const turns = new Map<number, KeywordDocument[]>();
  for (const document of documents) {
    const known = turns.get(document.seq);
    if (known === undefined) turns.set(document.seq, [document]);
    else known.push(document);
  }
  let portion: KeywordDocument[] = [];
  const portions = [portion];
  let terms = 0;
  for (const turn of turns.values()) {
    const size = turn.reduce((sum, document) => sum + document.terms.length, 0);
    if (terms > 0 && terms + size > TERMS_AT_ONCE) {
      portion = [];
      portions.push(portion);
      terms = 0;
    }
    portion.push(...turn);
    terms += size;
  }
  return portions;
}

/** Answers which buckets were added to. */
function addPortion(
  session: Session,
  { ref, agent }: StoredConversation,
  documents: readonly KeywordDocument[],
): number[] {
  // Whoever indexes a turn again means it in place of what was there.
  removeDocumentsOfTurns(session, ref, [...new Set(documents.map(({ seq }) => seq))]);
  const buckets = new Set<number>();
  for (const document of documents) {
    const turn = session.row<[subject: number | null, hidden: number]>(
      "SELECT subject, hidden FROM turn WHERE key = ?",
      turnKey(ref, document.seq),
    );
    // Erased or changed since its terms were read: they must not come back.
    if (turn === undefined || !holds(session, ref, document, turn[1] !== 0)) continue;
    const bucket = turn[0] ?? obtainConversationBucket(session, agent, ref);
    addDocument(session, ref, bucket, document, turn[1] !== 0);
    buckets.add(bucket);
  }
  return [...buckets];
}

/** The turn is still there under its id, and where it is visible it still holds the message. */
function holds(session: Session, conversation: number, document: KeywordDocument, isHidden: boolean): boolean {
  const hashes = [turnHash(session, document.turn)];
  if (!isHidden) hashes.push(messageHash(session, document.message));
  const seqs = findHashes(session, conversation, hashes).filter(([, seq]) => seq === document.seq);
  return seqs.length === hashes.length;
}

function addDocument(
  session: Session,
  conversation: number,
  bucket: number,
  document: KeywordDocument,
  isHidden: boolean,
): void {
  const tool = document.group === "tool" ? 1 : 0;
  const role = ROLES.indexOf(document.role);
  // A hidden turn's documents wait without postings until it is shown.
  const ordinal = isHidden ? 0 : nextOrdinal(session, bucket);
  const { length, place } = document;
  const { ref } = session.run(
    `INSERT INTO document (bucket, ordinal, conversation, seq, position, tool, role, length, created_at, place, terms, filed)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    bucket,
    ordinal,
    conversation,
    document.seq,
    document.position,
    tool,
    role,
    length,
    document.createdAt,
    place,
    putText(session, JSON.stringify(document.terms)),
    isHidden ? FILED.no : FILED.yes,
  );
  if (isHidden) return;
  const filed = { ref, bucket, ordinal, tool, role, length, conversation, place };
  putRecent(session, filed, hashTerms(session, bucket, document.terms));
  countDocument(session, bucket, tool, length, 1);
}
