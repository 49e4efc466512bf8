import { createHash, hash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import type { KeywordDocument } from "@throughline/core";

/** Terms hashed between two pauses: some 3 ms. */
const AT_ONCE = 2_000;

/** A number of 64 bits as PostgreSQL's `bigint` takes it. */
export function hash64(text: string): string {
  return hash("sha256", Buffer.from(text, "utf16le"), "buffer").readBigInt64LE(0).toString();
}

/** The hashes of each document's terms, as PostgreSQL writes an array. With pauses: a long message has 100,000 of them. */
export async function termArrays(documents: readonly KeywordDocument[]): Promise<string[]> {
  const arrays: string[] = [];
  let hashed = 0;
  for (const { terms } of documents) {
    const hashes: string[] = [];
    for (const [term] of terms) {
      hashes.push(hash64(term));
      hashed += 1;
      if (hashed % AT_ONCE === 0) await setImmediate();
    }
    arrays.push(`{${hashes.join(",")}}`);
  }
  return arrays;
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
