import type { Postings } from "@throughline/core";
import type { Session } from "../session.ts";
import { encodeTerms, type HashedTerms, readTerms } from "./document-terms.ts";
import type { PostingChoice } from "./posting-blocks.ts";
import type { FiledDocument } from "./posting-writes.ts";

/**
 * Bytes of a bucket's recent documents from which on their terms become postings: some twenty ordinary messages. A search
 * reads all of them, in less time than a term of many postings takes.
 */
const LONG_BYTES = 3072;

/**
 * Keeps the terms of a document that was just indexed in one row. As postings they would be some twenty rows all over the
 * bucket's part of the index: that is written once for many documents.
 */
export function putRecent(session: Session, document: FiledDocument, terms: HashedTerms): void {
  const sql = "INSERT INTO recent_document (bucket, document, data) VALUES (?, ?, ?)";
  session.run(sql, document.bucket, document.ref, encodeTerms(document, terms));
}

/** True where the document had no postings yet. */
export function removeRecent(session: Session, { bucket, ref }: FiledDocument): boolean {
  const sql = "DELETE FROM recent_document WHERE bucket = ? AND document = ?";
  return session.run(sql, bucket, ref).changes > 0;
}

/** Whether so much is recent in a bucket that it is to become postings. */
export function isLong(session: Session, bucket: number): boolean {
  const sql = "SELECT sum(octet_length(data)) FROM recent_document WHERE bucket = ?";
  const [bytes] = session.row<[number | null]>(sql, bucket) ?? [null];
  return bytes !== null && bytes >= LONG_BYTES;
}

/** A bucket's recent documents, as they were indexed. */
export function readRecent(session: Session, bucket: number): [document: number, data: Uint8Array][] {
  const sql = "SELECT document, data FROM recent_document WHERE bucket = ? ORDER BY document";
  return session.rows(sql, bucket);
}

/** Puts what a recent document has of some terms behind their postings. */
export function addRecentTo(
  found: ReadonlyMap<number, Postings["terms"]>,
  [document, data]: [document: number, data: Uint8Array],
  groups: readonly number[],
  { only, pending, passes }: PostingChoice,
): void {
  if ((only !== null && !only.has(document)) || pending?.has(document) === true) return;
  let isWanted = true;
  let [length, conversation, place] = [0, 0, 0];
  readTerms(
    data,
    (read) => {
      isWanted = passes === null || passes(document, read.role);
      ({ length, conversation, place } = read);
      return groups.includes(read.tool);
    },
    (term, frequency) => {
      for (const entry of found.get(term) ?? []) {
        entry.documentFrequency += 1;
        if (!isWanted) continue;
        entry.documents.push(document);
        entry.frequencies.push(frequency);
        entry.lengths.push(length);
        entry.conversations.push(conversation);
        entry.places.push(place);
      }
    },
  );
}
