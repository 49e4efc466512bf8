import type { AgentOwner, IndexedDocument, KeywordScope, Role } from "@throughline/core";
import { agentKey } from "../conversation-rows.ts";
import type { Session } from "../session.ts";
import { readText, toInteger, writeText } from "../text.ts";
import { conversationNumber } from "./hashes.ts";

/** The columns of a document, as rows and as JSON give them. */
export interface DocumentColumns {
  document: string | number;
  conversation: string;
  turn: string;
  seq: number;
  position: number;
  message: string;
  role: Role;
  subject: string | null;
  created_at: string;
}

/** Where documents stand, in the order asked for; gone and hidden ones are left out. */
export async function readDocuments(
  session: Session,
  owner: AgentOwner,
  documents: readonly number[],
): Promise<IndexedDocument[]> {
  const asked = documents.filter(Number.isSafeInteger);
  if (asked.length === 0) return [];
  const rows = await session.rows<DocumentColumns>(
    `SELECT d.document, d.conversation, t.id AS turn, d.seq, d.position, d.message, d.role, d.subject, d.created_at
      FROM #document d JOIN #turn t ON t.tenant = d.tenant AND t.agent = d.agent AND t.conversation = d.conversation
        AND t.seq = d.seq
      WHERE d.tenant = $1 AND d.agent = $2 AND d.document = ANY ($3::bigint[]) AND NOT t.hidden`,
    ...agentKey(owner),
    asked,
  );
  const found = new Map(rows.map((columns) => [Number(columns.document), toDocument(columns)]));
  return asked.flatMap((document) => found.get(document) ?? []);
}

/** The document as the contract knows it. */
export function toDocument(columns: DocumentColumns): IndexedDocument {
  const row: IndexedDocument = {
    document: Number(columns.document),
    conversation: readText(columns.conversation),
    turn: readText(columns.turn),
    seq: columns.seq,
    position: columns.position,
    message: readText(columns.message),
    role: columns.role,
    createdAt: columns.created_at,
  };
  if (columns.subject !== null) row.subject = readText(columns.subject);
  return row;
}

/** A conversation whose index is behind its turns. */
interface Behind {
  conversation: string;
  after: number;
  through: number;
  subject?: string;
  number: number;
}

/** Conversations of a scope whose index is behind their turns. */
export async function readBehind(
  session: Session,
  owner: AgentOwner,
  scope: KeywordScope,
  limit: number,
): Promise<Behind[]> {
  const which = {
    agent: "",
    conversation: "AND c.id = $4",
    subject: `AND (c.subject = $4 OR c.id IN (SELECT f.conversation FROM #former_subject f
      WHERE f.tenant = $1 AND f.agent = $2 AND f.subject = $4))`,
  };
  const name = scope.kind === "agent" ? [] : [writeText(scope.kind === "subject" ? scope.subject : scope.conversation)];
  const rows = await session.rows<{
    id: string;
    subject: string | null;
    indexed_seq: number;
    last_seq: number;
    number: string;
  }>(
    `SELECT c.id, c.subject, c.indexed_seq, c.last_seq, ${conversationNumber("c.id")} AS number FROM #conversation c
      WHERE c.tenant = $1 AND c.agent = $2 AND c.indexed_seq < c.last_seq ${which[scope.kind]} LIMIT $3`,
    ...agentKey(owner),
    Math.max(0, toInteger(limit)),
    ...name,
  );
  return rows.map((row) => {
    const behind: Behind = {
      conversation: readText(row.id),
      after: row.indexed_seq,
      through: row.last_seq,
      number: Number(row.number),
    };
    if (row.subject !== null) behind.subject = readText(row.subject);
    return behind;
  });
}
