import { MemoryError, type Message, type TurnRow } from "@throughline/core";
import { getText } from "./heap.ts";
import { subjectOf } from "./names.ts";
import type { Session } from "./session.ts";
import { readBody, type TurnBody } from "./turn-body.ts";

/** One more than the greatest sequence number of a conversation. */
export const SEQ_LIMIT = 2 ** 24;

/** A conversation's number and a sequence number in one integer, in the order of both. */
export function turnKey(conversation: number, seq: number): number {
  if (seq >= SEQ_LIMIT) {
    throw new MemoryError("STORE_FULL", `A conversation holds at most ${SEQ_LIMIT - 1} turns; begin a new one.`, {
      retryable: false,
    });
  }
  return conversation * SEQ_LIMIT + seq;
}

/** Columns that {@link toTurnRow} reads, in order. `h` is the heap's row of the turn's body. */
export const TURN_COLUMNS = "t.key, h.data, t.counted, t.tokens, t.subject, t.hidden, t.replaced_by";

export type TurnColumns = [
  key: number,
  body: string,
  counted: number,
  tokens: number,
  subject: number | null,
  hidden: number,
  replacedBy: number | null,
];

/** A turn as the contract knows it. */
export function toTurnRow(session: Session, conversation: string, columns: TurnColumns): TurnRow {
  const [key, text, counted, tokens, subject, hidden, replacedBy] = columns;
  const row = joinTurn(session, conversation, readBody(text), { key, counted, tokens, subject });
  if (hidden !== 0) row.hidden = true;
  if (replacedBy !== null) row.replacedBy = JSON.parse(getText(session, replacedBy));
  return row;
}

/** A visible turn of its body and its columns. */
export function joinTurn(
  session: Session,
  conversation: string,
  body: TurnBody,
  { key, counted, tokens, subject }: { key: number; counted: number; tokens: number; subject: number | null },
): TurnRow {
  const row: TurnRow = { ...body, conversation, seq: key % SEQ_LIMIT, counted, tokens };
  const name = subject === null ? undefined : subjectOf(session, subject);
  if (name !== undefined) row.subject = name;
  return row;
}

/** A turn that is there, with the numbers of its texts. */
export interface StoredTurn {
  key: number;
  seq: number;
  body: TurnBody;
  bodyRef: number;
  counted: number;
  subject: number | null;
  hidden: boolean;
  replacedBy: number | null;
}

/** The turn of a sequence number. */
export function findTurn(session: Session, conversation: number, seq: number): StoredTurn | undefined {
  const key = turnKey(conversation, seq);
  const found = session.row<
    [ref: number, body: string, counted: number, subject: number | null, hidden: number, replacedBy: number | null]
  >(
    "SELECT t.body, h.data, t.counted, t.subject, t.hidden, t.replaced_by FROM turn t JOIN heap h ON h.ref = t.body WHERE t.key = ?",
    key,
  );
  if (found === undefined) return undefined;
  const [bodyRef, body, counted, subject, hidden, replacedBy] = found;
  return { key, seq, body: readBody(body), bodyRef, counted, subject, hidden: hidden !== 0, replacedBy };
}

/** The ids of messages, each once. */
export function messageIds(messages: readonly Message[]): string[] {
  return [...new Set(messages.map((message) => message.id))];
}
