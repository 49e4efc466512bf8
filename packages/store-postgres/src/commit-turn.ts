import type { ConversationOwner, TurnCommit, TurnWrite } from "@throughline/core";
import { parse } from "./context.ts";
import { type ConversationColumns, keyOf, toConversation } from "./conversation-rows.ts";
import { type ErasureMark, later, lockErasures } from "./erasure-marks.ts";
import { sqlState } from "./errors.ts";
import { removeDocumentsOfTurns, setFiled } from "./keyword/turn-documents.ts";
import { checkOwner, obtainConversation } from "./obtain-conversation.ts";
import { locateMessages } from "./read-turns.ts";
import { type Session, Undo } from "./session.ts";
import { resolveSubject } from "./subject-identities.ts";
import { checkId, writeText } from "./text.ts";
import { messageIds, TURN_COLUMNS, type TurnColumns, toTurnRow, writeBody } from "./turn-rows.ts";
import { fileVectors, removeVectorsOfTurns } from "./vectors/turn-vectors.ts";

const COMMIT = "SELECT #commit_turn($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) AS row";

/** A turn that nothing stands in the way of, in one trip; `null`, with nothing written, where it is not that. */
export async function commitOrdinaryTurn(
  session: Session,
  rowLevelSecurity: boolean,
  owner: ConversationOwner,
  write: TurnWrite,
): Promise<TurnCommit | null> {
  const { turn, subject, login, now, previousSeq, hides } = write;
  if (previousSeq !== undefined || (hides !== undefined && hides.length > 0)) return null;
  checkOwner(owner);
  if (subject !== undefined) checkId(subject);
  try {
    const found = await session.prepared<{ row: string | null }>(
      "commit",
      COMMIT,
      rowLevelSecurity,
      ...keyOf(owner),
      subject === undefined ? null : writeText(subject),
      login === undefined ? null : writeText(login),
      now,
      writeText(turn.id),
      turn.startedAt,
      writeBody(turn),
      turn.counted,
      turn.tokens,
      turn.messages.length,
      messageIds(turn.messages),
    );
    if (found?.row === undefined || found.row === null) return null;
    const conversation = toConversation(parse<ConversationColumns>(found.row));
    return { status: "stored", seq: conversation.lastSeq, conversation };
  } catch (error) {
    // A turn or a message of the same id is there, or something was erased: undone, to be looked at.
    if (["23505", "TL001"].includes(sqlState(error) ?? "")) return null;
    throw error;
  }
}

/** Writes a turn with the next sequence number of its conversation, or says why not. In a transaction. */
export async function commitTurn(session: Session, owner: ConversationOwner, write: TurnWrite): Promise<TurnCommit> {
  const { turn, previousSeq } = write;
  checkOwner(owner);
  if (write.subject !== undefined) checkId(write.subject);
  const key = keyOf(owner);
  const given = write.subject === undefined ? null : writeText(await resolveSubject(session, owner, write.subject));
  const { conversation, isNew } = await obtainConversation(session, owner, write.now);
  const stop = (answer: TurnCommit): TurnCommit => {
    // The row was made to be locked, and goes with the transaction.
    if (isNew) throw new Undo(answer);
    return answer;
  };
  const bound = conversation.subject;
  const binds = given !== null && bound === null;
  let refuse = conversation.refuse_through;
  if (isNew || binds) {
    const marks: ErasureMark[] = [{ agent: key[1], kind: "conversation", id: key[2] }];
    if (given !== null) marks.push({ agent: key[1], kind: "subject", id: given });
    refuse = later(refuse, await lockErasures(session, key[0], marks));
  }
  if (refuse !== null && refuse >= turn.startedAt) return stop({ status: "erased" });
  if (bound !== null && given !== null && bound !== given) return stop({ status: "owner-mismatch" });

  const own = await findTurn(session, key, turn.id);
  if (own !== undefined && own.seq !== previousSeq) {
    return { status: "exists", turn: toTurnRow(owner.conversation, own) };
  }
  if (own === undefined && previousSeq !== undefined) return stop({ status: "erased" });
  const hidden = await findHidden(session, key, write.hides ?? []);
  const without = [...hidden.map(({ seq }) => seq), ...(own === undefined ? [] : [own.seq])];
  const known = await locateMessages(
    session,
    owner,
    turn.messages.map(({ id }) => id),
    without,
  );
  if (known.length > 0) return { status: "known", messages: known };

  const gone = hidden.filter(({ seq, hidden: before }) => !before && seq !== own?.seq);
  await hide(
    session,
    key,
    hidden.filter(({ seq }) => seq !== own?.seq).map(({ seq }) => seq),
    turn.id,
  );
  if (own !== undefined) {
    await removeTurn(session, key, own.seq);
    if (own.hidden !== true) gone.push({ seq: own.seq, counted: own.counted, hidden: false });
  }
  const seq = conversation.last_seq + 1;
  const subject = bound ?? given;
  await insertTurn(session, key, seq, subject, write);
  const [row] = await session.rows<ConversationColumns>(
    `UPDATE #conversation SET updated_at = $4, last_seq = $5, turns = turns + $6, messages = messages + $7, subject = $8,
      login = coalesce($9, login), refuse_through = $10 WHERE tenant = $1 AND agent = $2 AND id = $3 RETURNING *`,
    ...key,
    write.now,
    seq,
    1 - gone.length,
    gone.reduce((sum, { counted }) => sum - counted, turn.counted),
    subject,
    write.login === undefined ? null : writeText(write.login),
    refuse,
  );
  if (row === undefined) throw new Error("A conversation that is locked is there.");
  return { status: "stored", seq, conversation: toConversation(row) };
}

