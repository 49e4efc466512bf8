import type { AgentOwner, HitQuery, HitRows, Role } from "@throughline/core";
import { parse } from "../context.ts";
import { agentKey } from "../conversation-rows.ts";
import { toDocument } from "../keyword/documents.ts";
import { placesOf } from "../read-turns.ts";
import type { Session } from "../session.ts";
import { type TurnList, turnOfList } from "./turn-list.ts";

/** What the function answers. */
interface Answer {
  documents: [
    document: number,
    conversation: string,
    turn: string,
    seq: number,
    position: number,
    message: string,
    role: Role,
    subject: string | null,
    createdAt: string,
  ][];
  turns: TurnList[];
}

const READ = "SELECT #read_hits($1, $2, $3, $4, $5, $6, $7) AS answer";

/** What is still there of what a search found, in one trip. */
export async function readHits(
  session: Session,
  rowLevelSecurity: boolean,
  owner: AgentOwner,
  { documents, places }: HitQuery,
): Promise<HitRows> {
  const asked = documents.filter(Number.isSafeInteger);
  const possible = placesOf(places);
  if (asked.length === 0 && possible === null) return { documents: [], turns: [] };
  const found = await session.prepared<{ answer: string }>(
    "hits",
    READ,
    rowLevelSecurity,
    ...agentKey(owner),
    asked,
    ...(possible ?? [[], [], []]),
  );
  if (found === undefined) throw new Error("A function answers with one row.");
  const answer = parse<Answer>(found.answer);
  const rows = new Map(
    answer.documents.map(([document, conversation, turn, seq, position, message, role, subject, createdAt]) => [
      document,
      toDocument({ document, conversation, turn, seq, position, message, role, subject, created_at: createdAt }),
    ]),
  );
  return {
    documents: asked.flatMap((document) => rows.get(document) ?? []),
    turns: answer.turns.map(turnOfList),
  };
}
