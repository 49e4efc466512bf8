import { hashText, type Secret } from "../hash.ts";
import { secretOf } from "../names.ts";
import type { Session } from "../session.ts";
import { BLOCK_DOCUMENTS, encodePostings, type Posting, withoutDocuments } from "./posting-blocks.ts";
import { removeRecent } from "./recent-documents.ts";
import type { HashedTerms } from "./recent-terms.ts";

/** A document's place in a bucket, and what its statistics count. */
export interface FiledDocument {
  ref: number;
  bucket: number;
  ordinal: number;
  /** 1: a tool's result, 0: what was said. */
  tool: number;
  role: number;
  length: number;
  conversation: number;
  /** Where it stands in the conversation, as core numbers it. */
  place: number;
}

/** Each term of a document once, with how often it stands there. */
export type TermList = readonly (readonly [term: string, frequency: number])[];

interface Row {
  bucket: number;
  term: number;
  tool: number;
  block: number;
}

/** Postings to add, gathered by row, so that a batch writes each row once. */
export class PostingBatch {
  readonly #session: Session;
  readonly #rows = new Map<string, Row & { postings: Posting[] }>();

  constructor(session: Session) {
    this.#session = session;
  }

  add(document: FiledDocument, term: number, frequency: number): void {
    const { ref, bucket, ordinal, tool, role, length, conversation, place } = document;
    const block = Math.floor(ordinal / BLOCK_DOCUMENTS);
    const name = `${bucket} ${term} ${tool} ${block}`;
    const row = this.#rows.get(name) ?? { bucket, term, tool, block, postings: [] };
    row.postings.push({ document: ref, frequency, role, length, conversation, place });
    this.#rows.set(name, row);
  }

  write(): void {
    // In the order of the table, so that neighbours are written together.
    const rows = [...this.#rows.values()].sort((left, right) => left.bucket - right.bucket || left.term - right.term);
    for (const { bucket, term, tool, block, postings } of rows) {
      this.#session.run(
        `INSERT INTO posting (bucket, term, tool, block, data) VALUES (?, ?, ?, ?, ?)
          ON CONFLICT (bucket, term, tool, block) DO UPDATE SET data = CAST(data || excluded.data AS BLOB)`,
        bucket,
        term,
        tool,
        block,
        encodePostings(postings),
      );
    }
    this.#rows.clear();
  }
}

/** The terms of a document as its bucket's index names them. */
export function hashTerms(secret: Secret, terms: TermList): HashedTerms {
  return terms.map(([text, frequency]) => [hashText(text, secret), frequency]);
}

/** Takes documents out of their rows. */
export function removePostings(
  session: Session,
  documents: readonly { document: FiledDocument; terms: TermList }[],
): void {
  const rows = new Map<string, Row & { documents: Set<number> }>();
  for (const { document, terms } of documents) {
    const { ref, bucket, ordinal, tool } = document;
    if (removeRecent(session, document)) continue;
    const secret = secretOf(session, bucket);
    // The bucket is gone: its postings go by themselves.
    if (secret[0] === 0 && secret[1] === 0) continue;
    const block = Math.floor(ordinal / BLOCK_DOCUMENTS);
    for (const [text] of terms) {
      const term = hashText(text, secret);
      const name = `${bucket} ${term} ${tool} ${block}`;
      const row = rows.get(name) ?? { bucket, term, tool, block, documents: new Set() };
      row.documents.add(ref);
      rows.set(name, row);
    }
  }
  for (const row of rows.values()) removeFromRow(session, row, row.documents);
}

/** Takes documents out of one row. */
export function removeFromRow(session: Session, row: Row, documents: ReadonlySet<number>): void {
  const key = [row.bucket, row.term, row.tool, row.block];
  const where = "WHERE bucket = ? AND term = ? AND tool = ? AND block = ?";
  const [data] = session.row<[Uint8Array]>(`SELECT data FROM posting ${where}`, ...key) ?? [];
  if (data === undefined) return;
  const kept = withoutDocuments(data, documents);
  if (kept.length === 0) session.run(`DELETE FROM posting ${where}`, ...key);
  else session.run(`UPDATE posting SET data = ? ${where}`, kept, ...key);
}

/** Moves a bucket's statistics. */
export function countDocuments(
  session: Session,
  bucket: number,
  tool: number,
  by: { documents: number; length: number },
): void {
  const group = tool === 1 ? "tool" : "said";
  session.run(
    `UPDATE bucket SET ${group}_documents = ${group}_documents + ?, ${group}_length = ${group}_length + ? WHERE ref = ?`,
    by.documents,
    by.length,
    bucket,
  );
}

/** {@link countDocuments} of one. */
export function countDocument(session: Session, bucket: number, tool: number, length: number, by: 1 | -1): void {
  countDocuments(session, bucket, tool, { documents: by, length: by * length });
}

/** The first of so many places in a bucket. */
export function nextOrdinal(session: Session, bucket: number, count = 1): number {
  const [ordinal = 0] = session.row<[number]>("SELECT ordinal FROM bucket WHERE ref = ?", bucket) ?? [];
  session.run("UPDATE bucket SET ordinal = ? WHERE ref = ?", ordinal + count, bucket);
  return ordinal;
}
