import type { ConversationOwner, VectorDocument, VectorIndex, VectorModel } from "@throughline/core";
import { checkVectors, isAnother } from "@throughline/core/store-kit";
import { keyOf, lockConversation, toConversation } from "../conversation-rows.ts";
import { STAMP } from "../schema/stamp.ts";
import type { Session } from "../session.ts";
import { writeText } from "../text.ts";
import { readBody } from "../turn-rows.ts";
import type { VectorColumn } from "./vector-column.ts";
import { checkModel, modelNumber, vectorBytes, vectorText } from "./vector-model.ts";

/** Refuses vectors that aren't of the model's length. */
export function checkBatch(batch: { model: VectorModel; documents: readonly Pick<VectorDocument, "vector">[] }): void {
  const { model, documents } = batch;
  checkModel(model);
  checkVectors(
    model.dimensions,
    documents.map(({ vector }) => vector),
  );
}

interface Turn {
  seq: number;
  id: string;
  subject: string | null;
  hidden: boolean;
  body: string;
}

/** Keeps vectors of messages that are stored; how many. */
export async function putVectors(
  session: Session,
  column: VectorColumn,
  owner: ConversationOwner,
  { createdAt, model, documents }: Parameters<VectorIndex["put"]>[1],
): Promise<number> {
  if (documents.length === 0) return 0;
  const stored = await lockConversation(session, owner);
  if (stored === undefined || isAnother(toConversation(stored), { createdAt })) return 0;
  const key = keyOf(owner);
  const turns = await session.rows<Turn>(
    `SELECT seq, id, subject, hidden, body FROM #turn
      WHERE tenant = $1 AND agent = $2 AND conversation = $3 AND seq = ANY ($4)`,
    ...key,
    [...new Set(documents.map(({ seq }) => seq))],
  );
  const known = new Map(turns.map((turn) => [turn.seq, { ...turn, messages: readBody(turn.body).messages }]));
  const rows = new Map<string, unknown[]>();
  let count = 0;
  for (const { turn: id, seq, message, role, createdAt, vector } of documents) {
    const turn = known.get(seq);
    // Erased or changed since it was embedded: it must not come back.
    const position = turn?.id === writeText(id) ? turn.messages.findIndex((other) => other.id === message) : -1;
    if (turn === undefined || position < 0) continue;
    count += 1;
    const v = column.kind === "bytes" ? vectorBytes(vector) : vectorText(vector);
    // Of one message twice the later one counts.
    rows.set(JSON.stringify([seq, message]), [
      seq,
      writeText(message),
      turn.id,
      position,
      role,
      turn.subject,
      createdAt,
      !turn.hidden,
      v,
    ]);
  }
  if (rows.size === 0) return 0;
  const columns = Array.from({ length: 9 }, (_, index) => [...rows.values()].map((row) => row[index]));
  const [type, cast] = column.kind === "bytes" ? ["bytea[]", ""] : ["text[]", `::${column.schema}.vector`];
  await session.run(
    `INSERT INTO #vector (tenant, agent, conversation, model, seq, message, turn, position, role, subject, created_at,
        filed, stamp, v)
      SELECT $1, $2, $3, $4::bigint, d.seq, d.message, d.turn, d.position, d.role, d.subject, d.created_at, d.filed,
        ${STAMP}, d.v${cast}
      FROM unnest($5::integer[], $6::text[], $7::text[], $8::integer[], $9::text[], $10::text[], $11::text[],
        $12::boolean[], $13::${type}) d (seq, message, turn, position, role, subject, created_at, filed, v)
      ON CONFLICT (tenant, agent, conversation, seq, message, model) DO UPDATE SET turn = excluded.turn,
        position = excluded.position, role = excluded.role, subject = excluded.subject,
        created_at = excluded.created_at, filed = excluded.filed, stamp = excluded.stamp, v = excluded.v`,
    ...key,
    modelNumber(model),
    ...columns,
  );
  return count;
}
