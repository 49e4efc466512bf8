import type { AgentOwner, KeywordScope, NearMessage, VectorQuery } from "@throughline/core";
import { agentKey } from "../conversation-rows.ts";
import { filterParameters } from "../keyword/postings.ts";
import type { Session } from "../session.ts";
import { toInteger, writeText } from "../text.ts";
import { type PlaceRow, toNearest } from "./near-rows.ts";
import { modelNumber, vectorText } from "./vector-model.ts";

const NEAR = `SELECT #near_messages(${Array.from({ length: 15 }, (_, index) => `$${index + 1}`).join(", ")}) AS answer`;

/**
 * The nearest, all of the scope's vectors compared, in one trip: by the function that migrating made for it. `null` where an
 * id holds what tells the columns apart.
 */
export async function nearMessages(
  session: Session,
  rowLevelSecurity: boolean,
  owner: AgentOwner,
  scope: Exclude<KeywordScope, { kind: "agent" }>,
  query: VectorQuery,
): Promise<NearMessage[] | null> {
  const found = await session.prepared<{ answer: string }>(
    "near",
    NEAR,
    rowLevelSecurity,
    ...agentKey(owner),
    scope.kind,
    writeText(scope.kind === "subject" ? scope.subject : scope.conversation),
    ...filterParameters(query),
    modelNumber(query.model),
    vectorText(query.vector),
    Math.max(0, toInteger(query.limit)),
    query.floor,
  );
  if (found === undefined) throw new Error("A function answers with one row.");
  const rows = nearRows(found.answer);
  return rows === null ? null : toNearest(rows, query);
}

/** Rows of the function's text. Each column and row more than there should be shows that a separator is somebody's own. */
function nearRows(text: string): (PlaceRow & { score: string })[] | null {
  const [count, ...lines] = text.split("\x1e");
  if (count === "0") return [];
  if (lines.length !== Number(count)) return null;
  const rows: (PlaceRow & { score: string })[] = [];
  for (const line of lines) {
    const columns = line.split("\x1f");
    if (columns.length !== COLUMNS) return null;
    const [conversation, turn, seq, position, message, role, subject, created, score] = columns as Columns;
    rows.push({
      conversation,
      turn,
      seq: Number(seq),
      position: Number(position),
      message,
      // As it was written.
      role: role as NearMessage["role"],
      subject: subject === "" ? null : subject,
      created_at: created,
      score,
    });
  }
  return rows;
}

/** As many as {@link COLUMNS}. */
type Columns = [string, string, string, string, string, string, string, string, string];
const COLUMNS = 9;
