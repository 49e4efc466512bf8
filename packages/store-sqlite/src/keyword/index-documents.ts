import type { ConversationOwner, KeywordDocument } from "@throughline/core";
import { findConversation } from "../conversation-rows.ts";
import { putText } from "../heap.ts";
import { findHashes, messageHash, turnHash } from "../identities.ts";
import { obtainConversationBucket } from "../names.ts";
import type { Session } from "../session.ts";
import { turnKey } from "../turn-rows.ts";
import { ROLES } from "./posting-blocks.ts";
import { countDocument, nextOrdinal, PostingBatch } from "./posting-writes.ts";
import { removeDocumentsOfTurns } from "./turn-documents.ts";

/** Adds documents and moves the watermark; false, with nothing written, where it isn't `after`. */
export function indexDocuments(
  session: Session,
  owner: ConversationOwner,
  batch: { after: number; through: number; documents: readonly KeywordDocument[] },
): boolean {
  const conversation = findConversation(session, owner);
  if (conversation === undefined) return false;
  const { ref, agent, row } = conversation;
  if ((row.watermarks.index ?? 0) !== batch.after) return false;

  // Whoever indexes a turn again means it in place of what was there.
  removeDocumentsOfTurns(session, ref, [...new Set(batch.documents.map(({ seq }) => seq))]);
  const postings = new PostingBatch(session);
  for (const document of batch.documents) {
    const turn = session.row<[subject: number | null, hidden: number]>(
      "SELECT subject, hidden FROM turn WHERE key = ?",
      turnKey(ref, document.seq),
    );
    // Erased or changed since its terms were read: they must not come back.
    if (turn === undefined || !holds(session, ref, document, turn[1] !== 0)) continue;
    const bucket = turn[0] ?? obtainConversationBucket(session, agent, ref);
    addDocument(session, ref, bucket, document, turn[1] !== 0 ? null : postings);
  }
  postings.write();
  session.run("UPDATE conversation SET indexed_seq = ? WHERE ref = ?", batch.through, ref);
  return true;
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
  postings: PostingBatch | null,
): void {
  const tool = document.group === "tool" ? 1 : 0;
  const role = ROLES.indexOf(document.role);
  // A hidden turn's documents wait without postings until it is shown.
  const ordinal = postings === null ? 0 : nextOrdinal(session, bucket);
  const { length } = document;
  const { ref } = session.run(
    `INSERT INTO document (bucket, ordinal, conversation, seq, position, tool, role, length, created_at, terms, filed)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    bucket,
    ordinal,
    conversation,
    document.seq,
    document.position,
    tool,
    role,
    length,
    document.createdAt,
    putText(session, JSON.stringify(document.terms)),
    postings === null ? 0 : 1,
  );
  if (postings === null) return;
  postings.add({ ref, bucket, ordinal, tool, role, length }, document.terms);
  countDocument(session, bucket, tool, length, 1);
}
