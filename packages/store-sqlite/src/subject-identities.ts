import type { AgentOwner, IdentityRow } from "@throughline/core";
import { checkId, findAgent, obtainAgent } from "./names.ts";
import type { Session } from "./session.ts";

/** Makes an identity another name of a subject, whatever it stood for before. */
export function linkIdentity(session: Session, owner: AgentOwner, { identity, subject, since }: IdentityRow): void {
  checkId(identity);
  checkId(subject);
  session.run(
    "INSERT OR REPLACE INTO subject_identity (agent, identity, subject, since) VALUES (?, ?, ?, ?)",
    obtainAgent(session, owner),
    identity,
    subject,
    since,
  );
}

/** False where the identity wasn't linked. */
export function unlinkIdentity(session: Session, owner: AgentOwner, identity: string): boolean {
  const agent = findAgent(session, owner);
  if (agent === undefined) return false;
  return session.run("DELETE FROM subject_identity WHERE agent = ? AND identity = ?", agent, identity).changes > 0;
}

/** Sorted by identity; those of one subject where it is named. */
export function listIdentities(session: Session, owner: AgentOwner, { subject }: { subject?: string }): IdentityRow[] {
  const agent = findAgent(session, owner);
  if (agent === undefined) return [];
  const of = subject === undefined ? "" : "AND subject = ?";
  return session
    .rows<[identity: string, subject: string, since: string]>(
      `SELECT identity, subject, since FROM subject_identity WHERE agent = ? ${of}`,
      agent,
      ...(subject === undefined ? [] : [subject]),
    )
    .map(([identity, of, since]) => ({ identity, subject: of, since }))
    .sort((left, right) => (left.identity < right.identity ? -1 : 1));
}

/** The subject an identity stands for; the id itself where it is nobody's identity. */
export function resolveSubject(session: Session, owner: AgentOwner, subject: string): string {
  const agent = findAgent(session, owner);
  if (agent === undefined) return subject;
  const sql = "SELECT subject FROM subject_identity WHERE agent = ? AND identity = ?";
  return session.row<[string]>(sql, agent, subject)?.[0] ?? subject;
}