type Key = readonly [tenant: string, agent: string, conversation: string];

const OF_CONVERSATION = "tenant = $1 AND agent = $2 AND conversation = $3";

/** The turn of an id. */
export function findTurn(session: Session, key: Key, id: string): Promise<TurnColumns | undefined> {
  return session.row<TurnColumns>(
    `SELECT ${TURN_COLUMNS} FROM #turn WHERE ${OF_CONVERSATION} AND id = $4`,
    ...key,
    writeText(id),
  );
}

async function findHidden(
  session: Session,
  key: Key,
  ids: readonly string[],
): Promise<{ seq: number; counted: number; hidden: boolean }[]> {
  if (ids.length === 0) return [];
  return session.rows(
    `SELECT seq, counted, hidden FROM #turn WHERE ${OF_CONVERSATION} AND id = ANY ($4)`,
    ...key,
    ids.map(writeText),
  );
}

async function hide(session: Session, key: Key, seqs: readonly number[], by: string): Promise<void> {
  if (seqs.length === 0) return;
  await session.run(
    `UPDATE #turn SET hidden = true, replaced_by = $5 WHERE ${OF_CONVERSATION} AND seq = ANY ($4)`,
    ...key,
    seqs,
    writeText(by),
  );
  await session.run(`DELETE FROM #message WHERE ${OF_CONVERSATION} AND seq = ANY ($4)`, ...key, seqs);
  await setFiled(session, key, seqs, false);
  await fileVectors(session, key, seqs, false);
}

/** Removes a turn with its message ids, index entries and vectors. The conversation's counts are the caller's. */
export async function removeTurn(session: Session, key: Key, seq: number): Promise<void> {
  await removeDocumentsOfTurns(session, key, [seq]);
  await removeVectorsOfTurns(session, key, [seq]);
  await session.run(`DELETE FROM #message WHERE ${OF_CONVERSATION} AND seq = $4`, ...key, seq);
  await session.run(`DELETE FROM #turn WHERE ${OF_CONVERSATION} AND seq = $4`, ...key, seq);
}

async function insertTurn(
  session: Session,
  key: Key,
  seq: number,
  subject: string | null,
  { turn }: TurnWrite,
): Promise<void> {
  await session.run(
    `INSERT INTO #turn (tenant, agent, conversation, seq, id, subject, body, size, counted, tokens)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    ...key,
    seq,
    writeText(turn.id),
    subject,
    writeBody(turn),
    turn.messages.length,
    turn.counted,
    turn.tokens,
  );
  await insertMessages(session, key, seq, messageIds(turn.messages));
}

/** Files message ids under a visible turn. */
export async function insertMessages(session: Session, key: Key, seq: number, ids: readonly string[]): Promise<void> {
  await session.run(
    `INSERT INTO #message (tenant, agent, conversation, id, seq)
      SELECT $1, $2, $3, m, $4::integer FROM unnest($5::text[]) m ON CONFLICT DO NOTHING`,
    ...key,
    seq,
    ids,
  );
}
