import type {
  AgentOwner,
  ConversationOwner,
  ConversationRow,
  Lease,
  WorkClaim,
  WorkSettlement,
} from "@throughline/core";
import { isAnother } from "@throughline/core/store-kit";
import { agentKey, type ConversationColumns, keyOf, lockConversation, toConversation } from "../conversation-rows.ts";
import type { Session } from "../session.ts";
import { checkId, compareText, toInteger, writeText } from "../text.ts";

/** Leases conversations with work due, least recently updated first. Those that another transaction holds are passed over. */
export async function claimWork(session: Session, owner: AgentOwner, claim: WorkClaim): Promise<ConversationRow[]> {
  const { holder, now, conversation, limit } = claim;
  const one = conversation === undefined ? "" : "AND id = $7";
  // Somebody who asks for one conversation waits for the turn that is being written to it.
  const lock = conversation === undefined ? "FOR UPDATE SKIP LOCKED" : "FOR UPDATE";
  const rows = await session.rows<ConversationColumns>(
    `WITH due AS MATERIALIZED (
      SELECT id FROM #conversation WHERE tenant = $1 AND agent = $2 AND settled_seq < last_seq
        AND (lease_until IS NULL OR lease_until <= $4 OR lease_holder = $3) ${one}
        ORDER BY updated_at, id LIMIT $6 ${lock})
      UPDATE #conversation c SET lease_holder = $3, lease_until = $5 FROM due
        WHERE c.tenant = $1 AND c.agent = $2 AND c.id = due.id RETURNING c.*`,
    ...agentKey(owner),
    writeText(holder),
    now,
    leaseEnd(claim),
    Math.max(0, toInteger(limit)),
    ...(conversation === undefined ? [] : [writeText(conversation)]),
  );
  return rows
    .sort((left, right) => compareText(left.updated_at, right.updated_at) || compareText(left.id, right.id))
    .map(toConversation);
}

/** Moves watermarks forward and gives the lease up. */
export async function settleWork(
  session: Session,
  owner: ConversationOwner,
  settlement: WorkSettlement,
): Promise<void> {
  const stored = await lockConversation(session, owner);
  if (stored === undefined) return;
  const row = toConversation(stored);
  if (isAnother(row, settlement)) return;
  const { watermarks } = row;
  for (const [kind, seq] of Object.entries(settlement.watermarks ?? {})) {
    watermarks[kind] = Math.max(watermarks[kind] ?? 0, seq);
  }
  const { index = 0, ...others } = watermarks;
  const settled = Math.max(stored.settled_seq, Math.min(settlement.settledSeq ?? 0, stored.last_seq));
  const gives = (settlement.release ?? true) && stored.lease_holder === writeText(settlement.holder);
  await session.run(
    `UPDATE #conversation SET watermarks = $4, indexed_seq = $5, settled_seq = $6
      ${gives ? ", lease_holder = NULL, lease_until = NULL" : ""} WHERE tenant = $1 AND agent = $2 AND id = $3`,
    ...keyOf(owner),
    Object.keys(others).length === 0 ? null : JSON.stringify(others),
    toInteger(index),
    toInteger(settled),
  );
}

/** Makes everything due again. */
export async function reopenWork(session: Session, owner: AgentOwner): Promise<void> {
  await session.run(
    "UPDATE #conversation SET settled_seq = 0 WHERE tenant = $1 AND agent = $2 AND settled_seq > 0",
    ...agentKey(owner),
  );
}

/** Takes or renews a named lease. */
export async function claimLease(session: Session, owner: AgentOwner, lease: Lease): Promise<boolean> {
  for (const id of [owner.tenant, owner.agent]) checkId(id);
  const taken = await session.count(
    `INSERT INTO #lease AS l (tenant, agent, name, holder, until) VALUES ($1, $2, $3, $4, $5)
      ON CONFLICT (tenant, agent, name) DO UPDATE SET holder = excluded.holder, until = excluded.until
      WHERE l.holder = excluded.holder OR l.until <= $6 RETURNING 1`,
    ...agentKey(owner),
    writeText(lease.name),
    writeText(lease.holder),
    leaseEnd(lease),
    lease.now,
  );
  return taken > 0;
}

/** Gives a lease up. */
export async function releaseLease(
  session: Session,
  owner: AgentOwner,
  lease: { name: string; holder: string },
): Promise<void> {
  await session.run(
    "DELETE FROM #lease WHERE tenant = $1 AND agent = $2 AND name = $3 AND holder = $4",
    ...agentKey(owner),
    writeText(lease.name),
    writeText(lease.holder),
  );
}

/** When a lease is over. */
export function leaseEnd({ now, leaseMs }: { now: string; leaseMs: number }): string {
  return new Date(Date.parse(now) + leaseMs).toISOString();
}
