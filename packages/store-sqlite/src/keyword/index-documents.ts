import type { ConversationOwner, KeywordDocument } from "@throughline/core";
import { isAnother } from "@throughline/core/store-kit";
import { findConversation, type StoredConversation } from "../conversation-rows.ts";
import { findHashes, messageHash, turnHash } from "../identities.ts";
import { obtainConversationBucket, obtainSecret } from "../names.ts";
import type { Session } from "../session.ts";
import type { Steps } from "../steps.ts";
import { findTurn, turnKey } from "../turn-rows.ts";
import { fileRecent } from "./file-recent.ts";
import { FILED } from "./filing.ts";
import { insertDocument } from "./insert-document.ts";
import { countDocuments, hashTerms, nextOrdinal } from "./posting-writes.ts";
import { isLong, putRecent } from "./recent-documents.ts";
import { encodeRecent } from "./recent-terms.ts";
import { removeDocumentsOfTurns } from "./turn-documents.ts";

/** Terms of turns that are indexed together. */
const TERMS_AT_ONCE = 500;

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
 * Adds documents, some turns at a time; `null` where the watermark isn't `after` or the conversation another one, or comes to. To move it is the caller's,
 * in the piece that the last are added in. What was added until a crash is behind the watermark, and is replaced when its
 * turns are indexed again.
 */
export function* addDocuments(session: Session, owner: ConversationOwner, batch: IndexBatch): Steps<Added | null> {
  let added: Added | null = null;
  for (const documents of portionsOf(batch.documents)) {
    if (added !== null) yield;
    const conversation = findConversation(session, owner);
    if (conversation === undefined || isAnother(conversation.row, batch)) return null;
    if ((conversation.row.watermarks.index ?? 0) !== batch.after) return null;
    for (const bucket of added?.long ?? []) fileRecent(session, bucket);
    const buckets = addPortion(session, conversation, documents);
    added = { conversation: conversation.ref, long: buckets.filter((bucket) => isLong(session, bucket)) };
  }
  return added;
}

/** Makes postings of what is recent in some buckets, until none of them is long. What is recent is found all the same. */
export function* fileLong(session: Session, buckets: readonly number[]): Steps<void> {
  for (let long = buckets; long.length > 0; ) {
    yield;
    long = long.filter((bucket) => fileRecent(session, bucket));
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
  const turns = Map.groupBy(documents, ({ seq }) => seq);
  // Whoever indexes a turn again means it in place of what was there.
  removeDocumentsOfTurns(session, ref, [...turns.keys()]);
  const recent = new Map<number, Uint8Array[]>();
  for (const [seq, some] of turns) {
    const turn = session.row<[subject: number | null, hidden: number]>(
      "SELECT subject, hidden FROM turn WHERE key = ?",
      turnKey(ref, seq),
    );
    const isHidden = turn !== undefined && turn[1] !== 0;
    const held = turn === undefined ? [] : heldBy(session, ref, seq, some, isHidden);
    if (turn === undefined || held.length === 0) continue;
    const bucket = turn[0] ?? obtainConversationBucket(session, agent, ref);
    const added = addOfTurn(session, ref, bucket, held, isHidden);
    if (added.length > 0) recent.set(bucket, [...(recent.get(bucket) ?? []), ...added]);
  }
  for (const [bucket, added] of recent) putRecent(session, bucket, added);
  return [...recent.keys()];
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

/** Adds documents of one turn; answers what is recent of them. */
function addOfTurn(
  session: Session,
  conversation: number,
  bucket: number,
  documents: readonly KeywordDocument[],
  isHidden: boolean,
): Uint8Array[] {
  // A hidden turn's documents wait without postings until it is shown.
  const first = isHidden ? 0 : nextOrdinal(session, bucket, documents.length);
  const secret = obtainSecret(session, bucket);
  const recent: Uint8Array[] = [];
  const lengths: [said: number[], tool: number[]] = [[], []];
  for (const [index, document] of documents.entries()) {
    const ordinal = isHidden ? 0 : first + index;
    const filed = insertDocument(session, { bucket, ordinal, conversation }, document, isHidden ? FILED.no : FILED.yes);
    if (isHidden) continue;
    recent.push(encodeRecent(filed, hashTerms(secret, document.terms)));
    lengths[document.group === "tool" ? 1 : 0].push(document.length);
  }
  for (const [tool, some] of lengths.entries()) {
    const length = some.reduce((sum, one) => sum + one, 0);
    if (some.length > 0) countDocuments(session, bucket, tool, { documents: some.length, length });
  }
  return recent;
}
