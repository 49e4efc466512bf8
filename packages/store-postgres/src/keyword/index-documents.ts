import type { ConversationOwner, KeywordDocument, KeywordIndex } from "@throughline/core";
import { keyOf } from "../conversation-rows.ts";
import type { Session } from "../session.ts";
import { toInteger, writeText } from "../text.ts";
import { messageIds, readBody } from "../turn-rows.ts";
import { bucketOf, conversationNumber, termArrays } from "./hashes.ts";
import { REMOVED_OF_TURNS } from "./turn-documents.ts";

interface IndexedTurn {
  seq: number;
  id: string;
  subject: string | null;
  hidden: boolean;
  body: string;
}

/** Adds documents and moves the watermark; false, with nothing written, where it isn't `after` or the conversation another one. */
export async function indexDocuments(
  session: Session,
  owner: ConversationOwner,
  batch: Parameters<KeywordIndex["index"]>[1],
): Promise<boolean> {
  const key = keyOf(owner);
  // What it waits for is seen by it, and by the statements that follow.
  const moved = await session.count(
    `UPDATE #conversation SET indexed_seq = $5 WHERE tenant = $1 AND agent = $2 AND id = $3 AND indexed_seq = $4
      AND ($6::text IS NULL OR created_at = $6) RETURNING 1`,
    ...key,
    toInteger(batch.after),
    toInteger(batch.through),
    batch.createdAt ?? null,
  );
  if (moved === 0) return false;
  const seqs = [...new Set(batch.documents.map(({ seq }) => seq))];
  if (seqs.length === 0) return true;
  // Whoever indexes a turn again means it in place of what was there.
  const turns = await session.rows<IndexedTurn>(
    `WITH ${REMOVED_OF_TURNS} SELECT seq, id, subject, hidden, body FROM #turn
      WHERE tenant = $1 AND agent = $2 AND conversation = $3 AND seq = ANY ($4)`,
    ...key,
    seqs,
  );
  await insertDocuments(session, key, batch.documents, turns);
  return true;
}

/** Adds the documents of turns, which have none. */
export async function insertDocuments(
  session: Session,
  key: readonly [string, string, string],
  documents: readonly KeywordDocument[],
  given: readonly IndexedTurn[],
): Promise<void> {
  if (documents.length === 0) return;
  const turns = new Map(given.map((turn) => [turn.seq, turn]));
  let number = firstNumber();
  const rows: unknown[][] = [[], [], [], [], [], [], [], [], [], [], [], [], [], []];
  const terms = await termArrays(documents);
  for (const [at, document] of documents.entries()) {
    const turn = turns.get(document.seq);
    // Erased or changed since its terms were read: they must not come back.
    if (turn === undefined || turn.id !== writeText(document.turn) || !holds(turn, document.message)) continue;
    number += 1;
    const bucket = bucketOf(key[1], key[2], turn.subject);
    const row = [
      number,
      turn.subject,
      document.seq,
      document.position,
      writeText(document.message),
      document.role,
      document.group === "tool",
      document.length,
      document.createdAt,
      !turn.hidden,
      bucket,
      terms[at],
      document.place,
      `{${document.terms.map(([, frequency]) => frequency).join(",")}}`,
    ];
    for (const [index, value] of row.entries()) rows[index]?.push(value);
  }
  await session.run(
    `WITH g AS MATERIALIZED (SELECT * FROM unnest($4::bigint[], $5::text[], $6::integer[], $7::integer[], $8::text[],
        $9::text[], $10::boolean[], $11::integer[], $12::text[], $13::boolean[], $14::bigint[], $15::text[], $16::bigint[],
        $17::text[]) g (document, subject, seq, position, message, role, tool, length, created_at, filed, bucket, terms, place,
        frequencies)),
      d AS (INSERT INTO #document (tenant, agent, conversation, document, subject, seq, position, message, role, tool,
        length, created_at, filed, bucket, terms, place)
        SELECT $1, $2, $3, g.document, g.subject, g.seq, g.position, g.message, g.role, g.tool, g.length, g.created_at,
          g.filed, g.bucket, g.terms::bigint[], g.place FROM g)
      INSERT INTO #posting (tenant, bucket, term, document, place, number, frequency, length, seq, tool)
      SELECT $1, g.bucket, x.term, g.document, g.place, ${conversationNumber("$3")}, x.frequency, g.length, g.seq, g.tool
      FROM g CROSS JOIN LATERAL unnest(g.terms::bigint[], g.frequencies::integer[]) x (term, frequency) ORDER BY 2, 3
      ON CONFLICT DO NOTHING`,
    ...key,
    ...rows,
  );
}

function holds({ body }: IndexedTurn, message: string): boolean {
  return messageIds(readBody(body).messages).includes(writeText(message));
}

/**
 * Numbers grow with time, so that new rows stand side by side; no counter makes the tenant's writers wait for each other.
 * Where two give the same numbers, the later one begins again.
 */
export function firstNumber(): number {
  return (Date.now() - Date.UTC(2026, 0, 1)) * 4096 + Math.floor(Math.random() * 4096);
}
