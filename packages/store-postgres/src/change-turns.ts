import type { ConversationOwner, TurnChange } from "@throughline/core";
import { findTurn, insertMessages, removeTurn } from "./commit-turn.ts";
import { type ConversationColumns, keyOf, lockConversation } from "./conversation-rows.ts";
import { insertDocuments } from "./keyword/index-documents.ts";
import { moveDocuments, removeDocumentsOfTurns, setFiled } from "./keyword/turn-documents.ts";
import type { Session } from "./session.ts";
import { checkId, writeText } from "./text.ts";
import { messageIds, readBody, type TurnColumns, writeBody } from "./turn-rows.ts";
import { fileVectors, keepVectorsOfWords, moveVectors } from "./vectors/turn-vectors.ts";

/** How the conversation's counts change with its turns. */
interface Counts {
  turns: number;
  messages: number;
}

type Key = [tenant: string, agent: string, conversation: string];

const ONE_TURN = "tenant = $1 AND agent = $2 AND conversation = $3 AND seq = $4";

/** Applies all changes; how many turns were there to change. */
export async function changeTurns(
  session: Session,
  owner: ConversationOwner,
  changes: readonly TurnChange[],
  now: string | undefined,
): Promise<number> {
  const conversation = await lockConversation(session, owner);
  if (conversation === undefined) return 0;
  const key = keyOf(owner);
  const counts: Counts = { turns: 0, messages: 0 };
  const changed = new Set<string>();
  for (const change of changes) {
    const turn = await findTurn(session, key, change.turn);
    if (turn === undefined || !isStill(turn, change)) continue;
    changed.add(change.turn);
    await applyChange(session, key, conversation, turn, change, counts);
  }
  if (changed.size === 0) return 0;
  await session.run(
    `UPDATE #conversation SET turns = turns + $4, messages = messages + $5, updated_at = coalesce($6, updated_at)
      WHERE tenant = $1 AND agent = $2 AND id = $3`,
    ...key,
    counts.turns,
    counts.messages,
    now ?? null,
  );
  return changed.size;
}

/** True where the turn is as it was read for the change. */
function isStill(turn: TurnColumns, change: TurnChange): boolean {
  const still = "ifStill" in change ? change.ifStill : undefined;
  if (still === undefined) return true;
  const ids = readBody(turn.body).messages.map((message) => message.id);
  return turn.seq === still.seq && JSON.stringify(ids) === JSON.stringify(still.messages);
}

async function applyChange(
  session: Session,
  key: Key,
  conversation: ConversationColumns,
  turn: TurnColumns,
  change: TurnChange,
  counts: Counts,
): Promise<void> {
  const { seq } = turn;
  switch (change.action) {
    case "hide":
      if (turn.hidden === true) return;
      await session.run(`UPDATE #turn SET hidden = true WHERE ${ONE_TURN}`, ...key, seq);
      await session.run(`DELETE FROM #message WHERE ${ONE_TURN}`, ...key, seq);
      await setFiled(session, key, [seq], false);
      await fileVectors(session, key, [seq], false);
      count(counts, turn, -1);
      return;
    case "show":
      await session.run(`UPDATE #turn SET hidden = false, replaced_by = NULL WHERE ${ONE_TURN}`, ...key, seq);
      if (turn.hidden !== true) return;
      await insertMessages(session, key, seq, messageIds(readBody(turn.body).messages));
      await setFiled(session, key, [seq], true);
      await fileVectors(session, key, [seq], true);
      count(counts, turn, 1);
      return;
    case "rewrite":
      await rewrite(session, key, conversation.indexed_seq, turn, change, counts);
      return;
    case "restamp":
      await restamp(session, key, conversation, turn, change.subject);
      return;
    case "erase":
      await removeTurn(session, key, seq);
      if (turn.hidden !== true) count(counts, turn, -1);
  }
}

async function rewrite(
  session: Session,
  key: Key,
  indexed: number,
  turn: TurnColumns,
  change: Extract<TurnChange, { action: "rewrite" }>,
  counts: Counts,
): Promise<void> {
  const { messages, counted, tokens, documents = [] } = change;
  await removeDocumentsOfTurns(session, key, [turn.seq]);
  const body = readBody(turn.body);
  await keepVectorsOfWords(session, key, turn.seq, body.messages, messages);
  const text = writeBody({ ...body, messages });
  await session.run(
    `UPDATE #turn SET body = $5, size = $6, counted = $7, tokens = $8, rewritten = true WHERE ${ONE_TURN}`,
    ...key,
    turn.seq,
    text,
    messages.length,
    counted,
    tokens,
  );
  const row = {
    seq: turn.seq,
    id: writeText(body.id),
    subject: turn.subject,
    hidden: turn.hidden === true,
    body: text,
  };
  if (turn.seq <= indexed) await insertDocuments(session, key, documents, [row]);
  if (turn.hidden === true) return;
  await session.run(`DELETE FROM #message WHERE ${ONE_TURN}`, ...key, turn.seq);
  await insertMessages(session, key, turn.seq, messageIds(messages));
  counts.messages += counted - turn.counted;
}

async function restamp(
  session: Session,
  key: Key,
  conversation: ConversationColumns,
  turn: TurnColumns,
  subject: string,
): Promise<void> {
  checkId(subject);
  const name = writeText(subject);
  if (name === turn.subject) return;
  await session.run(`UPDATE #turn SET subject = $5 WHERE ${ONE_TURN}`, ...key, turn.seq, name);
  if (name !== conversation.subject) await noteSubject(session, key, name);
  await moveDocuments(session, key, turn.seq, name);
  await moveVectors(session, key, turn.seq, name);
}

/** Remembers that a conversation holds turns of a subject it isn't bound to: erasing that subject must find them. */
export async function noteSubject(
  session: Session,
  [tenant, agent, conversation]: Key,
  subject: string,
): Promise<void> {
  await session.run(
    "INSERT INTO #former_subject (tenant, agent, subject, conversation) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING",
    tenant,
    agent,
    subject,
    conversation,
  );
}

function count(counts: Counts, turn: TurnColumns, by: 1 | -1): void {
  counts.turns += by;
  counts.messages += by * turn.counted;
}
