import type { AgentOwner, EraseTarget, Receipt } from "@throughline/core";
import { removeThreads } from "./checkpoints/move-checkpoints.ts";
import { lockOwner } from "./commit-facts.ts";
import { agentKey } from "./conversation-rows.ts";
import { type ErasureMark, markErased } from "./erasure-marks.ts";
import type { Session } from "./session.ts";
import { writeText } from "./text.ts";

type Removed = Record<
  | "conversations"
  | "turns"
  | "messages"
  | "summaries"
  | "facts"
  | "items"
  | "records"
  | "identities"
  | "vectors"
  | "checkpoints",
  number
>;

/** Removes the target and remembers that it did. */
export async function erase(
  session: Session,
  owner: AgentOwner,
  target: EraseTarget,
  now: string,
): Promise<Receipt["removed"]> {
  const removed: Removed = {
    conversations: 0,
    turns: 0,
    messages: 0,
    summaries: 0,
    facts: 0,
    items: 0,
    records: 0,
    identities: 0,
    checkpoints: 0,
    vectors: 0,
  };
  const key = agentKey(owner);
  if (target.kind === "conversation") {
    await eraseConversations(session, key, [writeText(target.conversation)], now, removed);
  } else {
    await eraseSubject(session, key, writeText(target.subject), now, removed);
  }
  return removed;
}

type AgentKey = [tenant: string, agent: string];

async function eraseConversations(
  session: Session,
  key: AgentKey,
  ids: readonly string[],
  now: string,
  removed: Removed,
): Promise<void> {
  const [tenant, agent] = key;
  await markErased(
    session,
    tenant,
    ids.map((id) => ({ agent, kind: "conversation", id })),
    now,
  );
  // Whoever is making one of them is waited for, and whoever comes later sees the marks.
  const made = await session.count(
    `INSERT INTO #conversation (tenant, agent, id, created_at, updated_at)
      SELECT $1, $2, c, '', '' FROM unnest($3::text[]) c ORDER BY c ON CONFLICT DO NOTHING RETURNING 1`,
    ...key,
    ids,
  );
  await session.run(
    "SELECT 1 FROM #conversation WHERE tenant = $1 AND agent = $2 AND id = ANY ($3) ORDER BY id FOR UPDATE",
    ...key,
    ids,
  );
  for (const id of ids) await eraseFacts(session, [tenant, agent, "conversation", id], removed);
  const of = "tenant = $1 AND agent = $2 AND conversation = ANY ($3)";
  await removeDocuments(session, of, [...key, ids]);
  removed.vectors += await session.count(`DELETE FROM #vector WHERE ${of} RETURNING 1`, ...key, ids);
  const sizes = await session.rows<{ size: number }>(`DELETE FROM #turn WHERE ${of} RETURNING size`, ...key, ids);
  removed.turns += sizes.length;
  for (const { size } of sizes) removed.messages += size;
  removed.summaries += await session.count(`DELETE FROM #summary WHERE ${of} RETURNING 1`, ...key, ids);
  removed.items += await session.count(`DELETE FROM #item WHERE ${of} RETURNING 1`, ...key, ids);
  removed.checkpoints += await removeThreads(session, false, key, ids);
  for (const table of ["message", "former_subject"]) {
    await session.run(`DELETE FROM #${table} WHERE ${of}`, ...key, ids);
  }
  const gone = await session.count(
    "DELETE FROM #conversation WHERE tenant = $1 AND agent = $2 AND id = ANY ($3) RETURNING 1",
    ...key,
    ids,
  );
  removed.conversations += gone - made;
}

/** Documents, and their postings with them. */
async function removeDocuments(session: Session, where: string, parameters: readonly unknown[]): Promise<void> {
  await session.run(
    `DELETE FROM #posting p USING (SELECT bucket, document, unnest(terms) AS term FROM #document WHERE ${where}) d
      WHERE p.tenant = $1 AND p.bucket = d.bucket AND p.term = d.term AND p.document = d.document`,
    ...parameters,
  );
  await session.run(`DELETE FROM #document WHERE ${where}`, ...parameters);
}

async function eraseFacts(
  session: Session,
  key: [tenant: string, agent: string, scope: string, id: string],
  removed: Removed,
): Promise<void> {
  await lockOwner(session, key);
  const of = "tenant = $1 AND agent = $2 AND scope = $3 AND owner = $4";
  removed.facts += await session.count(`DELETE FROM #fact WHERE ${of} RETURNING 1`, ...key);
  for (const table of ["tombstone", "operation"]) await session.run(`DELETE FROM #${table} WHERE ${of}`, ...key);
  await session.run("DELETE FROM #fact_owner WHERE tenant = $1 AND agent = $2 AND scope = $3 AND id = $4", ...key);
}

