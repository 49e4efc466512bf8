import { blank } from "../heap.ts";
import { obtainConversationBucket } from "../names.ts";
import { placeholders, type Session } from "../session.ts";
import { Pace, type Steps } from "../steps.ts";
import { turnKey } from "../turn-rows.ts";
import { FILED, hasPostings } from "./filing.ts";
import { arrive, LONG_TERMS, leave } from "./long-documents.ts";
import { nextOrdinal } from "./posting-writes.ts";
import { addPostings, type Found, readFound, removePostingsOf } from "./turn-documents.ts";

const DOCUMENTS_AT_ONCE = 8;
/** Bytes of JSON of the terms of documents that are settled together: each of some sixty may be a row of the index. */
const BYTES_AT_ONCE = 1024;

/** Documents of some buckets whose postings are behind; `null` where there are none, as almost always. */
export function readPending(session: Session, buckets: readonly number[]): Set<number> | null {
  if (session.row("SELECT 1 FROM document WHERE bucket > 0 AND filed > 1 LIMIT 1") === undefined) return null;
  const sql = "SELECT ref FROM document WHERE bucket = ? AND filed > 1";
  return new Set(buckets.flatMap((bucket) => session.rows<[number]>(sql, bucket).map(([ref]) => ref)));
}

/** True where documents are marked. */
export function hasPending(session: Session): boolean {
  if (!session.hasPendingDocuments) return false;
  session.hasPendingDocuments =
    session.row("SELECT 1 FROM document WHERE bucket > 0 AND filed > 1 LIMIT 1") !== undefined;
  return session.hasPendingDocuments;
}

/** Brings the postings behind the marks. Whoever erases sets `session.needsScrub`. */
export function* settleDocuments(session: Session): Steps<void> {
  const pace = new Pace();
  while (hasPending(session)) {
    const marked = session.rows<[ref: number, bytes: number]>(
      `SELECT d.ref, octet_length(h.data) FROM document d CROSS JOIN heap h ON h.ref = d.terms
        WHERE d.bucket > 0 AND d.filed > 1 ORDER BY d.bucket, d.ref LIMIT ${DOCUMENTS_AT_ONCE}`,
    );
    let bytes = 0;
    const some = marked.filter(([, own], index) => {
      bytes += own;
      return index === 0 || bytes <= BYTES_AT_ONCE;
    });
    const found = readFound(
      session,
      `ref IN (${placeholders(some.length)}) ORDER BY bucket, ref`,
      ...some.map(([ref]) => ref),
    );
    const [first] = found;
    if (first !== undefined && (first.filed >= FILED.arriving || first.terms.length >= LONG_TERMS)) {
      yield* settleLong(session, first, pace);
    } else {
      settleTogether(session, found);
    }
    if (pace.isOver) yield* pace.pause();
  }
}

/** Settles documents whose terms are few, at once. */
function settleTogether(session: Session, some: readonly Found[]): void {
  removePostingsOf(session, some);
  const coming = some.flatMap((found) => {
    const bucket = settledIn(session, found);
    return bucket === undefined ? [] : [{ ...found, document: { ...found.document, bucket } }];
  });
  addPostings(session, coming);
}

function* settleLong(session: Session, found: Found, pace: Pace): Steps<void> {
  const { document, filed, terms, termsRef } = found;
  const { ref } = document;
  if (filed < FILED.arriving) {
    if (hasPostings(filed) && !(yield* leave(session, found, pace))) return;
    const bucket = settledIn(session, found);
    if (bucket === undefined) return;
    const sql = "UPDATE document SET ordinal = ?, filed = ? WHERE ref = ?";
    session.run(sql, nextOrdinal(session, bucket), FILED.arriving, ref);
  } else if (session.row("SELECT 1 FROM bucket WHERE ref = ?", document.bucket) === undefined) {
    // Its bucket is being erased, with whatever postings it has there.
    removeDocument(session, ref, termsRef);
    return;
  }
  yield* arrive(session, ref, terms, pace);
}

/** Writes down how a document stands that has no postings now; the bucket that they are to come to, if any. */
function settledIn(session: Session, found: Found): number | undefined {
  const bucket = found.filed === FILED.doomed ? undefined : bucketOfTurn(session, found);
  const { ref } = found.document;
  if (bucket === undefined) {
    removeDocument(session, ref, found.termsRef);
    return undefined;
  }
  session.run("UPDATE document SET bucket = ?, filed = 0 WHERE ref = ?", bucket, ref);
  return found.filed === FILED.leaving ? undefined : bucket;
}

function removeDocument(session: Session, ref: number, terms: number): void {
  blank(session, terms);
  session.run("DELETE FROM document WHERE ref = ?", ref);
}

/** Where the documents of a turn are filed; `undefined` where the turn is gone. */
function bucketOfTurn(session: Session, { document: { conversation }, seq }: Found): number | undefined {
  const [subject] =
    session.row<[number | null]>("SELECT subject FROM turn WHERE key = ?", turnKey(conversation, seq)) ?? [];
  if (subject !== null) return subject;
  const [agent] = session.row<[number]>("SELECT agent FROM conversation WHERE ref = ?", conversation) ?? [];
  return agent === undefined ? undefined : obtainConversationBucket(session, agent, conversation);
}
