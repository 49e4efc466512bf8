import { blank, getText } from "../heap.ts";
import type { Session } from "../session.ts";
import {
  countDocument,
  type FiledDocument,
  nextOrdinal,
  PostingBatch,
  removePostings,
  type TermList,
} from "./posting-writes.ts";

interface Found {
  document: FiledDocument;
  terms: TermList;
  /** Where the terms stand in the heap. */
  termsRef: number;
  /** It has postings and is counted; a hidden turn's documents are and have not. */
  isFiled: boolean;
}

/** Removes a turn's messages from the keyword index. */
export function removeDocumentsOfTurn(session: Session, conversation: number, seq: number): void {
  removeDocumentsOfTurns(session, conversation, [seq]);
}

/** Removes the messages of several turns, each row of the index once. */
export function removeDocumentsOfTurns(session: Session, conversation: number, seqs: readonly number[]): void {
  const documents = seqs.flatMap((seq) => documentsOfTurn(session, conversation, seq));
  unfile(session, documents);
  for (const { document, termsRef } of documents) {
    blank(session, termsRef);
    session.run("DELETE FROM document WHERE ref = ?", document.ref);
  }
}

/** Takes a turn's messages out of reach of every search. */
export function unfileDocumentsOfTurn(session: Session, conversation: number, seq: number): void {
  unfile(session, documentsOfTurn(session, conversation, seq));
  session.run("UPDATE document SET filed = 0 WHERE conversation = ? AND seq = ?", conversation, seq);
}

/** Brings a turn's messages back. */
export function fileDocumentsOfTurn(session: Session, conversation: number, seq: number): void {
  file(
    session,
    documentsOfTurn(session, conversation, seq).filter(({ isFiled }) => !isFiled),
  );
}

/** Files a turn's messages under another subject. Their numbers stay. */
export function moveDocumentsOfTurn(session: Session, conversation: number, seq: number, bucket: number): void {
  const documents = documentsOfTurn(session, conversation, seq);
  if (documents.length === 0) return;
  unfile(session, documents);
  session.run("UPDATE document SET bucket = ? WHERE conversation = ? AND seq = ?", bucket, conversation, seq);
  const moved = documents.filter(({ isFiled }) => isFiled);
  file(
    session,
    moved.map((found) => ({ ...found, document: { ...found.document, bucket } })),
  );
}

function file(session: Session, documents: readonly Found[]): void {
  const batch = new PostingBatch(session);
  for (const { document, terms } of documents) {
    const { ref, bucket, tool, length } = document;
    const ordinal = nextOrdinal(session, bucket);
    batch.add({ ...document, ordinal }, terms);
    session.run("UPDATE document SET ordinal = ?, filed = 1 WHERE ref = ?", ordinal, ref);
    countDocument(session, bucket, tool, length, 1);
  }
  batch.write();
}

function unfile(session: Session, documents: readonly Found[]): void {
  const filed = documents.filter(({ isFiled }) => isFiled);
  removePostings(session, filed);
  for (const { document } of filed) countDocument(session, document.bucket, document.tool, document.length, -1);
}

function documentsOfTurn(session: Session, conversation: number, seq: number): Found[] {
  const rows = session.rows<
    [
      ref: number,
      bucket: number,
      ordinal: number,
      tool: number,
      role: number,
      length: number,
      terms: number,
      filed: number,
    ]
  >(
    `SELECT ref, bucket, ordinal, tool, role, length, terms, filed FROM document
      WHERE conversation = ? AND seq = ? ORDER BY position`,
    conversation,
    seq,
  );
  return rows.map(([ref, bucket, ordinal, tool, role, length, termsRef, filed]) => ({
    document: { ref, bucket, ordinal, tool, role, length },
    terms: JSON.parse(getText(session, termsRef)),
    termsRef,
    isFiled: filed !== 0,
  }));
}
