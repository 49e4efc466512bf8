import type { Session } from "../session.ts";
import type { FiledDocument } from "./posting-writes.ts";
import { RecentReader } from "./recent-terms.ts";

/** Bytes of a bucket's recent documents from which on their terms become postings: some twenty ordinary messages. */
export const LONG_BYTES = 3072;

/**
 * Keeps the terms of documents that were just indexed, in the bucket's one row of them. As postings they would be some twenty
 * rows for each, all over the bucket's part of the index: those are written once for many documents.
 */
export function putRecent(session: Session, bucket: number, documents: readonly Uint8Array[]): void {
  session.run(
    `INSERT INTO recent_terms (bucket, data) VALUES (?, ?)
      ON CONFLICT (bucket) DO UPDATE SET data = CAST(data || excluded.data AS BLOB)`,
    bucket,
    Buffer.concat(documents),
  );
}

/** Takes a document away; false where it isn't recent. */
export function removeRecent(session: Session, { bucket, ref }: FiledDocument): boolean {
  const data = readRecent(session, bucket);
  if (data === undefined) return false;
  const reader = new RecentReader(data);
  while (reader.next()) {
    if (reader.ref !== ref) continue;
    keepRecent(session, bucket, [data.subarray(0, reader.start), data.subarray(reader.end)]);
    return true;
  }
  return false;
}

/** Whether so much is recent in a bucket that it is to become postings. */
export function isLong(session: Session, bucket: number): boolean {
  const sql = "SELECT octet_length(data) FROM recent_terms WHERE bucket = ?";
  const [bytes = 0] = session.row<[number]>(sql, bucket) ?? [];
  return bytes >= LONG_BYTES;
}

/** A bucket's recent documents, as they were indexed. */
export function readRecent(session: Session, bucket: number): Uint8Array | undefined {
  return session.row<[Uint8Array]>("SELECT data FROM recent_terms WHERE bucket = ?", bucket)?.[0];
}

/** Keeps these of a bucket's recent documents. */
export function keepRecent(session: Session, bucket: number, parts: readonly Uint8Array[]): void {
  const data = Buffer.concat(parts);
  if (data.length === 0) session.run("DELETE FROM recent_terms WHERE bucket = ?", bucket);
  else session.run("UPDATE recent_terms SET data = ? WHERE bucket = ?", data, bucket);
}
