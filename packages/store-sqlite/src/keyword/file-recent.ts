import type { Session } from "../session.ts";
import { readTerms } from "./document-terms.ts";
import { type FiledDocument, PostingBatch } from "./posting-writes.ts";
import { readRecent } from "./recent-documents.ts";

/** Terms that become postings in one transaction; each may be a row of the index. */
const TERMS_AT_ONCE = 500;

/** Makes postings of a bucket's oldest recent documents. */
export function fileRecent(session: Session, bucket: number): void {
  // Of a bucket that was erased meanwhile they go as they are.
  if (session.row("SELECT 1 FROM bucket WHERE ref = ?", bucket) === undefined) return;
  const postings = new PostingBatch(session);
  let [terms, last] = [0, 0];
  for (const [ref, data] of readRecent(session, bucket)) {
    if (terms >= TERMS_AT_ONCE) break;
    last = ref;
    let document: FiledDocument | undefined;
    readTerms(
      data,
      (read) => {
        document = { ...read, ref, bucket };
        return true;
      },
      (term, frequency) => {
        terms += 1;
        if (document !== undefined) postings.add(document, term, frequency);
      },
    );
  }
  session.run("DELETE FROM recent_document WHERE bucket = ? AND document <= ?", bucket, last);
  postings.write();
}
