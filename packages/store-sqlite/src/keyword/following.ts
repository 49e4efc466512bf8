import type { AgentOwner, FollowingDocument, FollowingQuery, KeywordScope } from "@throughline/core";
import { findConversation } from "../conversation-rows.ts";
import { findAgent, findSubject } from "../names.ts";
import { placeholders, type Session } from "../session.ts";
import { ROLES } from "./posting-blocks.ts";

/** What stands right behind documents in their conversations. */
export function readFollowing(
  session: Session,
  owner: AgentOwner,
  scope: KeywordScope,
  query: FollowingQuery,
): FollowingDocument[] {
  const agent = findAgent(session, owner);
  if (agent === undefined || query.documents.length === 0) return [];
  const choice = choiceOf(session, owner, agent, scope, query);
  if (choice === undefined) return [];
  const { where, parameters } = choice;
  const rows = session.rows<[behind: number, document: number, length: number, place: number]>(
    `SELECT d.ref, n.ref, n.length, n.place FROM document d CROSS JOIN conversation c ON c.ref = d.conversation
      CROSS JOIN document n ON n.ref = (SELECT m.ref FROM document m WHERE m.conversation = d.conversation
        AND m.seq BETWEEN d.seq AND d.seq + ? AND (m.seq > d.seq OR m.ref > d.ref) AND m.filed = 1 AND ${where}
        ORDER BY m.seq, m.ref LIMIT 1)
      WHERE d.ref IN (${placeholders(query.documents.length)}) AND d.filed = 1 AND c.agent = ?`,
    Math.max(0, Math.floor(query.turns)),
    ...parameters,
    ...query.documents,
    agent,
  );
  return rows.map(([behind, document, length, place]) => ({ behind, document, length, place }));
}

/** Which documents `m` are of the scope and pass the filters; `undefined`: none. */
function choiceOf(
  session: Session,
  { tenant, agent: name }: AgentOwner,
  agent: number,
  scope: KeywordScope,
  { groups, role, from, to, conversation, exclude }: FollowingQuery,
): { where: string; parameters: (string | number)[] } | undefined {
  const refOf = (id: string): number | undefined =>
    findConversation(session, { tenant, agent: name, conversation: id })?.ref;
  const where = [`m.tool IN (${placeholders(groups.length)})`];
  const parameters: (string | number)[] = groups.map((group) => (group === "tool" ? 1 : 0));
  const add = (sql: string, ...values: (string | number)[]): void => {
    where.push(sql);
    parameters.push(...values);
  };
  if (scope.kind === "subject") {
    const bucket = findSubject(session, agent, scope.subject);
    if (bucket === undefined) return undefined;
    add("m.bucket = ?", bucket);
  }
  for (const id of [scope.kind === "conversation" ? scope.conversation : undefined, conversation]) {
    if (id === undefined) continue;
    const ref = refOf(id);
    if (ref === undefined) return undefined;
    add("m.conversation = ?", ref);
  }
  if (role !== undefined) add("m.role = ?", ROLES.indexOf(role));
  if (from !== undefined) add("m.created_at >= ?", from);
  if (to !== undefined) add("m.created_at < ?", to);
  const excluded = exclude === undefined ? undefined : refOf(exclude.conversation);
  if (exclude !== undefined && excluded !== undefined) {
    add("NOT (m.conversation = ? AND m.seq > ?)", excluded, exclude.after);
  }
  return { where: where.join(" AND "), parameters };
}
