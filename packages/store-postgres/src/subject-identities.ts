import type { AgentOwner, IdentityRow } from "@throughline/core";
import { agentKey } from "./conversation-rows.ts";
import type { Session } from "./session.ts";
import { checkId, compareText, readText, writeText } from "./text.ts";

/** Makes an identity another name of a subject. */
export async function linkIdentity(session: Session, owner: AgentOwner, link: IdentityRow): Promise<void> {
  for (const id of [owner.tenant, owner.agent, link.identity, link.subject]) checkId(id);
  await session.run(
    `INSERT INTO #identity (tenant, agent, identity, subject, since) VALUES ($1, $2, $3, $4, $5)
      ON CONFLICT (tenant, agent, identity) DO UPDATE SET subject = excluded.subject, since = excluded.since`,
    ...agentKey(owner),
    writeText(link.identity),
    writeText(link.subject),
    writeText(link.since),
  );
}

/** False where it wasn't linked. */
export async function unlinkIdentity(session: Session, owner: AgentOwner, identity: string): Promise<boolean> {
  const removed = await session.count(
    "DELETE FROM #identity WHERE tenant = $1 AND agent = $2 AND identity = $3 RETURNING 1",
    ...agentKey(owner),
    writeText(identity),
  );
  return removed > 0;
}

/** Sorted by identity. */
export async function listIdentities(
  session: Session,
  owner: AgentOwner,
  query: { subject?: string },
): Promise<IdentityRow[]> {
  const { subject } = query;
  const rows = await session.rows<{ identity: string; subject: string; since: string }>(
    `SELECT identity, subject, since FROM #identity WHERE tenant = $1 AND agent = $2
      ${subject === undefined ? "" : "AND subject = $3"}`,
    ...agentKey(owner),
    ...(subject === undefined ? [] : [writeText(subject)]),
  );
  const links = rows.map((row) => ({
    identity: readText(row.identity),
    subject: readText(row.subject),
    since: readText(row.since),
  }));
  return links.sort((left, right) => compareText(left.identity, right.identity));
}

/** The subject that a name stands for, or the name itself. */
export async function resolveSubject(session: Session, owner: AgentOwner, subject: string): Promise<string> {
  const found = await session.row<{ subject: string }>(
    "SELECT subject FROM #identity WHERE tenant = $1 AND agent = $2 AND identity = $3",
    ...agentKey(owner),
    writeText(subject),
  );
  return found === undefined ? subject : readText(found.subject);
}
