import type { AgentOwner, KeywordScope, NearMessage, VectorQuery } from "@throughline/core";
import { parse } from "../context.ts";
import { agentKey } from "../conversation-rows.ts";
import type { Session } from "../session.ts";
import { toInteger, writeText } from "../text.ts";
import { type PlaceRow, toNearest } from "./near-rows.ts";
import { modelNumber, vectorText } from "./vector-model.ts";

/** What the function answers: a list for each column; none where there is nothing. */
type Answer =
  | []
  | [
      conversations: string[],
      turns: string[],
      seqs: number[],
      positions: number[],
      messages: string[],
      roles: NearMessage["role"][],
      subjects: (string | null)[],
      createdAt: string[],
      scores: number[],
    ];

const NEAR = `SELECT #near_messages(${Array.from({ length: 14 }, (_, index) => `$${index + 1}`).join(", ")}) AS answer`;

/** The nearest, all of the scope's vectors compared, in one trip: by the function that migrating made for it. */
export async function nearMessages(
  session: Session,
  rowLevelSecurity: boolean,
  owner: AgentOwner,
  scope: Exclude<KeywordScope, { kind: "agent" }>,
  query: VectorQuery,
): Promise<NearMessage[]> {
  const { role, from, to, conversation, exclude } = query;
  const found = await session.prepared<{ answer: string }>(
    "near",
    NEAR,
    rowLevelSecurity,
    ...agentKey(owner),
    scope.kind,
    writeText(scope.kind === "subject" ? scope.subject : scope.conversation),
    role ?? null,
    from ?? null,
    to ?? null,
    conversation === undefined ? null : writeText(conversation),
    exclude === undefined ? null : writeText(exclude.conversation),
    exclude === undefined ? null : toInteger(exclude.after),
    modelNumber(query.model),
    vectorText(query.vector),
    Math.max(0, toInteger(query.limit)),
  );
  if (found === undefined) throw new Error("A function answers with one row.");
  return toNearest(nearRows(parse<Answer>(found.answer)), query);
}

function nearRows([
  conversations = [],
  turns = [],
  seqs = [],
  positions = [],
  messages = [],
  roles = [],
  subjects = [],
  times = [],
  scores = [],
]: Answer): (PlaceRow & { score: number })[] {
  return conversations.map((conversation, index) => ({
    conversation,
    // The lists are equally long.
    turn: turns[index] as string,
    seq: seqs[index] as number,
    position: positions[index] as number,
    message: messages[index] as string,
    role: roles[index] as NearMessage["role"],
    subject: subjects[index] ?? null,
    created_at: times[index] as string,
    score: scores[index] as number,
  }));
}
