import { blank, getText } from "../heap.ts";
import type { Session } from "../session.ts";
import { countDocument, type FiledDocument, nextOrdinal, PostingBatch, removePostings } from "./posting-writes.ts";

interface Found {
  document: FiledDocument;
  terms: string[];
  /** Where the terms stand in the heap. */
  termsRef: number;
}

/** Removes a turn's messages from the keyword index. */
export function removeDocumentsOfTurn(session: Session, conversation: number, seq: number): void {
  removeAll(session, documentsOfTurn(session, conversation, seq));
}

/** Removes the messages of several turns, each row of the index once. */
export function removeDocumentsOfTurns(session: Session, conversation: number, seqs: readonly number[]): void {
  removeAll(
    session,
    seqs.flatMap((seq) => documentsOfTurn(session, conversation, seq)),
  );
}

/** Files a turn's messages under another subject. Their numbers stay. */
export function moveDocumentsOfTurn(session: Session, conversation: number, seq: number, bucket: number): void {
  const documents = documentsOfTurn(session, conversation, seq);
  if (documents.length === 0) return;
  const removed = removePostings(session, documents);
  const batch = new PostingBatch(session);
  for (const { document } of documents) {
    const moved = { ...document, bucket, ordinal: nextOrdinal(session, bucket) };
    batch.add(moved, removed.get(document.ref) ?? []);
    session.run("UPDATE document SET bucket = ?, ordinal = ? WHERE ref = ?", bucket, moved.ordinal, document.ref);
    countDocument(session, document.bucket, document.tool, document.length, -1);
    countDocument(session, bucket, document.tool, document.length, 1);
  }
  batch.write();
}

function removeAll(session: Session, documents: readonly Found[]): void {
  if (documents.length === 0) return;
  removePostings(session, documents);
  for (const { document, termsRef } of documents) {
    countDocument(session, document.bucket, document.tool, document.length, -1);
    blank(session, termsRef);
    session.run("DELETE FROM document WHERE ref = ?", document.ref);
  }
}

function documentsOfTurn(session: Session, conversation: number, seq: number): Found[] {
  return session
    .rows<
      [ref: number, bucket: number, ordinal: number, tool: number, role: number, length: number, terms: number]
    >(
      `SELECT ref, bucket, ordinal, tool, role, length, terms FROM document
        WHERE conversation = ? AND seq = ? ORDER BY position`,
      conversation,
      seq,
    )
    .map(([ref, bucket, ordinal, tool, role, length, termsRef]) => ({
      document: { ref, bucket, ordinal, tool, role, length },
      terms: JSON.parse(getText(session, termsRef)),
      termsRef,
    }));
}
