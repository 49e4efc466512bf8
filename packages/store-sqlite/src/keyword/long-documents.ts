import { hashText, type Secret } from "../hash.ts";
import { obtainSecret, secretOf } from "../names.ts";
import type { Session } from "../session.ts";
import type { Pace, Steps } from "../steps.ts";
import { FILED } from "./filing.ts";
import { BLOCK_DOCUMENTS } from "./posting-blocks.ts";
import { countDocument, type FiledDocument, PostingBatch, removeFromRow, type TermList } from "./posting-writes.ts";
import { removeRecent } from "./recent-documents.ts";

/** Terms of one document from which on its postings come and go in pieces, and never wait among the recent ones. */
export const LONG_TERMS = 256;
/** Terms of a long document between two looks at the time. */
const TERMS_AT_ONCE = 64;
/** The same where they are named only. */
const NAMED_AT_ONCE = 2048;

/** Gives an {@link FILED.arriving} document the postings that it lacks. Ends where somebody else gave them, or marked it anew. */
export function* arrive(session: Session, ref: number, terms: TermList, pace: Pace): Steps<void> {
  let named: (NamedTerms & { bucket: number }) | undefined;
  for (;;) {
    // Of a bucket that is being erased nothing is added any more.
    const row = session.row<Columns>(
      `SELECT d.filed, d.bucket, d.ordinal, d.tool, d.role, d.length, d.conversation, d.place
        FROM document d CROSS JOIN bucket b ON b.ref = d.bucket WHERE d.ref = ?`,
      ref,
    );
    if (row === undefined || row[0] < FILED.arriving) return;
    const [filed, bucket, ordinal, tool, role, length, conversation, place] = row;
    if (named?.bucket !== bucket) {
      named = { bucket, ...(yield* nameTerms(obtainSecret(session, bucket), terms, pace)) };
      continue;
    }
    const from = filed - FILED.arriving;
    const document: FiledDocument = { ref, bucket, ordinal, tool, role, length, conversation, place };
    const batch = new PostingBatch(session);
    const some = named.terms.subarray(from, from + TERMS_AT_ONCE);
    for (const term of some) batch.add(document, term, named.frequencies.get(term) ?? 1);
    batch.write();
    const isDone = from + some.length >= named.terms.length;
    session.run("UPDATE document SET filed = ? WHERE ref = ?", isDone ? FILED.yes : filed + some.length, ref);
    if (isDone) return countDocument(session, bucket, tool, length, 1);
    if (pace.isOver) yield* pace.pause();
  }
}

type Columns = [
  filed: number,
  bucket: number,
  ordinal: number,
  tool: number,
  role: number,
  length: number,
  conversation: number,
  place: number,
];

/** Takes a long document's postings away; false where it was marked anew, or is gone, meanwhile. */
export function* leave(
  session: Session,
  { document, filed, terms }: { document: FiledDocument; filed: number; terms: TermList },
  pace: Pace,
): Steps<boolean> {
  const { ref, bucket, ordinal, tool } = document;
  if (removeRecent(session, document)) return true;
  const isStill = (): boolean => {
    const sql = "SELECT 1 FROM document WHERE ref = ? AND filed = ? AND bucket = ? AND ordinal = ?";
    return session.row(sql, ref, filed, bucket, ordinal) !== undefined;
  };
  const secret = secretOf(session, bucket);
  // The bucket is gone: its postings go by themselves.
  if (secret[0] === 0 && secret[1] === 0) return true;
  const named = yield* nameTerms(secret, terms, pace);
  const block = Math.floor(ordinal / BLOCK_DOCUMENTS);
  const documents = new Set([ref]);
  for (let from = 0; from < named.terms.length; from += TERMS_AT_ONCE) {
    if (pace.isOver) yield* pace.pause();
    if (!isStill()) return false;
    for (const term of named.terms.subarray(from, from + TERMS_AT_ONCE)) {
      removeFromRow(session, { bucket, term, tool, block }, documents);
    }
  }
  return true;
}

/** A document's terms as its bucket's index names them, each once: in the order of the index, so that neighbours change together. */
interface NamedTerms {
  terms: Float64Array;
  frequencies: ReadonlyMap<number, number>;
}

function* nameTerms(secret: Secret, terms: TermList, pace: Pace): Steps<NamedTerms> {
  const frequencies = new Map<number, number>();
  for (let from = 0; from < terms.length; from += NAMED_AT_ONCE) {
    for (const [text, frequency] of terms.slice(from, from + NAMED_AT_ONCE))
      frequencies.set(hashText(text, secret), frequency);
    if (pace.isOver) yield* pace.pause();
  }
  return { terms: Float64Array.from(frequencies.keys()).sort(), frequencies };
}
