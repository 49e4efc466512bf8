import { createHash } from "node:crypto";

/** A number of 64 bits as PostgreSQL's `bigint` takes it. */
export function hash64(text: string): string {
  return createHash("sha256").update(text, "utf16le").digest().readBigInt64LE(0).toString();
}

/** Where a subject's documents are filed, or those of a conversation of nobody. As the function `bucket` makes it. */
export function bucketOf(agent: string, conversation: string, subject: string | null): string {
  const whose = subject === null ? ` conversation ${conversation}` : ` subject ${subject}`;
  return createHash("sha256")
    .update(`${Buffer.byteLength(agent)}:${agent}${whose}`)
    .digest()
    .readBigInt64BE(0)
    .toString();
}

/** A conversation's number in postings, as SQL: 52 bits, so that JavaScript counts it exactly. */
export const conversationNumber = (column: string): string =>
  `(pg_catalog.hashtextextended(${column}, 0) & 4503599627370495)`;
