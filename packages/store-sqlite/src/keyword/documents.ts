import type { AgentOwner, IndexedDocument, KeywordScope, TurnRow } from "@throughline/core";
import { findConversation, readStored, SELECT_CONVERSATION, type StoredConversation } from "../conversation-rows.ts";
import { findAgent, findSubject } from "../names.ts";
import { placeholders, type Session } from "../session.ts";
import { Pace, type Steps } from "../steps.ts";
import { SEQ_LIMIT, TURN_COLUMNS, type TurnColumns, toTurnRow } from "../turn-rows.ts";
import { FILED } from "./filing.ts";
import { ROLES } from "./posting-blocks.ts";

/** Documents read by one statement, each with its turn's body where that is no longer than {@link LONG_BODY_BYTES}. */
const MOST_AT_ONCE = 32;
/** A longer one is read once, and not with each of its documents: of a message of a megabyte many may be asked for. */
const LONG_BODY_BYTES = 16_384;
const COLUMNS = TURN_COLUMNS.replace("h.data", `CASE WHEN octet_length(h.data) <= ${LONG_BODY_BYTES} THEN h.data END`);
const BODY =
  "SELECT h.data FROM turn t CROSS JOIN heap h ON h.ref = t.body WHERE t.key = ? AND t.body = ? AND t.hidden = 0";

type DocumentColumns = [
  ref: number,
  conversation: string,
  position: number,
  role: number,
  createdAt: string,
  bodyRef: number,
  ...turn: [key: number, short: string | null, ...rest: Rest],
];
type Rest = TurnColumns extends [number, string, ...infer Columns] ? Columns : never;

/** Where documents stand, in the order asked for, and their turns, each once; gone and hidden ones are left out. */
export function* readDocuments(
  session: Session,
  owner: AgentOwner,
  refs: readonly number[],
): Steps<{ documents: IndexedDocument[]; turns: TurnRow[] }> {
  const agent = findAgent(session, owner);
  if (agent === undefined) return { documents: [], turns: [] };
  const pace = new Pace();
  const found = new Map<number, IndexedDocument>();
  const turns = new Map<number, TurnRow>();
  for (let start = 0; start < refs.length; start += MOST_AT_ONCE) {
    const some = refs.slice(start, start + MOST_AT_ONCE);
    // One statement serves several lengths of the list.
    while (some.length % 4 !== 0) some.push(some[0] ?? 0);
    const rows = session.rows<DocumentColumns>(
      `SELECT d.ref, c.id, d.position, d.role, d.created_at, t.body, ${COLUMNS}
        FROM document d CROSS JOIN conversation c ON c.ref = d.conversation
        CROSS JOIN turn t ON t.key = d.conversation * ${SEQ_LIMIT} + d.seq CROSS JOIN heap h ON h.ref = t.body
        WHERE d.ref IN (${placeholders(some.length)}) AND c.agent = ? AND t.hidden = 0 AND d.filed <> ${FILED.doomed}`,
      ...some,
      agent,
    );
    for (const [document, conversation, position, role, createdAt, bodyRef, key, short, ...rest] of rows) {
      let turn = turns.get(key);
      if (turn === undefined) {
        if (short === null && pace.isOver) yield* pace.pause();
        const body = short ?? session.row<[string]>(BODY, key, bodyRef)?.[0];
        // Rewritten, hidden or gone since the pause.
        if (body === undefined) continue;
        turn = toTurnRow(session, conversation, [key, body, ...rest]);
        turns.set(key, turn);
      }
      const message = turn.messages[position];
      if (message === undefined) continue;
      const { id, seq, subject } = turn;
      const row: IndexedDocument = {
        document,
        conversation,
        turn: id,
        seq,
        position,
        message: message.id,
        role: ROLES[role] ?? "user",
        createdAt,
      };
      if (subject !== undefined) row.subject = subject;
      found.set(document, row);
    }
    if (pace.isOver) yield* pace.pause();
  }
  return { documents: refs.flatMap((ref) => found.get(ref) ?? []), turns: [...turns.values()] };
}

const ANY_BEHIND = `SELECT EXISTS (SELECT 1 FROM conversation WHERE subject = ? AND indexed_seq < last_seq)
  OR EXISTS (SELECT 1 FROM former_subject f CROSS JOIN conversation c ON c.ref = f.conversation
    WHERE f.subject = ? AND c.indexed_seq < c.last_seq)`;

/** Conversations of a scope whose index is behind their turns. */
export function readBehind(
  session: Session,
  owner: AgentOwner,
  scope: KeywordScope,
  limit: number,
): { conversation: string; after: number; through: number; subject?: string; number: number }[] {
  const agent = findAgent(session, owner);
  if (agent === undefined) return [];
  const { tenant, agent: name } = owner;
  if (scope.kind === "conversation") {
    const found = findConversation(session, { tenant, agent: name, conversation: scope.conversation });
    return found === undefined ? [] : [found].filter(isBehind).slice(0, limit).map(toBehind);
  }
  if (scope.kind === "agent") {
    const sql = `${SELECT_CONVERSATION} WHERE agent = ? AND is_open = 1 AND indexed_seq < last_seq LIMIT ?`;
    return readStored(session, sql, agent, Math.max(0, limit)).map(toBehind);
  }
  const bucket = findSubject(session, agent, scope.subject);
  if (bucket === undefined) return [];
  // Mostly none is behind, which the index tells without the conversations' rows.
  const [isAnyBehind] = session.row<[number]>(ANY_BEHIND, bucket, bucket) ?? [0];
  if (isAnyBehind === 0) return [];
  return readStored(
    session,
    `${SELECT_CONVERSATION} WHERE subject = ? AND indexed_seq < last_seq
      UNION ${SELECT_CONVERSATION} WHERE ref IN (SELECT conversation FROM former_subject WHERE subject = ?)
      AND indexed_seq < last_seq LIMIT ?`,
    bucket,
    bucket,
    Math.max(0, limit),
  ).map(toBehind);
}

type Found = Pick<StoredConversation, "ref" | "row">;

function isBehind({ row: { watermarks, lastSeq } }: Found): boolean {
  return (watermarks.index ?? 0) < lastSeq;
}

function toBehind({ ref, row: { id, subject, lastSeq, watermarks } }: Found) {
  const behind: { conversation: string; after: number; through: number; subject?: string; number: number } = {
    conversation: id,
    number: ref,
    after: watermarks.index ?? 0,
    through: lastSeq,
  };
  if (subject !== undefined) behind.subject = subject;
  return behind;
}
