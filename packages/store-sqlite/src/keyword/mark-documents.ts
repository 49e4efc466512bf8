import type { KeywordDocument } from "@throughline/core";
import type { Session } from "../session.ts";
import { FILED } from "./filing.ts";
import { insertDocument } from "./insert-document.ts";
import { countDocument } from "./posting-writes.ts";

/** Takes a turn's messages out of reach of every search. */
export function hideDocuments(session: Session, conversation: number, seq: number): void {
  mark(session, conversation, seq, (filed) => {
    if (filed === FILED.coming) return FILED.no;
    return filed === FILED.yes || filed === FILED.moving ? FILED.leaving : filed;
  });
}

/** Brings a turn's messages back, under the turn's bucket. */
export function showDocuments(session: Session, conversation: number, seq: number, bucket: number | null): void {
  mark(session, conversation, seq, (filed, own) => {
    if (filed === FILED.no) return FILED.coming;
    if (filed !== FILED.leaving) return filed;
    return bucket === null || bucket === own ? FILED.yes : FILED.moving;
  });
}

/** Files a turn's messages under another subject. Their numbers stay. */
export function moveDocuments(session: Session, conversation: number, seq: number, bucket: number): void {
  mark(session, conversation, seq, (filed, own) => {
    if (filed === FILED.yes && own !== bucket) return FILED.moving;
    return filed === FILED.moving && own === bucket ? FILED.yes : filed;
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

/** Removes a turn's messages from the index. */
export function doomDocuments(session: Session, conversation: number, seq: number): void {
  mark(session, conversation, seq, () => FILED.doomed);
}

function mark(
  session: Session,
  conversation: number,
  seq: number,
  next: (filed: number, bucket: number) => number,
): void {
  const rows = session.rows<[ref: number, bucket: number, tool: number, length: number, filed: number]>(
    "SELECT ref, bucket, tool, length, filed FROM document WHERE conversation = ? AND seq = ?",
    conversation,
    seq,
  );
  for (const [ref, bucket, tool, length, filed] of rows) {
    const marked = next(filed, bucket);
    if (marked === filed) continue;
    session.run("UPDATE document SET filed = ? WHERE ref = ?", marked, ref);
    if (marked === FILED.yes) countDocument(session, bucket, tool, length, 1);
    if (filed === FILED.yes) countDocument(session, bucket, tool, length, -1);
    if (marked > FILED.yes) session.hasPendingDocuments = true;
  }
}
