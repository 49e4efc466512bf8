import type { KeywordDocument } from "@throughline/core";
import type { Session } from "../session.ts";
import { FILED } from "./filing.ts";
import { insertDocument } from "./insert-document.ts";
import { countDocuments } from "./posting-writes.ts";

/** Takes a turn's messages out of reach of every search. */
export function hideDocuments(session: Session, conversation: number, seq: number): void {
  mark(session, conversation, seq, (filed) => {
    if (filed === FILED.coming) return FILED.no;
    return filed === FILED.yes || filed >= FILED.moving ? FILED.leaving : filed;
  });
}

/** Brings a turn's messages back, under the turn's bucket. */
export function showDocuments(session: Session, conversation: number, seq: number): void {
  mark(session, conversation, seq, (filed) => {
    if (filed === FILED.no) return FILED.coming;
    // Some of its postings may be gone already.
    return filed === FILED.leaving ? FILED.moving : filed;
  });
}

/** Files a turn's messages under another subject. Their numbers stay. */
export function moveDocuments(session: Session, conversation: number, seq: number, bucket: number): void {
  mark(session, conversation, seq, (filed, own) => {
    const isFiled = filed === FILED.yes || filed >= FILED.arriving;
    return isFiled && own !== bucket ? FILED.moving : filed;
  });
}

/** Files what a turn holds from now on; of a hidden one it waits until that is shown. */
export function bringDocuments(
  session: Session,
  { conversation, bucket, isHidden }: { conversation: number; bucket: number; isHidden: boolean },
  documents: readonly KeywordDocument[],
): void {
  const filed = isHidden ? FILED.no : FILED.coming;
  for (const document of documents) insertDocument(session, { bucket, ordinal: 0, conversation }, document, filed);
  if (documents.length > 0 && !isHidden) session.hasPendingDocuments = true;
}

/** Removes a turn's messages from the index; false where it has none. */
export function doomDocuments(session: Session, conversation: number, seq: number): boolean {
  return mark(session, conversation, seq, () => FILED.doomed);
}

/** Marks a turn's documents, those that stand alike in one go: there may be thousands. False where there are none. */
function mark(
  session: Session,
  conversation: number,
  seq: number,
  next: (filed: number, bucket: number) => number,
): boolean {
  const groups = session.rows<[bucket: number, tool: number, filed: number, documents: number, length: number]>(
    `SELECT bucket, tool, filed, count(*), sum(length) FROM document WHERE conversation = ? AND seq = ?
      GROUP BY bucket, tool, filed`,
    conversation,
    seq,
  );
  for (const [bucket, tool, filed, documents, length] of groups) {
    const marked = next(filed, bucket);
    // Also where it was marked before: whoever did that, in another process maybe, may not have come to settle it.
    if (marked > FILED.yes) session.hasPendingDocuments = true;
    if (marked === filed) continue;
    session.run(
      "UPDATE document SET filed = ? WHERE conversation = ? AND seq = ? AND bucket = ? AND tool = ? AND filed = ?",
      marked,
      conversation,
      seq,
      bucket,
      tool,
      filed,
    );
    if (marked === FILED.yes) countDocuments(session, bucket, tool, { documents, length });
    if (filed === FILED.yes) countDocuments(session, bucket, tool, { documents: -documents, length: -length });
  }
  return groups.length > 0;
}