async function eraseSubject(
  session: Session,
  key: AgentKey,
  subject: string,
  now: string,
  removed: Removed,
): Promise<void> {
  const [tenant, agent] = key;
  const identities = await session.rows<{ identity: string }>(
    "DELETE FROM #identity WHERE tenant = $1 AND agent = $2 AND subject = $3 RETURNING identity",
    ...key,
    subject,
  );
  removed.identities += identities.length;
  // A late write that names an identity is one of the subject; shared facts stand under no agent.
  const names = [subject, ...identities.map(({ identity }) => identity)];
  const marks = names.flatMap((id): ErasureMark[] => [
    { agent, kind: "subject", id },
    { agent: "", kind: "subject", id },
  ]);
  await markErased(session, tenant, dedupe(marks), now);
  await eraseFacts(session, [tenant, agent, "user", subject], removed);
  await eraseFacts(session, [tenant, "", "global", subject], removed);
  removed.records += await session.count(
    "DELETE FROM #record WHERE tenant = $1 AND agent = $2 AND subject = $3 RETURNING 1",
    ...key,
    subject,
  );
  const written = await session.rows<{ conversation: string }>(
    "SELECT conversation FROM #checkpoint_subject WHERE tenant = $1 AND agent = $2 AND subject = $3",
    ...key,
    subject,
  );
  const threads = written.map(({ conversation }) => conversation);
  removed.checkpoints += await removeThreads(session, false, key, threads);
  const bound = await session.rows<{ id: string }>(
    "SELECT id FROM #conversation WHERE tenant = $1 AND agent = $2 AND subject = $3 ORDER BY id FOR UPDATE",
    ...key,
    subject,
  );
  const ids = bound.map(({ id }) => id);
  if (ids.length > 0) await eraseConversations(session, key, ids, now, removed);
  await eraseFormerTurns(session, key, subject, removed);
}

/** The same mark twice in one statement is one too many for it. */
function dedupe(marks: readonly ErasureMark[]): ErasureMark[] {
  return [...new Map(marks.map((mark) => [JSON.stringify([mark.agent, mark.kind, mark.id]), mark])).values()];
}

/** What the subject said in conversations that are another's now. Their summaries may repeat it, and are folded anew. */
async function eraseFormerTurns(session: Session, key: AgentKey, subject: string, removed: Removed): Promise<void> {
  const former = await session.rows<{ id: string }>(
    `SELECT id FROM #conversation WHERE tenant = $1 AND agent = $2 AND id IN
      (SELECT conversation FROM #former_subject WHERE tenant = $1 AND agent = $2 AND subject = $3) ORDER BY id FOR UPDATE`,
    ...key,
    subject,
  );
  for (const { id } of former) {
    const of = "tenant = $1 AND agent = $2 AND conversation = $3";
    const turns = await session.rows<{ seq: number; size: number; counted: number; hidden: boolean }>(
      `DELETE FROM #turn WHERE ${of} AND subject = $4 RETURNING seq, size, counted, hidden`,
      ...key,
      id,
      subject,
    );
    if (turns.length === 0) continue;
    removed.checkpoints += await removeThreads(session, false, key, [id]);
    const seqs = turns.map(({ seq }) => seq);
    await removeDocuments(session, `${of} AND seq = ANY ($4)`, [...key, id, seqs]);
    const vectors = `DELETE FROM #vector WHERE ${of} AND seq = ANY ($4) RETURNING 1`;
    removed.vectors += await session.count(vectors, ...key, id, seqs);
    await session.run(`DELETE FROM #message WHERE ${of} AND seq = ANY ($4)`, ...key, id, seqs);
    removed.turns += turns.length;
    for (const { size } of turns) removed.messages += size;
    removed.summaries += await session.count(`DELETE FROM #summary WHERE ${of} RETURNING 1`, ...key, id);
    const visible = turns.filter(({ hidden }) => !hidden);
    await session.run(
      `UPDATE #conversation SET summary = 0, turns = turns - $4, messages = messages - $5
        WHERE tenant = $1 AND agent = $2 AND id = $3`,
      ...key,
      id,
      visible.length,
      visible.reduce((sum, { counted }) => sum + counted, 0),
    );
  }
  await session.run("DELETE FROM #former_subject WHERE tenant = $1 AND agent = $2 AND subject = $3", ...key, subject);
}
