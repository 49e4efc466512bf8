import type {
  AgentOwner,
  ConversationOwner,
  ConversationRow,
  Lease,
  WorkBegin,
  WorkClaim,
  WorkResult,
  WorkRows,
  WorkSettlement,
} from "@throughline/core";
import { isAnother } from "@throughline/core/store-kit";
import { findConversation, readStored, SELECT_CONVERSATION, type StoredConversation } from "./conversation-rows.ts";
import { addDocuments, fileLong } from "./keyword/index-documents.ts";
import { findAgent, obtainAgent } from "./names.ts";
import { readTurnsOf } from "./read-turns.ts";
import { readRecords } from "./records.ts";
import type { Session } from "./session.ts";
import type { Steps } from "./steps.ts";
import { putVectors } from "./vectors/put-vectors.ts";

const REOPENED_AT_ONCE = 500;
const DUE = `${SELECT_CONVERSATION} WHERE agent = ? AND is_open = 1 AND settled_seq < last_seq
  AND (lease_until IS NULL OR lease_until <= ? OR lease_holder = ?)`;

/** Leases conversations with work due, least recently updated first. */
export function claimWork(session: Session, owner: AgentOwner, claim: WorkClaim): ConversationRow[] {
  return claimConversations(session, owner, claim).map(({ row }) => row);
}

function claimConversations(session: Session, owner: AgentOwner, claim: WorkClaim): StoredConversation[] {
  const agent = findAgent(session, owner);
  if (agent === undefined) return [];
  const { holder, now, conversation, limit } = claim;
  const due =
    conversation === undefined
      ? readStored(session, `${DUE} ORDER BY updated_at, id LIMIT ?`, agent, now, holder, Math.max(0, limit))
      : readStored(session, `${DUE} AND id = ? LIMIT ?`, agent, now, holder, conversation, Math.max(0, limit));
  const until = leaseEnd(claim);
  for (const { ref } of due) {
    session.run("UPDATE conversation SET lease_holder = ?, lease_until = ? WHERE ref = ?", holder, until, ref);
  }
  return due;
}

/** Leases a conversation, and reads what its work begins with. */
export function beginWork(session: Session, owner: ConversationOwner, begin: WorkBegin): WorkRows | null {
  const { conversation, tenant, agent } = owner;
  const { turns: asked, records = [], ...claim } = begin;
  const [claimed] = claimConversations(session, { tenant, agent }, { ...claim, conversation, limit: 1 });
  if (claimed === undefined) return null;
  const rows: WorkRows = {
    conversation: claimed.row,
    records: records.map((wanted) =>
      readRecords(session, owner, { ...wanted, now: begin.now, limit: wanted.keys.length }).map(({ key, value }) => ({
        key,
        value,
      })),
    ),
  };
  if (asked === undefined) return rows;
  const { watermarks } = claimed.row;
  const after = Math.min(claimed.row.lastSeq, ...asked.behind.map((mark) => watermarks[mark] ?? 0));
  // What takes longer than one piece is read page by page as it is needed.
  const read = readTurnsOf(session, claimed, { after, limit: asked.limit + 1 }).next();
  if (read.done === true && read.value.length <= asked.limit) rows.turns = read.value;
  return rows;
}

/**
 * Writes what the work on a conversation made of its turns, and settles it: in one transaction, unless that would take long.
 * What was written before it is done is what the parts write by themselves.
 */
export function* finishWork(
  session: Session,
  owner: ConversationOwner,
  { index, vectors, settlement }: WorkResult,
): Steps<{ indexed: boolean; vectors: number }> {
  const { createdAt } = settlement;
  const of = createdAt === undefined ? {} : { createdAt };
  const kept = vectors === undefined ? 0 : yield* putVectors(session, owner, { ...vectors, ...of });
  const added = index === undefined ? null : yield* addDocuments(session, owner, { ...index, ...of });
  settleWork(session, owner, settlement, index !== undefined && added !== null ? index.through : 0);
  yield* fileLong(session, added?.long ?? []);
  return { indexed: added !== null, vectors: kept };
}

/** Moves watermarks forward, that of the index to `indexed` at least, and gives the lease up. */
export function settleWork(session: Session, owner: ConversationOwner, settlement: WorkSettlement, indexed = 0): void {
  const stored = findConversation(session, owner);
  if (stored === undefined || isAnother(stored.row, settlement)) return;
  const { row, ref } = stored;
  const watermarks = { ...row.watermarks };
  for (const [kind, seq] of Object.entries(settlement.watermarks ?? {})) {
    watermarks[kind] = Math.max(watermarks[kind] ?? 0, seq);
  }
  const { index = 0, ...others } = watermarks;
  const settled = Math.max(row.settledSeq, Math.min(settlement.settledSeq ?? 0, row.lastSeq));
  const releases = (settlement.release ?? true) ? settlement.holder : null;
  session.run(
    `UPDATE conversation SET watermarks = ?, indexed_seq = ?, settled_seq = ?,
      lease_until = CASE WHEN lease_holder = ? THEN NULL ELSE lease_until END, lease_holder = nullif(lease_holder, ?)
      WHERE ref = ?`,
    Object.keys(others).length === 0 ? null : JSON.stringify(others),
    Math.max(index, indexed),
    settled,
    releases,
    releases,
    ref,
  );
}

/** Makes everything due again, some conversations at a time. Running it twice does nothing more. */
export function* reopenWork(session: Session, owner: AgentOwner): Steps<void> {
  const agent = findAgent(session, owner);
  if (agent === undefined) return;
  let after = "";
  for (;;) {
    const rows = session.rows<[ref: number, id: string]>(
      "SELECT ref, id FROM conversation WHERE agent = ? AND id > ? ORDER BY id LIMIT ?",
      agent,
      after,
      REOPENED_AT_ONCE,
    );
    for (const [ref] of rows) {
      session.run("UPDATE conversation SET settled_seq = 0 WHERE ref = ?", ref);
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < REOPENED_AT_ONCE) return;
    after = last[1];
    yield;
  }
}

/** Takes or renews a named lease. */
export function claimLease(session: Session, owner: AgentOwner, lease: Lease): boolean {
  const { name, holder, now } = lease;
  const { changes } = session.run(
    `INSERT INTO lease (agent, name, holder, until) VALUES (?, ?, ?, ?)
      ON CONFLICT (agent, name) DO UPDATE SET holder = excluded.holder, until = excluded.until
      WHERE holder = excluded.holder OR until <= ?`,
    obtainAgent(session, owner),
    name,
    holder,
    leaseEnd(lease),
    now,
  );
  return changes > 0;
}

/** Gives a lease up. */
export function releaseLease(session: Session, owner: AgentOwner, lease: { name: string; holder: string }): void {
  const agent = findAgent(session, owner);
  if (agent === undefined) return;
  session.run("DELETE FROM lease WHERE agent = ? AND name = ? AND holder = ?", agent, lease.name, lease.holder);
}

function leaseEnd({ now, leaseMs }: { now: string; leaseMs: number }): string {
  return new Date(Date.parse(now) + leaseMs).toISOString();
}
