import { blank } from "../heap.ts";
import { obtainConversationBucket } from "../names.ts";
import type { Session } from "../session.ts";
import { Pace, type Steps } from "../steps.ts";
import { turnKey } from "../turn-rows.ts";
import { FILED } from "./filing.ts";
import { addPostings, type Found, readFound, removePostingsOf } from "./turn-documents.ts";

const DOCUMENTS_AT_ONCE = 8;
/** Terms of documents that are settled together: each may be a row of the index. */
const TERMS_AT_ONCE = 64;

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
  while (settleSome(session)) if (pace.isOver) yield* pace.pause();
}

/** False where none is left. */
function settleSome(session: Session): boolean {
  if (!hasPending(session)) return false;
  const marked = readFound(session, "bucket > 0 AND filed > 1 ORDER BY bucket, ref LIMIT ?", DOCUMENTS_AT_ONCE);
  let terms = 0;
  const some = marked.filter((found, index) => {
    terms += found.terms.length;
    return index === 0 || terms <= TERMS_AT_ONCE;
  });
  removePostingsOf(session, some);
  const coming: Found[] = [];
  for (const found of some) {
    const bucket = found.filed === FILED.doomed ? undefined : bucketOfTurn(session, found);
    const { ref } = found.document;
    if (bucket === undefined) {
      blank(session, found.termsRef);
      session.run("DELETE FROM document WHERE ref = ?", ref);
      continue;
    }
    session.run("UPDATE document SET bucket = ?, filed = 0 WHERE ref = ?", bucket, ref);
    if (found.filed !== FILED.leaving) coming.push({ ...found, document: { ...found.document, bucket } });
  }
  addPostings(session, coming);
  return true;
}

/** Where the documents of a turn are filed; `undefined` where the turn is gone. */
function bucketOfTurn(session: Session, { document: { conversation }, seq }: Found): number | undefined {
  const [subject] =
    session.row<[number | null]>("SELECT subject FROM turn WHERE key = ?", turnKey(conversation, seq)) ?? [];
  if (subject !== null) return subject;
  const [agent] = session.row<[number]>("SELECT agent FROM conversation WHERE ref = ?", conversation) ?? [];
  return agent === undefined ? undefined : obtainConversationBucket(session, agent, conversation);
}
