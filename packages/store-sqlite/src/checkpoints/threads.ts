import type { AgentOwner, CheckpointThreadRow, ConversationOwner } from "@throughline/core";
import type { SqlValue } from "../driver.ts";
import { checkId, findAgent, obtainAgent, subjectOf } from "../names.ts";
import type { Session } from "../session.ts";
import { resolveSubject } from "../subject-identities.ts";

/** The checkpoints of a conversation as a whole. Its number is never given twice. */
export interface Thread {
  ref: number;
  edition: number;
  /** The edition of a removal that is under way; texts that are said again are kept anew meanwhile. 0: none. */
  pruning: number;
  subject: string | null;
  login: string | null;
}

type Columns = [ref: number, edition: number, pruning: number, subject: string | null, login: string | null];

export function findThread(session: Session, owner: ConversationOwner): Thread | undefined {
  const agent = findAgent(session, owner);
  if (agent === undefined) return undefined;
  const sql = "SELECT ref, edition, pruning, subject, login FROM thread WHERE agent = ? AND conversation = ?";
  const [ref, edition, pruning, subject, login] = session.row<Columns>(sql, agent, owner.conversation) ?? [];
  if (ref === undefined || edition === undefined || pruning === undefined) return undefined;
  return { ref, edition, pruning, subject: subject ?? null, login: login ?? null };
}

/** Makes the thread of a conversation that has none. */
export function makeThread(session: Session, owner: ConversationOwner, now: string): Thread {
  checkId(owner.conversation);
  const sql = "INSERT INTO thread (agent, conversation, created_at, updated_at) VALUES (?, ?, ?, ?)";
  const { ref } = session.run(sql, obtainAgent(session, owner), owner.conversation, now, now);
  return { ref, edition: 0, pruning: 0, subject: null, login: null };
}

/** Notes that something was written now, and by whom. */
export function touchThread(
  session: Session,
  owner: ConversationOwner,
  thread: Thread,
  { subject, login, now }: { subject: string | undefined; login: string | undefined; now: string },
): void {
  session.run(
    "UPDATE thread SET updated_at = ?, subject = ?, login = ? WHERE ref = ?",
    now,
    subject ?? thread.subject,
    login ?? thread.login,
    thread.ref,
  );
  if (subject === undefined || subject === thread.subject) return;
  checkId(subject);
  session.run(
    "INSERT OR IGNORE INTO thread_subject (agent, subject, thread) VALUES (?, ?, ?)",
    obtainAgent(session, owner),
    subject,
    thread.ref,
  );
}

/** What ranges are valid under: the thread, and how often elements of it were removed. */
export const generationOf = ({ ref, edition }: Thread): string => `${ref}.${edition}`;

/** True where a generation is of another thread: the conversation's checkpoints were removed meanwhile. */
export const isOtherThread = ({ ref }: Thread, generation: string | undefined): boolean =>
  generation !== undefined && generation.split(".")[0] !== String(ref);

/** Whose the conversation is: as it was recorded, else as its checkpoints were. */
export function boundSubject(
  session: Session,
  owner: ConversationOwner,
  thread: Pick<Thread, "subject"> | undefined,
): string | undefined {
  const agent = findAgent(session, owner);
  if (agent === undefined) return undefined;
  const sql = "SELECT subject FROM conversation WHERE agent = ? AND id = ?";
  const [bucket] = session.row<[number | null]>(sql, agent, owner.conversation) ?? [null];
  const recorded = bucket === null ? undefined : subjectOf(session, bucket);
  return recorded ?? thread?.subject ?? undefined;
}

/** The subject that a write names, resolved; `null` where the conversation is another's. */
export function writerOf(
  session: Session,
  owner: ConversationOwner,
  thread: Thread | undefined,
  named: string | undefined,
): { subject: string | undefined } | null {
  if (named === undefined) return { subject: undefined };
  const subject = resolveSubject(session, owner, named);
  const bound = boundSubject(session, owner, thread);
  return bound === undefined || bound === subject ? { subject } : null;
}

/** Conversations that have checkpoints, sorted by id. */
export function listThreads(
  session: Session,
  owner: AgentOwner,
  { subject, after, limit }: { subject?: string; after?: string; limit: number },
): CheckpointThreadRow[] {
  const agent = findAgent(session, owner);
  if (agent === undefined || limit <= 0) return [];
  const found: CheckpointThreadRow[] = [];
  for (let last = after ?? ""; ; ) {
    const rows = session.rows<
      [
        ref: number,
        conversation: string,
        subject: string | null,
        login: string | null,
        created: string,
        updated: string,
      ]
    >(
      `SELECT ref, conversation, subject, login, created_at, updated_at FROM thread
        WHERE agent = ? AND conversation > ? ORDER BY conversation LIMIT ?`,
      agent,
      last,
      limit,
    );
    for (const [ref, conversation, own, login, createdAt, updatedAt] of rows) {
      last = conversation;
      const whose = boundSubject(session, { ...owner, conversation }, { subject: own });
      if (subject !== undefined && whose !== subject) continue;
      const [checkpoints] = session.row<[number]>("SELECT count(*) FROM checkpoint WHERE thread = ?", ref) ?? [0];
      found.push({
        conversation,
        ...(whose === undefined ? {} : { subject: whose }),
        ...(login === null ? {} : { login }),
        createdAt,
        updatedAt,
        checkpoints,
      });
      if (found.length === limit) return found;
    }
    if (rows.length < limit) return found;
  }
}

/** Threads that a subject ever wrote in. */
export function threadsOfSubject(session: Session, agent: number, subject: string): number[] {
  const parameters: SqlValue[] = [agent, subject];
  return session
    .rows<[number]>("SELECT thread FROM thread_subject WHERE agent = ? AND subject = ?", ...parameters)
    .map(([thread]) => thread);
}

/** The thread of a recorded conversation. */
export function findThreadOf(session: Session, conversation: number): number | undefined {
  const sql =
    "SELECT t.ref FROM conversation c JOIN thread t ON t.agent = c.agent AND t.conversation = c.id WHERE c.ref = ?";
  return session.row<[number]>(sql, conversation)?.[0];
}
