import type { Message, Turn, TurnRow } from "@throughline/core";
import { readText, writeJson, writeText } from "./text.ts";

/** What of a turn stays as it was written; everything else about it stands in columns. */
export type TurnBody = Pick<
  Turn,
  "id" | "status" | "startedAt" | "endedAt" | "messages" | "agentName" | "replaces" | "error"
>;

/** The columns that {@link toTurnRow} reads. */
export const TURN_COLUMNS = "seq, body, counted, tokens, subject, hidden, replaced_by";

/** A turn's row. */
export interface TurnColumns {
  seq: number;
  body: string;
  counted: number;
  tokens: number;
  subject: string | null;
  hidden?: boolean;
  replaced_by?: string | null;
}

/** The text of a turn. */
export function writeBody({ id, status, startedAt, endedAt, messages, agentName, replaces, error }: TurnBody): string {
  return writeJson({ id, status, startedAt, endedAt, agentName, replaces, error, messages }, "A turn");
}

/** What {@link writeBody} wrote. */
export function readBody(text: string): TurnBody {
  return JSON.parse(text);
}

/** A turn as the contract knows it. */
export function toTurnRow(conversation: string, columns: TurnColumns): TurnRow {
  return joinTurn(conversation, readBody(columns.body), columns);
}

/** A turn of its body and its other columns. */
export function joinTurn(conversation: string, body: TurnBody, columns: Omit<TurnColumns, "body">): TurnRow {
  const { seq, counted, tokens, subject, hidden, replaced_by: replacedBy } = columns;
  const row: TurnRow = { ...body, conversation, seq, counted, tokens };
  if (subject !== null) row.subject = readText(subject);
  if (hidden === true) row.hidden = true;
  if (typeof replacedBy === "string") row.replacedBy = readText(replacedBy);
  return row;
}

/** The ids of messages as columns hold them, each once. */
export function messageIds(messages: readonly Message[]): string[] {
  return [...new Set(messages.map((message) => writeText(message.id)))];
}
