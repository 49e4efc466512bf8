import type { ConversationOwner, VectorDocument, VectorModel } from "@throughline/core";
import { checkVectors, isAnother } from "@throughline/core/store-kit";
import { findConversation, type StoredConversation } from "../conversation-rows.ts";
import { putBytes } from "../heap.ts";
import { messageHash } from "../identities.ts";
import { ROLES } from "../keyword/posting-blocks.ts";
import { obtainConversationBucket } from "../names.ts";
import type { Session } from "../session.ts";
import { Pace, type Steps } from "../steps.ts";
import { findTurn, type StoredTurn } from "../turn-rows.ts";
import { removeVectors } from "./turn-vectors.ts";
import { writeVector } from "./vector-body.ts";
import { saveSet } from "./vector-runs.ts";
import { checkModel, modelNumber, obtainSet, type VectorSet, vectorKey } from "./vector-sets.ts";

/** Vectors of one model, and of which conversation they were made. */
export interface VectorBatch {
  createdAt?: string;
  model: VectorModel;
  documents: readonly VectorDocument[];
}

/** Refuses vectors that aren't of the model's length. */
export function checkBatch({ model, documents }: VectorBatch): void {
  checkModel(model);
  checkVectors(
    model.dimensions,
    documents.map(({ vector }) => vector),
  );
}

/** Keeps vectors of messages that are stored, some turns at a time; how many. */
export function* putVectors(
  session: Session,
  owner: ConversationOwner,
  { createdAt, model, documents }: VectorBatch,
): Steps<number> {
  const pace = new Pace();
  let count = 0;
  for (const some of Map.groupBy(documents, ({ seq }) => seq).values()) {
    if (pace.isOver) yield* pace.pause();
    const conversation = findConversation(session, owner);
    if (conversation === undefined || isAnother(conversation.row, { createdAt })) return count;
    count += putOfTurn(session, conversation, model, some);
  }
  return count;
}

function putOfTurn(
  session: Session,
  { ref, agent }: StoredConversation,
  model: VectorModel,
  documents: readonly VectorDocument[],
): number {
  const [first] = documents;
  const turn = first === undefined ? undefined : findTurn(session, ref, first.seq);
  if (turn === undefined) return 0;
  const bucket = turn.subject ?? obtainConversationBucket(session, agent, ref);
  const number = modelNumber(session, model);
  const set = obtainSet(session, bucket, number, model.dimensions);
  let count = 0;
  for (const document of documents) {
    const position = positionIn(turn, document);
    // Erased or changed since it was embedded: it must not come back.
    if (position < 0) continue;
    count += 1;
    removeEarlier(session, set, ref, document);
    insertVector(session, set, ref, { ...document, position, hidden: turn.hidden });
  }
  saveSet(session, set);
  return count;
}

function positionIn({ body }: StoredTurn, { turn, message }: VectorDocument): number {
  return body.id === turn ? body.messages.findIndex(({ id }) => id === message) : -1;
}

/** Removes what the message had of this model. */
function removeEarlier(session: Session, set: VectorSet, conversation: number, document: VectorDocument): void {
  const rows = session.rows<[key: number]>(
    `SELECT v.key FROM vector v CROSS JOIN vector_set s ON s.ref = v.key / ${vectorKey(1, 0)}
      WHERE v.conversation = ? AND v.seq = ? AND v.message = ?
      AND s.model = (SELECT model FROM vector_set WHERE ref = ?)`,
    conversation,
    document.seq,
    messageHash(session, document.message),
    set.ref,
  );
  removeVectors(
    session,
    rows.map(([key]) => key),
  );
}

function insertVector(
  session: Session,
  set: VectorSet,
  conversation: number,
  document: VectorDocument & { hidden: boolean },
): void {
  const { seq, position, message, role, createdAt, hidden } = document;
  session.run(
    `INSERT INTO vector (key, conversation, seq, message, position, role, created_at, hidden, body)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    vectorKey(set.ref, set.next),
    conversation,
    seq,
    messageHash(session, message),
    position,
    ROLES.indexOf(role),
    createdAt,
    hidden ? 1 : 0,
    putBytes(session, writeVector(document)),
  );
  set.next += 1;
}
