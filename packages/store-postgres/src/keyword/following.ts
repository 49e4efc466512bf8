import type { AgentOwner, FollowingDocument, FollowingQuery, KeywordScope } from "@throughline/core";
import { parse } from "../context.ts";
import { agentKey } from "../conversation-rows.ts";
import type { Session } from "../session.ts";
import { toInteger, writeText } from "../text.ts";
import { filterParameters } from "./postings.ts";

const READ = "SELECT #following($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) AS answer";

/** What stands right behind documents in their conversations, in one trip. */
export async function readFollowing(
  session: Session,
  rowLevelSecurity: boolean,
  owner: AgentOwner,
  scope: KeywordScope,
  query: FollowingQuery,
): Promise<FollowingDocument[]> {
  const { documents, turns, groups } = query;
  const asked = documents.filter(Number.isSafeInteger);
  if (asked.length === 0) return [];
  const id = scope.kind === "agent" ? null : scope.kind === "subject" ? scope.subject : scope.conversation;
  const found = await session.prepared<{ answer: string }>(
    "following",
    READ,
    rowLevelSecurity,
    ...agentKey(owner),
    scope.kind,
    id === null ? null : writeText(id),
    asked,
    Math.max(0, toInteger(turns)),
    groups.map((group) => group === "tool"),
    ...filterParameters(query),
  );
  if (found === undefined) throw new Error("A function answers with one row.");
  const rows = parse<[behind: number, document: number, length: number, place: number][]>(found.answer);
  return rows.map(([behind, document, length, place]) => ({ behind, document, length, place }));
}
