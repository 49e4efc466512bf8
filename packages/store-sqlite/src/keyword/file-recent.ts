import type { Session } from "../session.ts";
import { PostingBatch } from "./posting-writes.ts";
import { keepRecent, readRecent } from "./recent-documents.ts";
import { RecentReader } from "./recent-terms.ts";

/** Terms that become postings in one transaction; each may be a row of the index. */
const TERMS_AT_ONCE = 500;

/** Makes postings of a bucket's oldest recent documents; how many bytes of them are left. */
export function fileRecent(session: Session, bucket: number): number {
  const data = readRecent(session, bucket);
  if (data === undefined) return 0;
  // Of a bucket that was erased meanwhile they go as they are.
  if (session.row("SELECT 1 FROM bucket WHERE ref = ?", bucket) === undefined) return 0;
  const postings = new PostingBatch(session);
  const reader = new RecentReader(data);
  for (let terms = 0; terms < TERMS_AT_ONCE && reader.next(); ) {
    const { ref, ordinal, tool, role, length, conversation, place } = reader;
    const document = { ref, bucket, ordinal, tool, role, length, conversation, place };
    for (; reader.nextTerm(); terms++) postings.add(document, reader.term, reader.frequency);
  }
  const rest = data.subarray(reader.end);
  keepRecent(session, bucket, [rest]);
  postings.write();
  return rest.length;
}
