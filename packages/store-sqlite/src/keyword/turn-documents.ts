import { getText } from "../heap.ts";
import { obtainSecret } from "../names.ts";
import type { Session } from "../session.ts";
import { hasPostings } from "./filing.ts";
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
