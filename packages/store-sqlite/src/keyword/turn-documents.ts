import { blank, getText } from "../heap.ts";
import { obtainSecret } from "../names.ts";
import type { Session } from "../session.ts";
import { FILED, hasPostings } from "./filing.ts";
import {
  countDocument,
  type FiledDocument,
  hashTerms,
  nextOrdinal,
  PostingBatch,
  removePostings,
  type TermList,
} from "./posting-writes.ts";

/** A document with its terms. */
export interface Found {
  document: FiledDocument;
  seq: number;
  terms: TermList;
  /** Where the terms stand in the heap. */
  termsRef: number;
  /** One of {@link FILED}. */
  filed: number;
}

/** Removes the messages of several turns, each row of the index once. */
export function removeDocumentsOfTurns(session: Session, conversation: number, seqs: readonly number[]): void {
  const documents = seqs.flatMap((seq) => readFound(session, "conversation = ? AND seq = ?", conversation, seq));
  removePostingsOf(session, documents);
  for (const { document, filed, termsRef } of documents) {
    if (filed === FILED.yes) countDocument(session, document.bucket, document.tool, document.length, -1);
    blank(session, termsRef);
    session.run("DELETE FROM document WHERE ref = ?", document.ref);
  }
}

/** Takes the postings of documents away. Counts and marks are the caller's. */
export function removePostingsOf(session: Session, documents: readonly Found[]): void {
  removePostings(
    session,
    documents.filter(({ filed }) => hasPostings(filed)),
  );
}

/** Gives documents a place in their bucket, with postings. */
export function addPostings(session: Session, documents: readonly Found[]): void {
  const batch = new PostingBatch(session);
  for (const { document, terms } of documents) {
    const { ref, bucket, tool, length } = document;
    const ordinal = nextOrdinal(session, bucket);
    for (const [term, frequency] of hashTerms(obtainSecret(session, bucket), terms))
      batch.add({ ...document, ordinal }, term, frequency);
    session.run("UPDATE document SET ordinal = ?, filed = 1 WHERE ref = ?", ordinal, ref);
    countDocument(session, bucket, tool, length, 1);
  }
  batch.write();
}

/** Documents that a condition names. */
export function readFound(session: Session, condition: string, ...parameters: number[]): Found[] {
  const sql = `SELECT ref, bucket, ordinal, tool, role, length, conversation, seq, place, terms, filed FROM document WHERE ${condition}`;
  return session
    .rows<
      [
        ref: number,
        bucket: number,
        ordinal: number,
        tool: number,
        role: number,
        length: number,
        conversation: number,
        seq: number,
        place: number,
        terms: number,
        filed: number,
      ]
    >(sql, ...parameters)
    .map(([ref, bucket, ordinal, tool, role, length, conversation, seq, place, termsRef, filed]) => ({
      document: { ref, bucket, ordinal, tool, role, length, conversation, place },
      seq,
      terms: JSON.parse(getText(session, termsRef)),
      termsRef,
      filed,
    }));
}
