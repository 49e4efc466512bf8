import type { KeywordDocument } from "@throughline/core";
import { putText } from "../heap.ts";
import type { Session } from "../session.ts";
import { ROLES } from "./posting-blocks.ts";
import type { FiledDocument } from "./posting-writes.ts";

/** Adds a document's row; `filed` is one of `FILED`. Postings and counts are the caller's. */
export function insertDocument(
  session: Session,
  { bucket, ordinal, conversation }: Pick<FiledDocument, "bucket" | "ordinal" | "conversation">,
  { seq, position, group, role: name, length, createdAt, place, terms }: KeywordDocument,
  filed: number,
): FiledDocument {
  const tool = group === "tool" ? 1 : 0;
  const role = ROLES.indexOf(name);
  const { ref } = session.run(
    `INSERT INTO document (bucket, ordinal, conversation, seq, position, tool, role, length, created_at, place, terms, filed)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    bucket,
    ordinal,
    conversation,
    seq,
    position,
    tool,
    role,
    length,
    createdAt,
    place,
    putText(session, JSON.stringify(terms)),
    filed,
  );
  return { ref, bucket, ordinal, tool, role, length, conversation, place };
}
